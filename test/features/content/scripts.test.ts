/** Words of many scripts come back as they were sent: as title, term, name of a user, file, menu, label of a form, search and slug. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../src/client/index.ts'
import { full } from '../../../src/profiles/full.ts'
import { createMedia } from '../../../src/services/media.ts'
import { memoryMedia } from '../../../src/services/media-driver.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'
import { bytesOf, picture, uploadForm } from './media/pictures.ts'

const scripts = {
  Latin: 'Élan brûlé',
  Greek: 'Ελλάδα',
  Cyrillic: 'Йод ёлка',
  Armenian: 'Հայաստան',
  Georgian: 'ქართული',
  Hebrew: 'שָׁלוֹם',
  Arabic: 'مُحَمَّد',
  Syriac: 'ܣܘܪܝܝܐ',
  Devanagari: 'हिन्दी',
  Bengali: 'বাংলা',
  Gurmukhi: 'ਪੰਜਾਬੀ',
  Gujarati: 'ગુજરાતી',
  Tamil: 'தமிழ்',
  Telugu: 'తెలుగు',
  Kannada: 'ಕನ್ನಡ',
  Malayalam: 'മലയാളം',
  Sinhala: 'සිංහල',
  Thai: 'ภาษาน้ำ',
  Lao: 'ລາວ',
  Khmer: 'ភាសាខ្មែរ',
  Myanmar: 'မြန်မာ',
  Ethiopic: 'አማርኛ',
  Kana: 'ガレージ',
  Han: '東京',
  Hangul: '한국어',
  emoji: 'Boat 🚢⚓',
} as const
type Script = keyof typeof scripts
const names = Object.keys(scripts) as Script[]

const services = () => ({ media: createMedia({ driver: memoryMedia() }) })

let site: TestSite
let png: Uint8Array
const made = new Map<
  Script,
  {
    readonly post: number
    readonly tag: number
    readonly user: number
    readonly menu: number
    readonly medium: number
    readonly slug: string
  }
>()

const formOf = (label: string) =>
  JSON.stringify([
    {
      ...{ id: '476d0ce', elType: 'widget', widgetType: 'form', elements: [] },
      settings: {
        form_name: label,
        form_fields: [{ _id: 'a', custom_id: 'a', field_type: 'text', field_label: label }],
      },
    },
  ])

async function create(path: string, body: object) {
  const { status, body: record } = await site.as('ada')('POST', path, { body })
  expect([path, status], JSON.stringify(record)).toEqual([path, 201])
  return record
}

async function fill(script: Script, at: number) {
  const word = scripts[script]
  const tag = await create('/cms/v2/tags', { name: word })
  const post = await create('/cms/v2/posts', {
    ...{ title: word, content: `<p>${word}</p>`, status: 'publish', tags: [tag.id] },
    meta: { _builder_edit_mode: '', _builder_data: formOf(word) },
  })
  const user = await create('/cms/v2/users', {
    username: `user${at}`,
    email: `u${at}@quay.example`,
    password: 'a long password',
    name: word,
  })
  const menu = await create('/cms/v2/menus', { name: word })
  const form = new FormData()
  form.set('file', new File([png as Uint8Array<ArrayBuffer>], `${word}.png`, { type: 'image/png' }))
  const medium = (await uploadForm(site, form, 'ada')).body
  made.set(script, { post: post.id, tag: tag.id, user: user.id, menu: menu.id, medium: medium.id, slug: post.slug })
}

beforeAll(async () => {
  site = await createTestSite({ profile: full, services: services() })
  png = await bytesOf(picture(2, 2), 'png')
  for (const [at, script] of names.entries()) await fill(script, at)
}, 60_000)
afterAll(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const read = async (path: string, query: object = {}) =>
  (await site.as('ada')('GET', path, { query: { context: 'edit', ...query } })).body

test.each(names)('%s over REST', async (script) => {
  const word = scripts[script]
  const { post, tag, user, menu, medium } = made.get(script) as NonNullable<ReturnType<typeof made.get>>
  const stored = await read(`/cms/v2/posts/${post}`)
  expect([stored.title.raw, stored.content.raw]).toEqual([word, `<p>${word}</p>`])
  expect(JSON.parse(stored.meta._builder_data)[0].settings.form_fields[0].field_label).toBe(word)
  const named = await Promise.all([
    read(`/cms/v2/tags/${tag}`),
    read(`/cms/v2/users/${user}`),
    read(`/cms/v2/menus/${menu}`),
  ])
  expect(named.map(({ name }) => name)).toEqual([word, word, word])
  const file = await read(`/cms/v2/media/${medium}`)
  expect(file.title.raw).toBe(word)
  expect(file.source_url).toMatch(/^https:\/\/quay\.example\/uploads\/[!-~]+\.png$/)
  expect((await site.visitor('GET', '/cms/v2/posts', { query: { slug: stored.slug } })).body).toHaveLength(1)
})

test.each(names)('%s is found by its word alone, and a double names the tag', async (script) => {
  const word = scripts[script]
  const { post, tag, medium } = made.get(script) as NonNullable<ReturnType<typeof made.get>>
  const found = async (path: string, search: string) =>
    (await read(path, { search })).map(({ id }: { id: number }) => id)
  expect(await found('/cms/v2/posts', word)).toEqual([post])
  expect(await found('/cms/v2/tags', word)).toEqual([tag])
  expect(await found('/cms/v2/media', word)).toEqual([medium])
  for (const name of [word, word.normalize('NFD'), word.toUpperCase().toLowerCase()]) {
    const { status, body } = await site.as('ada')('POST', '/cms/v2/tags', { body: { name } })
    expect([name, status, body.code, body.data?.term_id]).toEqual([name, 400, 'term_exists', tag])
  }
})

test('names of files and slugs stay apart, and none is empty', async () => {
  const files = new Set<string>()
  for (const script of names) {
    const { medium } = made.get(script) as NonNullable<ReturnType<typeof made.get>>
    const file = decodeURIComponent((await read(`/cms/v2/media/${medium}`)).source_url.split('/').at(-1))
    expect(file).not.toMatch(/^(?:file)?[-\d]*\.png$/)
    files.add(file)
  }
  expect(files.size).toBe(names.length)
  const slugs = [...made.values()].map(({ slug }) => slug)
  expect(new Set(slugs).size).toBe(names.length)
  for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9%_-]+$/)
})

test('the client sends and reads them', async () => {
  const client = createClient<typeof full>({ api: site.api, as: 'system' })
  for (const script of names) {
    const { post: id } = made.get(script) as NonNullable<ReturnType<typeof made.get>>
    const { data } = await client.post('/cms/v2/posts/{id}', { id, title: `${scripts[script]} 2` })
    expect(data?.title.raw).toBe(`${scripts[script]} 2`)
    await client.post('/cms/v2/posts/{id}', { id, title: scripts[script] })
  }
})

test('an export is seeded with all of them', async () => {
  const other = await createTestSite({
    profile: full,
    services: services(),
    seed: (await site.api.site.export()) as never,
  })
  try {
    const all = async (path: string) =>
      (await other.as('ada')('GET', path, { query: { context: 'edit', per_page: 100 } })).body as readonly {
        name: string
        title: { raw: string }
        slug: string
      }[]
    const [posts, tags, users, menus, media] = await Promise.all(
      ['posts', 'tags', 'users', 'menus', 'media'].map((name) => all(`/cms/v2/${name}`)),
    )
    const words = Object.values(scripts)
    expect(posts?.map(({ title }) => title.raw)).toEqual(expect.arrayContaining(words))
    expect(media?.map(({ title }) => title.raw)).toEqual(expect.arrayContaining(words))
    for (const list of [tags, users, menus])
      expect(list?.map(({ name }) => name)).toEqual(expect.arrayContaining(words))
    expect(posts?.map(({ slug }) => slug)).toEqual(expect.arrayContaining([...made.values()].map(({ slug }) => slug)))
    expect(other.failures).toEqual([])
  } finally {
    await other.dispose()
  }
})
