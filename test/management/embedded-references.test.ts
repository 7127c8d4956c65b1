import { expect, onTestFinished, test } from 'vitest'
import { d2 } from '../../src/profiles/d2.ts'
import { createTestSite, type TestSiteOptions } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'

async function openSite(options: TestSiteOptions = {}) {
  const site = await createTestSite({ profile: d2, ...options })
  onTestFinished(() => site.dispose())
  return site
}

const widget = (settings: object) => ({
  id: 'a1b2c3d',
  elType: 'widget',
  widgetType: 'heading',
  elements: [],
  settings,
})
const named = widget({
  image: { id: { $ref: 'media.pier' }, url: 'https://quay.example/pier.jpg' },
  template_id: { $ref: 'document.top', text: true },
  posts_include_term_ids: [{ $ref: 'category.news' }],
  posts_include_authors: [{ $ref: 'user.editor' }],
  menu: 'main',
  text: '[builder-template id="ref:document.top"]',
})

const top = {
  ...{ key: 'top', type: 'builder_library', status: 'publish', title: 'Top', slug: 'top', author: 'admin' },
  ...{ date: '2024-01-01T10:00:00' },
  meta: {
    _builder_edit_mode: 'builder',
    _builder_template_type: 'header',
    _builder_conditions: [
      'include/general',
      'include/singular/post/ref:post.ferry',
      'include/archive/author/ref:user.admin',
    ],
    _builder_page_settings: { background_image: { id: { $ref: 'media.pier' }, url: 'x' } },
  },
}
const [hello] = smallSite.posts as unknown as readonly [{ readonly revisions: readonly object[] }]
const meta = { _builder_edit_mode: 'builder', _builder_data: JSON.stringify([named]) }
const site = {
  ...smallSite,
  posts: [
    { ...hello, meta, revisions: hello.revisions.map((revision) => ({ ...revision, meta })) },
    ...smallSite.posts.slice(1),
  ],
  documents: [top],
}

test('a seed writes ids in place of the references inside elements, settings and conditions', async () => {
  const { api, ids } = await openSite({ seed: site })
  const read = async (id: number | undefined) =>
    (await api.call('GET', `/cms/v2/posts/${id}`, { context: 'edit' }, { as: 'system' })).data as {
      readonly meta: { readonly _builder_data: string }
    }
  const post = await read(ids['post.hello'])
  const expected = {
    image: { id: ids['media.pier'], url: 'https://quay.example/pier.jpg' },
    template_id: String(ids['document.top']),
    posts_include_term_ids: [ids['category.news']],
    posts_include_authors: [ids['user.editor']],
    menu: 'main',
    text: `[builder-template id="${ids['document.top']}"]`,
  }
  expect(JSON.parse(post.meta._builder_data)[0].settings).toEqual(expected)
  const revisions = (
    await api.call('GET', `/cms/v2/posts/${ids['post.hello']}/revisions`, { context: 'edit' }, { as: 'system' })
  ).data as unknown as (typeof post)[]
  expect(JSON.parse(revisions[0]?.meta._builder_data ?? '')[0].settings).toEqual(expected)
})

test('an export has references in place of ids, and an export of its seed is equal, whatever the ids', async () => {
  const first = await openSite({ seed: site })
  const exported = await first.api.site.export()
  const [document] = (exported.documents ?? []) as unknown as { readonly meta: object }[]
  expect(document?.meta).toMatchObject({
    _builder_conditions: [
      'include/general',
      'include/singular/post/ref:post.ferry',
      'include/archive/author/ref:user.ada',
    ],
    _builder_page_settings: { background_image: { id: { $ref: 'media.pier' }, url: 'x' } },
  })
  // Another order of posts gives other ids.
  const second = await openSite({ seed: { ...exported, posts: exported.posts?.toReversed() } })
  expect(second.ids['post.ferry']).not.toBe(first.ids['post.ferry'])
  const again = await second.api.site.export()
  const sorted = (posts: readonly { readonly key: string }[] = []) => posts.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  expect(sorted(again.posts)).toEqual(sorted(exported.posts))
  expect(again.documents).toEqual(exported.documents)
})

test('an id of a row that is gone is exported as 0, and elements without ids as they were written', async () => {
  const spaced = '[ {"id": "a1b2c3d",  "elType":"widget","settings":{"title":"x"}} ]'
  const { api, ids } = await openSite()
  const gone = JSON.stringify([widget({ template_id: 99999, image: { id: '', url: 'x' } })])
  for (const [key, text] of [
    ['post.ferry', gone],
    ['post.tide', spaced],
  ] as const) {
    const body = { meta: { _builder_edit_mode: 'builder', _builder_data: text } }
    await api.call('PATCH', `/cms/v2/posts/${ids[key]}`, body, { as: 'system' })
  }
  const { posts = [] } = await api.site.export()
  const textOf = (key: string) => posts.find((post) => post.key === key)?.meta?.['_builder_data']
  expect(JSON.parse(String(textOf('ferry')))[0].settings).toEqual({ template_id: 0, image: { id: '', url: 'x' } })
  expect(textOf('tide')).toBe(spaced)
})

test('an export with ids has the elements as they are stored', async () => {
  const { api, ids } = await openSite({ seed: site })
  const { posts = [] } = await api.site.export({ ids: true })
  const text = String(posts.find(({ key }) => key === 'hello')?.meta?.['_builder_data'])
  expect(JSON.parse(text)[0].settings.image.id).toBe(ids['media.pier'])
})

test('a reference to nothing is refused with its place, before anything is written', async () => {
  const wrong = {
    ...top,
    meta: { ...top.meta, _builder_data: JSON.stringify([widget({ template_id: { $ref: 'document.gone' } })]) },
  }
  const { api } = await openSite({ seed: false })
  const seeded = api.site.seed({ ...site, documents: [wrong] })
  await expect(seeded).rejects.toThrow(
    'documents[0].meta._builder_data names an entry that is not there: "document.gone"',
  )
  expect(await api.site.seed(site)).toHaveProperty(['document.top'])
})
