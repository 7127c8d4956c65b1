/** Creates a site of profile D2 with builder documents, and users with permission to write notes on them. */
import { expect, onTestFinished } from 'vitest'
import type { RecordStore, Storage } from '../../../../src/contract/storage.ts'
import { capabilities } from '../../../../src/features/builder/notes/model.ts'
import { d2 } from '../../../../src/profiles/d2.ts'
import { createTestSite, type Received, type Requester } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'

export const root = '/builder/v1/notes'
export const basic = [capabilities.create, capabilities.read, capabilities.edit, capabilities.delete]

const document = (key: string, status: string, author: string, meta: object = {}) => ({
  key,
  slug: key,
  title: key,
  status,
  author,
  date: '2024-02-20T09:00:00',
  content: '',
  categories: [],
  meta: {
    _builder_edit_mode: 'builder',
    _builder_template_type: 'wp-post',
    _builder_data: JSON.stringify([{ id: 'c0ntain', elements: [{ id: 'a1b2c3d', elements: [] }] }]),
    ...meta,
  },
})

const seed = {
  ...smallSite,
  posts: [
    ...smallSite.posts,
    document('other', 'publish', 'editor'),
    document('secret', 'private', 'editor'),
    document('sketch', 'draft', 'author'),
    document('classic', 'publish', 'editor', { _builder_edit_mode: '' }),
    document('page-like', 'publish', 'editor', { _builder_template_type: 'wp-page' }),
    document('buttons', 'publish', 'editor', { _builder_template_type: 'floating-buttons' }),
    document('component', 'publish', 'editor', { _builder_template_type: 'builder_component' }),
  ],
}

export const errorOf = ({ status, body }: Received) => [status, body.code]
/** The error lists the problem of each argument. */
export const problemsOf = ({ status, body }: Received) => [status, body.code, body.data?.params]
export const invalidParams = ({ status, body }: Received) => [status, body.code, Object.keys(body.data?.params ?? {})]

/** `records`: of the document that the site is seeded with. */
export async function openSite({ storage = (opened: Storage) => opened, records = {}, services = {} } = {}) {
  const site = await createTestSite({ profile: d2, seed: { ...seed, records }, storage, services })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const { api, ids, as } = site
  const doc = ids['post.built'] as number
  const grant = (user: string, names: readonly string[]) =>
    api.site.users.update(ids[`user.${user}`] as number, {
      capabilities: Object.fromEntries(names.map((name) => [name, true])),
    })
  const values = { post_id: doc, element_id: 'a1b2c3d', content: 'Nice', position: { x: 10, y: 20.5 } }
  const createNote = (send: Requester, more: object = {}) => send('POST', root, { body: { ...values, ...more } })
  const make = async (send: Requester, more: object = {}): Promise<number> => {
    const { status, body } = await createNote(send, more)
    expect(status).toBe(200)
    site.clock.now += 1000
    return body.data.id
  }
  const list = async (send: Requester, query: { [name: string]: string | number | boolean } = {}) => {
    const { status, body } = await send('GET', root, { query })
    expect(status).toBe(200)
    return body.data.map(({ id }: { id: number }) => id) as number[]
  }
  const read = async (send: Requester, id: number) => (await send('GET', `${root}/${id}`)).body.data
  // Only administrators have these capabilities by default.
  await grant('subscriber', basic)
  await grant('contributor', basic)
  return {
    ...site,
    doc,
    grant,
    values,
    createNote,
    make,
    list,
    read,
    ada: as('ada'),
    edith: as('edith'),
    connie: as('connie'),
    sam: as('sam'),
  }
}

/** Wraps the storage with other methods for its records, in transactions too. */
export const withRecords = (storage: Storage, change: (records: RecordStore) => Partial<RecordStore>): Storage => ({
  ...storage,
  records: { ...storage.records, ...change(storage.records) },
  // The cast: all storages of ours have transactions.
  atomic: (work, options) =>
    storage.atomic?.((transaction) => work(withRecords(transaction, change)), options) as never,
})
