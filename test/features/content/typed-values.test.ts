/**
 * Values of declared fields are stored in their type, whatever way they come: JSON, forms, batches, calls of the host, site documents and
 * export files. A row of a table has the field, the sent value, and the value that is stored and answered.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../../src/contract/storage.ts'
import { args, content, contentType, profile, taxonomy } from '../../../src/index.ts'
import { exportFile, inPieces, item } from '../../management/import/export-file.ts'
import { basic, createTestSite, type TestSite } from '../../support/site.ts'
import { smallSite } from '../../support/small-site.ts'

const fields = {
  servings: args.int({ default: 4, minimum: 1, maximum: 5000 }),
  price: args.num(),
  flag: args.bool({ default: true }),
  note: args.str({ maxLength: 20 }),
  course: args.oneOf(['starter', 'main']),
  words: args.list(args.str()),
  scores: args.list(args.int(), { uniqueItems: true, maxItems: 4 }),
  calories: args.nullable(args.int()),
  oven: args.object({ degrees: args.int(), fan: args.bool(), racks: args.list(args.int()) }),
  steps: args.list(args.object({ minutes: args.num(), isDone: args.bool() })),
  any: args.anything(),
}

const cuisine = taxonomy({
  ...{ name: 'cuisine', labels: { singular: 'Cuisine', plural: 'Cuisines' }, restBase: 'cuisines' },
  fields,
})
const dish = contentType({
  ...{ name: 'dish', labels: { singular: 'Dish', plural: 'Dishes' }, restBase: 'dishes' },
  supports: ['title', 'editor', 'author', 'revisions', 'autosave'],
  taxonomies: [cuisine.declaration],
  fields,
})
const kitchen = profile({ ...content, name: 'kitchen', features: [...content.features, dish, cuisine] })

type Field = keyof typeof fields

/** Texts, as forms have them, with their meanings. */
const texts: readonly (readonly [field: Field, sent: string, meant: Json])[] = [
  ['servings', '7', 7],
  ['servings', ' 7', 7],
  ['servings', '5.0', 5],
  ['servings', '1e3', 1000],
  ['price', '1.50', 1.5],
  ['price', '-0.25', -0.25],
  ['flag', 'false', false],
  ['flag', 'TRUE', true],
  ['flag', '0', false],
  ['flag', '1', true],
  ['note', '7', '7'],
  ['note', 'false', 'false'],
  ['note', '', ''],
  ['course', 'main', 'main'],
  ['words', 'salt,pepper', ['salt', 'pepper']],
  ['words', '', []],
  ['scores', '3, 1 2', [3, 1, 2]],
  ['scores', '7', [7]],
  ['any', '7', '7'],
]

/** Values of JSON. */
const values: readonly (readonly [field: Field, sent: Json, meant: Json])[] = [
  ...texts,
  ['servings', 7, 7],
  ['flag', 0, false],
  ['flag', 1, true],
  ['words', ['a b', 'c,d'], ['a b', 'c,d']],
  ['scores', ['3', 1], [3, 1]],
  ['scores', 12, [12]],
  ['calories', '250', 250],
  ['oven', { fan: 'false', degrees: '180', racks: '1,3' }, { fan: false, degrees: 180, racks: [1, 3] }],
  ['oven', { note: 'hot', degrees: 180 }, { note: 'hot', degrees: 180 }],
  ['steps', [{ minutes: '2.5', isDone: '1' }, { minutes: 3 }], [{ minutes: 2.5, isDone: true }, { minutes: 3 }]],
  ['any', { a: ['1', 2, null] }, { a: ['1', 2, null] }],
]

/** Values that break the declaration, with the code of the route. */
const refused: readonly (readonly [field: Field, sent: Json, code: string])[] = [
  ['servings', 'many', 'rest_invalid_type'],
  ['servings', '', 'rest_invalid_type'],
  ['servings', '5.7', 'rest_invalid_type'],
  ['servings', '12abc', 'rest_invalid_type'],
  ['servings', '0x10', 'rest_invalid_type'],
  ['servings', '9007199254740993', 'rest_invalid_type'],
  ['servings', true, 'rest_invalid_type'],
  ['servings', '0', 'rest_out_of_bounds'],
  ['servings', '5001', 'rest_out_of_bounds'],
  ['price', '1,50', 'rest_invalid_type'],
  ['price', '1e999', 'rest_invalid_type'],
  ['flag', 'yes', 'rest_invalid_type'],
  ['flag', 2, 'rest_invalid_type'],
  ['note', 7, 'rest_invalid_type'],
  ['note', 'a note with too many letters', 'rest_too_long'],
  ['course', 'dessert', 'rest_not_in_enum'],
  ['words', { 0: 'a' }, 'rest_invalid_type'],
  ['scores', 'a,b', 'rest_invalid_type'],
  ['scores', ['1', 1], 'rest_duplicate_items'],
  ['scores', '1,2,3,4,5', 'rest_too_many_items'],
  ['calories', 'none', 'rest_invalid_type'],
  ['oven', { degrees: 'hot' }, 'rest_invalid_type'],
  ['oven', 'hot', 'rest_invalid_type'],
  ['steps', [{ minutes: 'soon' }], 'rest_invalid_type'],
]

let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ profile: kitchen })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const storage = () => site.api['~parts'].storage
const metaOf = async (kind: 'post' | 'term' | 'user', id: number) =>
  Object.fromEntries((await storage().meta.read(kind, [id])).map(({ key, value }) => [key, value]))

const edith = () => site.as('edith')
const shown = async (id: number) => (await site.visitor('GET', `/cms/v2/dishes/${id}`)).body.meta
const created = async (meta: object) => {
  const { status, body } = await edith()('POST', '/cms/v2/dishes', { body: { title: 'Soup', status: 'publish', meta } })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

async function expectStored(id: number, table: readonly (readonly [Field, Json, Json])[], at: number) {
  const [field, , meant] = table[at] as (typeof table)[number]
  expect([field, (await metaOf('post', id))[field]]).toEqual([field, meant])
  expect([field, (await shown(id))[field]]).toEqual([field, meant])
}

describe('a value is stored and answered in its declared type', () => {
  test('sent as JSON, when the record is created, changed, and in a list', async () => {
    const { id: changed } = await created({})
    for (const [at, [field, sent, meant]] of values.entries()) {
      const { id, meta } = await created({ [field]: sent })
      expect([field, sent, meta[field]]).toEqual([field, sent, meant])
      await expectStored(id, values, at)
      const { body } = await edith()('PATCH', `/cms/v2/dishes/${changed}`, { body: { meta: { [field]: sent } } })
      expect([field, sent, body.meta[field]]).toEqual([field, sent, meant])
      await expectStored(changed, values, at)
    }
    const { body: listed } = await site.visitor('GET', '/cms/v2/dishes', { query: 'per_page=100&order=asc&orderby=id' })
    expect(listed.slice(1).map(({ meta }: { meta: object }, at: number) => meta[values[at]?.[0] as never])).toEqual(
      values.map(([, , meant]) => meant),
    )
  })

  test('sent as an encoded form and as a form in parts', async () => {
    const { id } = await created({})
    const { id: other } = await created({})
    for (const [at, [field, sent]] of texts.entries()) {
      const form = new FormData()
      form.set(`meta[${field}]`, sent)
      form.set('unused', new File(['x'], 'x.txt'))
      for (const [record, body] of [
        [id, new URLSearchParams([[`meta[${field}]`, sent]])],
        [other, form],
      ] as const) {
        const status = await sendForm(`/cms/v2/dishes/${record}`, body)
        expect([field, sent, status]).toEqual([field, sent, 200])
        await expectStored(record, texts, at)
      }
    }
  })

  test('with names in brackets for lists, objects and lists of objects', async () => {
    const pairs = [
      ['title', 'Stew'],
      ['status', 'publish'],
      ['meta[words][]', 'a b'],
      ['meta[words][]', 'c'],
      ['meta[scores][0]', '3'],
      ['meta[scores][1]', '5'],
      ['meta[oven][degrees]', '180'],
      ['meta[oven][fan]', 'false'],
      ['meta[steps][0][minutes]', '2.5'],
      ['meta[steps][1][isDone]', 'true'],
      ['meta[calories]', ''],
    ] as const
    const meant = {
      ...{ words: ['a b', 'c'], scores: [3, 5], oven: { degrees: 180, fan: false }, calories: null },
      ...{ steps: [{ minutes: 2.5 }, { isDone: true }] },
    }
    const form = new FormData()
    for (const [name, value] of pairs) form.append(name, value)
    for (const body of [new URLSearchParams(pairs.map((pair) => [...pair])), form])
      expect(await sendForm('/cms/v2/dishes', body)).toBe(201)
    const { body: listed } = await site.visitor('GET', '/cms/v2/dishes')
    expect(listed).toHaveLength(2)
    for (const { meta } of listed) expect(meta).toMatchObject(meant)
  })

  test('in a batch, in a call of the host, and when a request is sent again with its key', async () => {
    const body = { title: 'Soup', status: 'publish', meta: { servings: '7', flag: 'false' } }
    const batch = await edith()('POST', '/batch/v1', { body: { requests: [{ path: '/cms/v2/dishes', body }] } })
    const headers = { 'idempotency-key': 'soup' }
    const sent = await edith()('POST', '/cms/v2/dishes', { body, headers })
    const again = await edith()('POST', '/cms/v2/dishes', { body, headers })
    const called = await site.api.call<{ id: number; meta: object }>('POST', '/cms/v2/dishes', body, { as: 'system' })
    expect(again.body.id).toBe(sent.body.id)
    for (const { id, meta } of [batch.body.responses[0].body, sent.body, again.body, called.data]) {
      expect(meta).toMatchObject({ servings: 7, flag: false })
      expect(await metaOf('post', id)).toMatchObject({ servings: 7, flag: false })
    }
  })

  test('sent for a term, by the route and by api.site.terms', async () => {
    const terms = (site.api.site as unknown as { terms: { create(values: object): Promise<{ id: number }> } }).terms
    for (const [field, sent, meant] of values) {
      const body = { name: `By route ${JSON.stringify([field, sent])}`, meta: { [field]: sent } }
      const { body: term } = await edith()('POST', '/cms/v2/cuisines', { body })
      expect([field, sent, term.meta?.[field]]).toEqual([field, sent, meant])
      expect((await metaOf('term', term.id))[field]).toEqual(meant)
      const name = `By the host ${JSON.stringify([field, sent])}`
      const { id } = await terms.create({ taxonomy: 'cuisine', name, meta: { [field]: sent, of_no_field: '7' } })
      expect(await metaOf('term', id)).toEqual({ [field]: meant, of_no_field: '7' })
    }
  })

  test('in a site document, for posts and terms, and in the export of the site', async () => {
    await site.dispose()
    const entries = values.map(([field, sent], at) => ({
      ...{ key: `d${at}`, type: 'dish', title: 'Soup', meta: { [field]: sent, of_no_field: '7' } },
    }))
    const terms = values.map(([field, sent], at) => ({
      ...{ key: `t${at}`, taxonomy: 'cuisine', slug: `t${at}`, name: `T ${at}`, meta: { [field]: sent } },
    }))
    site = await createTestSite({ profile: kitchen, seed: { ...smallSite, documents: entries, terms } })
    for (const [at, [field, , meant]] of values.entries()) {
      await expectStored(site.ids[`document.d${at}`] as number, values, at)
      expect((await metaOf('term', site.ids[`term.cuisine.t${at}`] as number))[field]).toEqual(meant)
    }
    const { documents = [] } = await site.api.site.export()
    expect(documents.map(({ meta }) => meta)).toEqual(
      values.map(([field, , meant]) => ({ [field]: meant, of_no_field: '7' })),
    )
  })

  test('in an export file of another system, which has texts and a value for each item of a list', async () => {
    const { problems } = await site.api.site.import(
      inPieces(
        exportFile(
          ...texts.map(([field, sent], at) =>
            item({
              id: at + 1,
              type: 'dish',
              meta: [
                [field, sent],
                ['of_no_field', '7'],
              ] as [string, string][],
            }),
          ),
          item({
            id: 90,
            type: 'dish',
            meta: [
              ['scores', '3'],
              ['scores', '1'],
              ['words', 'a b'],
              ['words', 'c'],
            ],
          }),
          item({
            id: 91,
            type: 'dish',
            meta: [
              ['servings', 'many'],
              ['price', '2.5'],
            ],
          }),
        ),
        500,
      ),
    )
    const stored = async (slug: string) => {
      const [row] = (await site.visitor('GET', '/cms/v2/dishes', { query: { slug } })).body
      return { shown: row.meta, meta: await metaOf('post', row.id) }
    }
    for (const [at, [field, , meant]] of texts.entries()) {
      const { meta, shown } = await stored(`item-${at + 1}`)
      expect([field, meta[field], meta['of_no_field'], shown[field]]).toEqual([field, meant, '7', meant])
    }
    expect((await stored('item-90')).meta).toMatchObject({ scores: [3, 1], words: ['a b', 'c'] })
    const unreadable = await stored('item-91')
    expect(unreadable.meta).not.toHaveProperty('servings')
    expect(unreadable.shown).toMatchObject({ servings: 4, price: 2.5 })
    expect(problems.map(({ kind, what }) => [kind, what])).toContainEqual(['meta-unreadable', 'servings'])
  })
})

async function sendForm(path: string, body: FormData | URLSearchParams, login = 'edith'): Promise<number> {
  const headers = { authorization: basic(login) }
  const response = await site.api.fetch(
    new Request(`https://quay.example/api${path}`, { method: 'POST', body, headers }),
  )
  await response.arrayBuffer()
  return response.status
}

describe('a value that can not be what is declared is refused, and nothing is written', () => {
  test('by the routes of posts and terms, and by api.site.terms', async () => {
    const { id } = await created({ servings: 7 })
    const terms = (site.api.site as unknown as { terms: { create(values: object): Promise<{ id: number }> } }).terms
    for (const [field, sent, code] of refused) {
      const meta = { servings: 9, [field]: sent }
      const changed = await edith()('PATCH', `/cms/v2/dishes/${id}`, { body: { title: 'Changed', meta } })
      expect([field, sent, changed.status, changed.body.code]).toEqual([field, sent, 400, code])
      const term = await edith()('POST', '/cms/v2/cuisines', { body: { name: 'Never', meta } })
      expect([field, sent, term.status, term.body.code]).toEqual([field, sent, 400, code])
      await expect(terms.create({ taxonomy: 'cuisine', name: 'Never', meta })).rejects.toMatchObject({ code })
    }
    expect(await metaOf('post', id)).toEqual({ servings: 7 })
    expect((await site.visitor('GET', `/cms/v2/dishes/${id}`)).body.title.rendered).toBe('Soup')
    expect((await site.visitor('GET', '/cms/v2/cuisines')).body).toEqual([])
  })

  test('by a seed, which names the place in the document', async () => {
    const empty = await createTestSite({ profile: kitchen, seed: false })
    for (const [field, sent] of refused) {
      const documents = [{ key: 'd', type: 'dish', meta: { [field]: sent } }]
      await expect(empty.api.site.seed({ documents })).rejects.toThrow(`documents[0].meta.${field}`)
    }
    expect(await empty.api.site.isEmpty()).toBe(true)
    await empty.dispose()
  })
})

test('null and an empty text where null is allowed remove a value', async () => {
  const { id } = await created({ calories: 250, servings: 7 })
  await edith()('PATCH', `/cms/v2/dishes/${id}`, { body: { meta: { calories: '', servings: null } } })
  expect(await metaOf('post', id)).toEqual({})
  expect(await shown(id)).toMatchObject({ calories: null, servings: 4 })
})

test('a stored row of another type is read in the declared one, and as missing where it can not be', async () => {
  const { id } = await created({})
  const { body: term } = await edith()('POST', '/cms/v2/cuisines', { body: { name: 'Old' } })
  const read = async () => [
    await shown(id),
    (await site.visitor('GET', '/cms/v2/dishes', { query: 'search=Soup' })).body[0].meta,
    (await edith()('GET', `/cms/v2/dishes/${id}`, { query: 'context=edit' })).body.meta,
    (await site.visitor('GET', `/cms/v2/cuisines/${term.id}`)).body.meta,
  ]
  const write = async (field: Field, value: Json) => {
    await storage().meta.write('post', [{ id, key: field, value }])
    await storage().meta.write('term', [{ id: term.id, key: field, value }])
    // As any writer of rows does: the version of a post is that of what belongs to it.
    await storage().posts.update([{ id, changes: {} }])
  }
  for (const [field, stored, meant] of values) {
    await write(field, stored)
    for (const meta of await read()) expect([field, stored, meta[field]]).toEqual([field, stored, meant])
  }
  for (const [field, stored, meant] of [
    ['servings', 'many', 4],
    ['flag', 'perhaps', true],
    ['price', [], 0],
    ['note', 7, ''],
    ['words', { a: 1 }, []],
    ['oven', 'hot', {}],
    ['calories', 'none', null],
  ] as const) {
    await write(field, stored as Json)
    for (const meta of await read()) expect([field, stored, meta[field]]).toEqual([field, stored, meant])
  }
})

test('the meta of users is typed by the route, by api.site.users and in site documents', async () => {
  const ada = site.as('ada')
  const preferences = { _modified: '2024-06-15T12:00:00', theme: { dark: 'true' } }
  const body = { username: 'rose', email: 'rose@example.test', password: 'Correct horse 1' }
  const meta = { persisted_preferences: preferences }
  const made = await ada('POST', '/cms/v2/users', { body: { ...body, meta } })
  expect(made.body.meta).toEqual(meta)
  const { id } = await site.api.site.users.create({ login: 'hugo', meta: { ...meta, of_no_field: '7' } })
  expect(await metaOf('user', id)).toMatchObject({ ...meta, of_no_field: '7' })
  for (const sent of ['', []]) {
    await ada('PATCH', `/cms/v2/users/${made.body.id}`, { body: { meta: { persisted_preferences: sent } } })
    await site.api.site.users.update(id, { meta: { persisted_preferences: sent } })
    for (const user of [made.body.id, id]) expect((await metaOf('user', user))['persisted_preferences']).toEqual({})
  }
  const wrong = { persisted_preferences: 'dark' }
  const refusal = await ada('PATCH', `/cms/v2/users/${id}`, { body: { meta: wrong } })
  expect([refusal.status, refusal.body.code]).toEqual([400, 'rest_invalid_type'])
  await expect(site.api.site.users.update(id, { meta: wrong })).rejects.toMatchObject({ code: 'rest_invalid_type' })
  const users = [{ key: 'ivo', login: 'ivo', meta: wrong }]
  const empty = await createTestSite({ profile: kitchen, seed: false })
  await expect(empty.api.site.seed({ users })).rejects.toThrow('users[0].meta.persisted_preferences')
  await empty.dispose()
})

/** Each row has an option, the name of its setting, a text, and the meaning of the text. */
const settings: readonly (readonly [option: string, setting: string, text: string, meant: Json])[] = [
  ['posts_per_page', 'posts_per_page', '7', 7],
  ['start_of_week', 'start_of_week', '0', 0],
  ['use_smilies', 'use_smilies', 'false', false],
  ['use_smilies', 'use_smilies', '1', true],
  ['site_icon', 'site_icon', '0', 0],
  ['name', 'title', '7', '7'],
]

describe('settings are stored in their type', () => {
  test('by the route, by api.site.options and in site documents', async () => {
    for (const [option, setting, text, meant] of settings) {
      const read = async () => (await storage().options.read([option]))[option]
      const body = { [setting]: text }
      expect(await sendForm('/cms/v2/settings', new URLSearchParams(body), 'ada')).toBe(200)
      expect([option, await read()]).toEqual([option, meant])
      await storage().options.write({ [option]: null })
      expect((await site.as('ada')('POST', '/cms/v2/settings', { body })).status).toBe(200)
      expect([option, await read()]).toEqual([option, meant])
      await storage().options.write({ [option]: null })
      await site.api.site.options.write({ [option]: text })
      expect([option, await read()]).toEqual([option, meant])
      const empty = await createTestSite({ profile: kitchen, seed: { options: { [option]: text } } })
      expect((await empty.api['~parts'].storage.options.read([option]))[option]).toEqual(meant)
      await empty.dispose()
    }
    await site.api.site.options.write({ anonymous_comments: 'true', templates: 'wide,narrow' })
    expect(await storage().options.read(['anonymous_comments', 'templates'])).toEqual({
      ...{ anonymous_comments: true, templates: ['wide', 'narrow'] },
    })
  })

  test('and a value that can not be of the type is refused by each', async () => {
    for (const [option, value] of [
      ['posts_per_page', 'many'],
      ['posts_per_page', '0'],
      ['posts_per_page', -1],
      ['use_smilies', 'perhaps'],
      ['site_icon', 'icon'],
      ['name', 7],
      ['templates', { a: 1 }],
    ] as const) {
      await expect(site.api.site.options.write({ [option]: value })).rejects.toThrow(option)
      const empty = await createTestSite({ profile: kitchen, seed: false })
      await expect(empty.api.site.seed({ options: { [option]: value } })).rejects.toThrow(`options.${option}`)
      await empty.dispose()
    }
    const { status } = await site.as('ada')('POST', '/cms/v2/settings', { body: { posts_per_page: '0' } })
    expect(status).toBe(400)
  })

  test('and a stored row of another type is read in it', async () => {
    const front = site.ids['page.front'] as number
    const rows = { posts_per_page: '7', use_smilies: 'false', page_on_front: String(front), start_of_week: 'monday' }
    await storage().options.write(rows)
    const { body } = await site.as('ada')('GET', '/cms/v2/settings')
    expect(body).toMatchObject({ posts_per_page: 7, use_smilies: false, page_on_front: front, start_of_week: 1 })
    expect((await site.visitor('GET', '/')).body.page_on_front).toBe(front)
    expect(await site.api.site.options.read(['posts_per_page'])).toEqual({ posts_per_page: 7 })
    const { body: post } = await edith()('POST', '/cms/v2/posts', { body: { content: ':-)', status: 'publish' } })
    expect(post.content.rendered).toContain(':-)')
  })
})
