/** Exports a site as a document in the portable format; seeding it gives an equal site. */

import { blankUser } from '../../contract/fields/blank.ts'
import { termFields } from '../../contract/fields/terms.ts'
import { userFields } from '../../contract/fields/users.ts'
import { lookupTable } from '../../contract/lookup-table.ts'
import type { Json, Storage, StoredRecord, Term, TermQuery, User } from '../../contract/storage.ts'
import type { PersistedCollection } from '../../core/declare/feature.ts'
import { applicationPasswords } from '../../core/pipeline/authentication.ts'
import { categories, tags } from '../../site/post-keys.ts'
import { defaultRoles } from '../../site/roles.ts'
import { typedSetting } from '../../site/setting-rules.ts'
import {
  collectionsOf,
  embeddedReferencesOf,
  inOneTransaction,
  type ManagementContext,
  metaReferencesOf,
  postTypesOf,
  readKeptTypes,
  readWindows,
  siteOptions,
  withTypes,
} from '../context.ts'
import type { SiteDocument, SiteTerm, SiteUser } from './document.ts'
import { noEmbedded } from './embedded.ts'
import { metaOf, withoutEmpty } from './entries.ts'
import { assignPostKeys, exportPosts } from './export-posts.ts'
import { collectDocument, documentText, type ExportedEntry } from './exported-entries.ts'
import { createKeys, type ExportOptions, type Keys } from './keys.ts'
import { termKind } from './references.ts'
import { membersOf } from './stored-members.ts'

/** Secrets are exported as digests. */
export async function exportSite(context: ManagementContext, options: ExportOptions = {}): Promise<SiteDocument> {
  await context.ready()
  return inOneTransaction(context.storage, (transaction) =>
    collectDocument(exportEntries(transaction, context, options)),
  )
}

/**
 * The text of the document as a stream of UTF-8. The transaction lasts until the stream is read or cancelled, and reads on
 * only as fast as the stream is read.
 */
export function exportStream(
  context: ManagementContext,
  options: ExportOptions = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
  const writer = writable.getWriter()
  const run = async () => {
    await context.ready()
    await inOneTransaction(context.storage, async (transaction) => {
      for await (const piece of piecesOf(documentText(exportEntries(transaction, context, options))))
        await writer.write(piece)
    })
    await writer.close()
  }
  // A reader gets the failure from the stream; one that has cancelled it gets nothing.
  run().catch((error) => writer.abort(error).catch(() => undefined))
  return readable
}

const pieceLength = 65_536

/** Fewer, larger pieces. */
async function* piecesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  let pending = ''
  for await (const text of texts) {
    pending += text
    if (pending.length < pieceLength) continue
    yield encoder.encode(pending)
    pending = ''
  }
  yield encoder.encode(pending)
}

async function* exportEntries(
  storage: Storage,
  context: ManagementContext,
  options: ExportOptions,
): AsyncGenerator<ExportedEntry> {
  const keys = createKeys(options)
  const collections = collectionsOf(context)
  const types = postTypesOf(withTypes(context, await readKeptTypes(storage)))
  await assignKeys(storage, keys, types, collections)
  const entries = entriesOf(storage, context, options, { keys, types, collections })
  yield* countEntries(entries, keys.count(), options.progress)
}

async function* countEntries(
  entries: AsyncIterable<ExportedEntry>,
  total: number,
  progress: ExportOptions['progress'],
): AsyncGenerator<ExportedEntry> {
  let done = 0
  for await (const entry of entries) {
    yield entry
    if (++done % 500 === 0) progress?.(Math.min(done, total), total)
  }
  progress?.(total, total)
}

interface ExportPlan {
  readonly keys: Keys
  readonly types: readonly string[]
  readonly collections: readonly PersistedCollection[]
}

async function* entriesOf(
  storage: Storage,
  context: ManagementContext,
  options: ExportOptions,
  { keys, types, collections }: ExportPlan,
): AsyncGenerator<ExportedEntry> {
  yield { member: 'options', entry: exportOptions(await siteOptions(storage, context), keys) }
  for await (const entry of exportUsers(storage, keys)) yield { member: 'users', entry }
  yield* exportTerms(storage, keys)
  yield* exportPosts(storage, keys, types, {
    references: metaReferencesOf(context),
    // With ids, elements and texts name the same rows as before.
    embedded: options.ids ? noEmbedded : embeddedReferencesOf(context),
  })
  for (const collection of collections) yield* exportRecords(storage, keys, collection)
}

/** All rows get their keys first: an entry may refer to a later one. */
async function assignKeys(
  storage: Storage,
  keys: Keys,
  types: readonly string[],
  collections: readonly PersistedCollection[],
): Promise<void> {
  for await (const { id, login } of usersOf(storage)) keys.assign('user', 'user', id, login)
  for await (const { id, taxonomy, slug } of termsOf(storage)) keys.assign('term', termKind(taxonomy), id, slug)
  await assignPostKeys(storage, keys, types)
  for (const { collection } of collections) {
    let number = 0
    for await (const { id } of recordsOf(storage, collection))
      keys.assign(collection.name, collection.name, id, String(++number))
  }
}

const byId = { order: { by: 'id', descending: false } } as const

async function* usersOf(storage: Storage): AsyncGenerator<User> {
  for await (const window of userWindows(storage)) yield* window
}

const userWindows = (storage: Storage) =>
  readWindows<User>(async (offset, limit) => (await storage.users.query({ ...byId, offset, limit })).rows)

async function* exportUsers(storage: Storage, keys: Keys): AsyncGenerator<SiteUser> {
  for await (const users of userWindows(storage)) {
    const meta = await metaOf(storage, 'user', users)
    const { rows: passwords } = await storage.records.query(applicationPasswords, {
      where: { field: 'user', in: users.map(({ id }) => id) },
    })
    const byUser = Map.groupBy(passwords, ({ user }) => user)
    yield* users.map((user) => ({
      ...keys.entry('user', user.id),
      login: user.login,
      display_name: user.displayName,
      nicename: user.slug,
      email: user.email,
      ...membersOf(userFields, user, blankUser),
      ...(user.roles.length === 1 ? { role: user.roles[0] } : { roles: user.roles }),
      ...withoutEmpty({ password_digest: user.password }),
      application_passwords: (byUser.get(user.id) ?? []).map((password) => passwordEntry(password, keys)),
      registered: user.registered,
      ...withoutEmpty({ meta: meta.get(user.id) ?? {} }),
    }))
  }
}

const passwordEntry = ({ id, name, app_id, digest, created, last_used, last_ip }: StoredRecord, keys: Keys) => ({
  ...keys.id(id),
  name: String(name),
  ...(app_id ? { app_id: String(app_id) } : {}),
  digest: String(digest),
  created: String(created),
  ...(typeof last_used === 'string' ? { last_used } : {}),
  ...(typeof last_ip === 'string' ? { last_ip } : {}),
})

const termWindows = (storage: Storage, query: Partial<TermQuery> = {}) =>
  readWindows<Term>(async (offset, limit) => (await storage.terms.query({ ...byId, ...query, offset, limit })).rows)

async function* termsOf(storage: Storage): AsyncGenerator<Term> {
  for await (const window of termWindows(storage)) yield* window
}

async function* exportTerms(storage: Storage, keys: Keys): AsyncGenerator<ExportedEntry> {
  for await (const entry of termEntries(storage, keys, (taxonomy) => taxonomy === categories))
    yield { member: 'categories', entry }
  for await (const entry of termEntries(storage, keys, (taxonomy) => taxonomy === tags)) yield { member: 'tags', entry }
  const isOther = (taxonomy: string) => taxonomy !== categories && taxonomy !== tags
  for await (const entry of termEntries(storage, keys, isOther)) yield { member: 'terms', entry }
}

/** The entries of terms besides categories and tags name their taxonomy. */
async function* termEntries(
  storage: Storage,
  keys: Keys,
  isWanted: (taxonomy: string) => boolean,
): AsyncGenerator<SiteTerm & { readonly taxonomy?: string }> {
  for await (const window of termWindows(storage)) {
    const terms = window.filter(({ taxonomy }) => isWanted(taxonomy))
    const meta = await metaOf(storage, 'term', terms)
    yield* terms.map((term) => ({
      ...keys.entry('term', term.id),
      slug: term.slug,
      name: term.name,
      parent: keys.key('term', term.parent) ?? null,
      ...membersOf(termFields, term),
      ...withoutEmpty({ meta: meta.get(term.id) ?? {} }),
      ...(term.taxonomy === categories || term.taxonomy === tags ? {} : { taxonomy: term.taxonomy }),
    }))
  }
}

/** Options whose values are ids. The number of a kit without a row only names a class of the pages. */
const idOptions: { readonly [name: string]: (keys: Keys, id: number) => Json | undefined } = lookupTable({
  page_on_front: (keys, id) => keys.key('post', id),
  page_for_posts: (keys, id) => keys.key('post', id),
  default_category: (keys, id) => keys.key('term', id),
  builder_active_kit: (keys, id) => keys.key('post', id) ?? id,
})

function exportOptions(options: { readonly [name: string]: Json }, keys: Keys): { [name: string]: Json } {
  const url = typeof options.url === 'string' ? options.url : ''
  const entries = Object.entries(options).map(([name, value]): [string, Json | undefined] => {
    if (Object.hasOwn(idOptions, name)) return [name, idOptions[name]?.(keys, Number(value))]
    if (name === 'roles' && JSON.stringify(value) === JSON.stringify(defaultRoles)) return [name, undefined]
    if (name === 'url') return [name, '{base_url}']
    const isBelowUrl = name === 'home' && typeof value === 'string' && url !== '' && value.startsWith(url)
    return [name, isBelowUrl ? `{base_url}${value.slice(url.length)}` : typedSetting(name, value)]
  })
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

const recordWindows = (storage: Storage, collection: PersistedCollection['collection']) =>
  readWindows<StoredRecord>(async (offset, limit) => (await storage.records.query(collection, { offset, limit })).rows)

async function* recordsOf(storage: Storage, collection: PersistedCollection['collection']) {
  for await (const window of recordWindows(storage, collection)) yield* window
}

async function* exportRecords(
  storage: Storage,
  keys: Keys,
  { collection, references = {}, derived = [] }: PersistedCollection,
): AsyncGenerator<ExportedEntry> {
  for await (const row of recordsOf(storage, collection)) {
    const entry = recordEntry(without(row, derived), references, keys)
    yield { member: 'records', collection: collection.name, entry }
  }
}

const without = (row: StoredRecord, fields: readonly string[]): StoredRecord =>
  fields.length === 0 ? row : { ...row, ...Object.fromEntries(fields.map((field) => [field, null])) }

/** Leaves out null fields and references to rows that no longer exist. */
function recordEntry({ id, ...row }: StoredRecord, references: { readonly [field: string]: string }, keys: Keys) {
  const fields = Object.entries(row as { [field: string]: Json }).map(([field, value]): [string, Json] => {
    const space = Object.hasOwn(references, field) ? references[field] : undefined
    if (space === undefined || typeof value !== 'number' || value === 0) return [field, value]
    return [field, keys.reference(space, value) ?? null]
  })
  return { ...keys.id(id), ...Object.fromEntries(fields.filter(([, value]) => value !== null)) }
}
