import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { d1 } from '../../../../src/profiles/d1.ts'
import { storeDocument, storeTemplate, widgetElement } from '../../../support/documents.ts'
import { baseUrl, createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
let storage: Storage
let greeting = 'Ahoy'

beforeAll(async () => {
  site = await createTestSite({
    storage: (opened) => {
      storage = opened
      return opened
    },
    render: { services: { shortcode: (name) => (name === 'greet' ? greeting : undefined) } },
  })
})
afterAll(() => site.dispose())

const render = async (id: number, context = {}) => {
  const result = await site.api.render.document(id, context)
  if (!result) throw new Error('the document was not rendered')
  return result
}
const tag = (name: string, settings: object = {}) =>
  `[builder-tag id="a1" name="${name}" settings="${encodeURIComponent(JSON.stringify(settings))}"]`
const heading = (id: string, name: string, settings: object = {}) =>
  widgetElement(id, 'heading', { __dynamic__: { title: tag(name, settings) } })

describe('a result is kept', () => {
  test('while its records stay, whatever else changes', async () => {
    const id = await storeDocument(site, [heading('a', 'post-title')])
    const context = { post: site.ids['post.tide'] }
    const first = await render(id, context)
    expect(await render(id, context)).toBe(first)
    const other = [{ id: site.ids['post.knots'] ?? 0, changes: { title: 'Other knots' } }]
    await storage.posts.update(other)
    expect(await render(id, context)).toBe(first)
    await storage.posts.update([{ id: site.ids['post.tide'] ?? 0, changes: { title: 'Low tide' } }])
    expect((await render(id, context)).text).toBe('Low tide\n')
  })

  test('for each reader, moment and request of those that it varies by', async () => {
    const id = await storeDocument(site, [heading('a', 'user-info', { type: 'login' }), widgetElement('b', 'heading')])
    const visitor = await render(id)
    const editor = await render(id, { user: site.ids['user.editor'] })
    expect(editor.text).toContain('edith')
    expect(visitor.text).not.toContain('edith')
    expect(await render(id)).toBe(visitor)
    expect(await render(id, { user: site.ids['user.editor'], url: 'https://quay.example/?x' })).toBe(editor)
    const clock = await storeDocument(site, [heading('a', 'current-date-time')])
    const now = Date.parse('2024-06-15T12:00:00Z')
    expect((await render(clock, { now })).text).not.toBe((await render(clock, { now: now + 86_400_000 })).text)
  })

  test('without reading the elements of its documents again', async () => {
    const loop = await storeTemplate(storage, 'loop-item', [heading('i', 'post-title')], { author: 1 })
    const id = await storeDocument(site, [
      widgetElement('mark', 'heading', { title: 'The elements of this one' }),
      widgetElement('list', 'loop-grid', { template_id: loop }),
    ])
    const first = await render(id)
    const parsed = vi.spyOn(JSON, 'parse')
    try {
      // Every check reads records that may have changed: the token of the storage is another one.
      for (let checks = 0; checks < 3; checks++) {
        await storage.options.write({ unrelated: checks })
        expect(await render(id)).toBe(first)
      }
      const texts = parsed.mock.calls.map(([text]) => String(text))
      // A storage may keep every value as JSON: a text in quotes is no list of elements.
      expect(texts.filter((text) => /^\[.*"elType"/s.test(text))).toEqual([])
    } finally {
      parsed.mockRestore()
    }
    const [entry] = await storage.meta.read('post', [id], ['_builder_data'])
    const value = String(entry?.value).replace('The elements', 'The new elements')
    await storage.meta.write('post', [{ id, key: '_builder_data', value }])
    expect((await render(id)).text).toContain('The new elements')
  })

  test('only while the services of the host answer the same', async () => {
    const id = await storeDocument(site, [widgetElement('a', 'shortcode', { shortcode: '[greet]' })])
    expect((await render(id)).text).toContain('Ahoy')
    greeting = 'Farewell'
    expect((await render(id)).text).toContain('Farewell')
  })
})

/** A change of one record, and the tags of which a result that it changes has to have one. */
interface Edit {
  readonly tags: readonly string[]
  readonly make: () => Promise<unknown> | unknown
}

describe('dependencies', () => {
  test('name every record whose change may change the result, and no kept result is stale', async () => {
    const { ids } = site
    const id = (key: string) => ids[key] ?? 0
    const card = await storeTemplate(
      storage,
      'loop-item',
      [widgetElement('t1', 'theme-post-title'), widgetElement('t2', 'theme-post-featured-image')],
      { author: id('user.admin') },
    )
    const document = await storeDocument(site, [
      heading('a', 'post-title'),
      heading('b', 'author-name'),
      heading('c', 'post-terms', { taxonomy: 'category' }),
      heading('d', 'site-tagline'),
      heading('e', 'post-custom-field', { key: 'depth' }),
      widgetElement('f', 'posts', {
        posts_include: ['terms'],
        posts_include_term_ids: [ids['category.news']],
        classic_show_excerpt: '',
      }),
      widgetElement('g', 'loop-grid', {
        template_id: card,
        post_query_post_type: 'by_id',
        post_query_posts_ids: [ids['post.ferry']],
      }),
      widgetElement('h', 'template', { template_id: 99_999 }),
      widgetElement('i', 'heading', { title: 'x', __globals__: { title_color: 'globals/colors?id=primary' } }),
    ])
    const context = { post: ids['post.tide'] }
    let count = 0
    const text = () => `changed ${++count}`
    const retitled = (key: string): Edit => ({
      tags: [`post:${id(key)}`],
      make: () => storage.posts.update([{ id: id(key), changes: { title: text() } }]),
    })
    const edits: readonly Edit[] = [
      ...['post.tide', 'post.ferry', 'post.knots', 'post.draft', 'page.about'].map(retitled),
      {
        tags: [`post:${id('post.ferry')}`, 'query:post'],
        make: () =>
          storage.posts.update([{ id: id('post.ferry'), changes: { status: count++ % 2 ? 'publish' : 'draft' } }]),
      },
      {
        tags: ['query:post', `post:${id('post.knots')}`],
        make: () =>
          storage.terms.assign([
            {
              post: id('post.knots'),
              taxonomy: 'category',
              terms: [id(count++ % 2 ? 'category.news' : 'category.guides')],
            },
          ]),
      },
      ...['user.author2', 'user.editor'].map((key) => ({
        tags: [`user:${id(key)}`],
        make: () => storage.users.update([{ id: id(key), changes: { displayName: text() } }]),
      })),
      ...['category.guides', 'category.uncategorized'].map((key) => ({
        tags: [`term:${id(key)}`],
        make: () => storage.terms.update([{ id: id(key), changes: { name: text() } }]),
      })),
      { tags: ['option:tagline'], make: () => storage.options.write({ description: text() }) },
      { tags: ['option:title'], make: () => storage.options.write({ name: text() }) },
      {
        tags: [`meta:${id('post.tide')}:depth`, `post:${id('post.tide')}`],
        make: () => storage.meta.write('post', [{ id: id('post.tide'), key: 'depth', value: text() }]),
      },
      {
        tags: [],
        make: () => storage.meta.write('post', [{ id: id('post.tide'), key: 'colour', value: text() }]),
      },
      {
        tags: [`media:${id('media.pier')}`],
        make: () => storage.meta.write('post', [{ id: id('media.pier'), key: '_attachment_alt_text', value: text() }]),
      },
      {
        tags: ['kit'],
        make: () =>
          storage.options.write({
            builder_kit_colors: {
              system: [{ id: 'primary', title: '', value: `#${String(100_000 + count++)}` }],
              custom: [],
            },
          }),
      },
      {
        tags: [`post:${card}`],
        make: () =>
          storage.meta.write('post', [
            {
              id: card,
              key: '_builder_data',
              value: JSON.stringify([widgetElement('t1', 'heading', { title: text() })]),
            },
          ]),
      },
    ]
    const fresh = createSiteApi({
      profile: d1,
      url: baseUrl,
      clock: () => site.clock.now,
      storage,
      render: { cache: false },
    })
    const bytes = ({ html, css, text: plain }: { html: string; css: readonly { css: string }[]; text: string }) =>
      JSON.stringify([html, css.map((sheet) => sheet.css), plain])
    const reached = new Set<number>()
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: edits.length - 1 }), async (at) => {
        const before = await render(document, context)
        await edits[at]?.make()
        const after = await render(document, context)
        const anew = await fresh.render.document(document, context)
        expect(anew && bytes(anew)).toBe(bytes(after))
        expect(anew?.dependencies).toEqual(after.dependencies)
        if (bytes(before) === bytes(after)) return
        reached.add(at)
        expect(before.dependencies.filter((one) => edits[at]?.tags.includes(one))).not.toEqual([])
      }),
      { numRuns: 120, seed: 7 },
    )
    // The test would say nothing if hardly any change were seen.
    expect(reached.size).toBeGreaterThan(9)
  })
})
