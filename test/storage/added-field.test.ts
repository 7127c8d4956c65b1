/**
 * A field is declared in one line: here, a line is added to each table before the other modules are loaded, as if it stood
 * in the source. Everything that holds rows then holds the field.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Storage } from '../../src/contract/storage.ts'
import type { TestSiteOptions } from '../support/site.ts'

const text = { kind: 'text', default: '', inDocuments: true, since: 4 } as const
const subtitle = { ...text, column: 'subtitle', isFolded: true, isRevisioned: true } as const
const editions = { kind: 'integer', column: 'editions', default: 1, inDocuments: true, since: 5 } as const
const color = { ...text, column: 'color' } as const
const pronouns = { kind: 'texts', column: 'pronouns', default: ['they'], inDocuments: true, since: 4 } as const

/** Loads the modules anew, with these lines in the tables or without them. */
async function packageWith({ isAdded }: { readonly isAdded: boolean }) {
  vi.resetModules()
  const { postFields } = await import('../../src/contract/fields/posts.ts')
  const { termFields } = await import('../../src/contract/fields/terms.ts')
  const { userFields } = await import('../../src/contract/fields/users.ts')
  if (isAdded) {
    Object.assign(postFields, { subtitle, editions })
    Object.assign(termFields, { color })
    Object.assign(userFields, { pronouns })
    const { plainFields } = await import('../../src/features/content/posts/plain-fields.ts')
    const { str } = await import('../../src/core/declare/args.ts')
    const arg = str({ description: 'The line below the title.' })
    Object.assign(plainFields, { subtitle: { support: 'title', arg, isAutosaved: true } })
  }
  return {
    ...(await import('../support/site.ts')),
    ...(await import('../support/storage.ts')),
    ...(await import('../support/postgres.ts')),
    ...(await import('../../src/storage/sqlite.ts')),
    ...(await import('../../src/storage/postgres.ts')),
    ...(await import('../../src/testing/content.ts')),
    ...(await import('../../src/testing/index.ts')),
  }
}

type Package = Awaited<ReturnType<typeof packageWith>>
let plain: Package
let added: Package
beforeAll(async () => {
  plain = await packageWith({ isAdded: false })
  added = await packageWith({ isAdded: true })
})
// Other files of this process load the modules as they are.
afterAll(() => vi.resetModules())

/** The rows of a post as they are stored. */
let stored: Storage
const siteOf = (options: TestSiteOptions = {}) =>
  added.createTestSite({
    ...options,
    storage: (storage) => {
      stored = storage
      return storage
    },
  })

test('a post is created, listed, changed and kept in revisions with the field', async () => {
  const site = await siteOf()
  const editor = site.as('edith')
  const { status, body } = await editor('POST', '/cms/v2/posts', { body: { title: 'Tide', subtitle: 'At six' } })
  expect([status, body.subtitle]).toEqual([201, 'At six'])
  await editor('PUT', `/cms/v2/posts/${body.id}`, { body: { subtitle: 'At seven' } })
  await editor('PUT', `/cms/v2/posts/${body.id}`, { body: { content: 'Low.', status: 'publish' } })
  const listed = await site.visitor('GET', '/cms/v2/posts', { query: { include: body.id } })
  expect(listed.body).toMatchObject([{ id: body.id, subtitle: 'At seven' }])
  const revisions = await editor('GET', `/cms/v2/posts/${body.id}/revisions`)
  const rows = await stored.posts.read(revisions.body.map(({ id }: { id: number }) => id))
  expect(rows.map((row) => row['subtitle' as never])).toEqual(['At seven', 'At seven'])
  expect((await editor('PUT', `/cms/v2/posts/${body.id}`, { body: { subtitle: 5 } })).status).toBe(400)
  await site.dispose()
})

test('an autosave holds the field of a post that is published', async () => {
  const site = await siteOf()
  const editor = site.as('edith')
  const body = { title: 'Tide', subtitle: 'At six', status: 'publish' }
  const { id } = (await editor('POST', '/cms/v2/posts', { body })).body
  const autosave = await editor('POST', `/cms/v2/posts/${id}/autosaves`, { body: { subtitle: 'At nine' } })
  const [row, post] = await stored.posts.read([autosave.body.id, id])
  expect(row).toMatchObject({ title: '', subtitle: 'At nine' })
  expect(post).toMatchObject({ title: 'Tide', subtitle: 'At six' })
  await site.dispose()
})

test('an export has the fields, and a seed of it gives an equal site', async () => {
  const site = await siteOf({ seed: document })
  const exported = await site.api.site.export()
  expect(exported).toMatchObject(document)
  const copy = await siteOf({ seed: exported })
  expect(await copy.api.site.export()).toEqual(exported)
  await copy.dispose()
  await site.dispose()
})

test('a document with a wrong value of the field is refused', async () => {
  const [post] = document.posts
  const wrong = { ...document, posts: [{ ...post, subtitle: 5 }] }
  await expect(siteOf({ seed: wrong })).rejects.toThrow('posts[0].subtitle')
})

test('a storage holds and checks the fields as its other ones', async () => {
  for (const { name, run } of added.conformanceCases.filter(({ name }) =>
    /NUL|unknown field|as (?:it|they) w/.test(name),
  )) {
    const { storage, dispose } = await added.openStorage()
    await expect(Promise.resolve(run(storage)), name).resolves.toBeUndefined()
    await dispose()
  }
})

test.runIf(['sqlite', 'postgres'].includes(process.env.TEST_STORAGE ?? ''))(
  'rows of a database from before the fields have their defaults',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'site-api-'))
    const schema = plain.newSchema()
    const open = async (from: Package) => {
      const storage =
        process.env.TEST_STORAGE === 'postgres'
          ? from.postgresStorage(from.postgresPool(), { schema })
          : from.sqliteStorage(join(folder, 'site.db'))
      await storage.open?.()
      return storage
    }
    const before = await open(plain)
    const post = await plain.addPost(before, { title: 'Tide' })
    await plain.addTerm(before, 'tides')
    await plain.addUser(before, 'ada')
    await before.close?.()
    const after = await open(added)
    const first = { order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const
    expect(await after.posts.read([post])).toMatchObject([{ title: 'Tide', subtitle: '', editions: 1 }])
    expect((await after.terms.query(first)).rows).toMatchObject([{ slug: 'tides', color: '' }])
    expect((await after.users.query(first)).rows).toMatchObject([{ login: 'ada', pronouns: ['they'] }])
    await after.close?.()
    rmSync(folder, { recursive: true, force: true })
  },
)

const document = {
  options: { name: 'Quay' },
  users: [{ key: 'ada', login: 'ada', pronouns: ['she', 'they'] }],
  categories: [{ key: 'tides', slug: 'tides', name: 'Tides', color: 'teal' }],
  posts: [
    {
      key: 'tide',
      title: 'Tide',
      subtitle: 'At six',
      editions: 3,
      author: 'ada',
      date: '2024-05-06T07:08:09',
      revisions: [{ date: '2024-05-06T07:08:09', title: 'Tide', subtitle: 'At five' }],
    },
  ],
}
