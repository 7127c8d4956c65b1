/** Exports a site as a document in the portable format; seeding it gives an equal site. */

import { applicationPasswords } from '../../core/pipeline/authentication.ts'
import { categories, tags } from '../../site/post-keys.ts'
import { defaultRoles } from '../../site/roles.ts'
import type { Json, Storage, StoredRecord, Term, User } from '../../storage/contract.ts'
import {
  collectionsOf,
  inOneTransaction,
  type ManagementContext,
  metaReferencesOf,
  postTypesOf,
  readAll,
  siteOptions,
} from '../context.ts'
import type { SiteDocument, SiteTerm, SiteUser } from './document.ts'
import { metaOf, withoutEmpty } from './entries.ts'
import { exportPosts } from './export-posts.ts'
import { createKeys, type Keys } from './keys.ts'
import { termKind } from './references.ts'

/** Secrets are exported as digests. */
export async function exportSite(context: ManagementContext): Promise<SiteDocument> {
  await context.ready()
  return inOneTransaction(context.storage, async (transaction) => {
    const keys = createKeys()
    const users = await exportUsers(transaction, keys)
    const terms = await exportTerms(transaction, keys)
    const posts = await exportPosts(transaction, keys, postTypesOf(context), metaReferencesOf(context))
    const records = await exportRecords(transaction, keys, context)
    const options = exportOptions(await siteOptions(transaction, context), keys)
    return { options, users, ...terms, ...posts, ...withoutEmpty({ records }) }
  })
}

async function exportUsers(storage: Storage, keys: Keys): Promise<SiteUser[]> {
  const users = await readAll<User>(
    async (offset, limit) =>
      (await storage.users.query({ order: { by: 'id', descending: false }, offset, limit })).rows,
  )
  const passwords = await readAll<StoredRecord>(
    async (offset, limit) => (await storage.records.query(applicationPasswords, { offset, limit })).rows,
  )
  const meta = await metaOf(storage, 'user', users)
  const byUser = Map.groupBy(passwords, ({ user }) => user)
  return users.map((user) => ({
    key: keys.assign('user', 'user', user.id, user.login),
    login: user.login,
    display_name: user.displayName,
    nicename: user.slug,
    email: user.email,
    ...withoutEmpty({ url: user.url }),
    ...(user.roles.length === 1 ? { role: user.roles[0] } : { roles: user.roles }),
    ...withoutEmpty({ capabilities: user.capabilities, password_digest: user.password }),
    application_passwords: (byUser.get(user.id) ?? []).map(passwordEntry),
    ...(user.blocked ? { blocked: true } : {}),
    registered: user.registered,
    ...withoutEmpty({ meta: meta.get(user.id) ?? {} }),
  }))
}

const passwordEntry = ({ name, app_id, digest, created, last_used, last_ip }: StoredRecord) => ({
  name: String(name),
  ...(app_id ? { app_id: String(app_id) } : {}),
  digest: String(digest),
  created: String(created),
  ...(typeof last_used === 'string' ? { last_used } : {}),
  ...(typeof last_ip === 'string' ? { last_ip } : {}),
})

async function exportTerms(storage: Storage, keys: Keys): Promise<Pick<SiteDocument, 'categories' | 'tags' | 'terms'>> {
  const terms = await readAll<Term>(
    async (offset, limit) =>
      (await storage.terms.query({ order: { by: 'id', descending: false }, offset, limit })).rows,
  )
  const meta = await metaOf(storage, 'term', terms)
  for (const { id, taxonomy, slug } of terms) keys.assign('term', termKind(taxonomy), id, slug)
  const entry = (term: Term): SiteTerm => ({
    key: keys.key('term', term.id) ?? '',
    slug: term.slug,
    name: term.name,
    parent: keys.key('term', term.parent) ?? null,
    description: term.description,
    ...withoutEmpty({ meta: meta.get(term.id) ?? {} }),
  })
  const isOther = ({ taxonomy }: Term) => taxonomy !== categories && taxonomy !== tags
  return {
    categories: terms.filter(({ taxonomy }) => taxonomy === categories).map(entry),
    tags: terms.filter(({ taxonomy }) => taxonomy === tags).map(entry),
    ...withoutEmpty({ terms: terms.filter(isOther).map((term) => ({ ...entry(term), taxonomy: term.taxonomy })) }),
  }
}

function exportOptions(options: { readonly [name: string]: Json }, keys: Keys): { [name: string]: Json } {
  const url = typeof options.url === 'string' ? options.url : ''
  const entries = Object.entries(options).map(([name, value]): [string, Json | undefined] => {
    if (name === 'page_on_front' || name === 'page_for_posts') return [name, keys.key('post', Number(value))]
    if (name === 'default_category') return [name, keys.key('term', Number(value))]
    if (name === 'roles' && JSON.stringify(value) === JSON.stringify(defaultRoles)) return [name, undefined]
    if (name === 'url') return [name, '{base_url}']
    const isBelowUrl = name === 'home' && typeof value === 'string' && url !== '' && value.startsWith(url)
    return [name, isBelowUrl ? `{base_url}${value.slice(url.length)}` : value]
  })
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

async function exportRecords(storage: Storage, keys: Keys, context: ManagementContext) {
  const tables = []
  for (const { collection, references = {}, derived = [] } of collectionsOf(context)) {
    const rows = await readAll<StoredRecord>(
      async (offset, limit) => (await storage.records.query(collection, { offset, limit })).rows,
    )
    rows.forEach(({ id }, index) => void keys.assign(collection.name, collection.name, id, String(index + 1)))
    tables.push({ name: collection.name, references, rows: rows.map((row) => without(row, derived)) })
  }
  return Object.fromEntries(
    tables
      .filter(({ rows }) => rows.length > 0)
      .map(({ name, references, rows }) => [name, rows.map((row) => recordEntry(row, references, keys))]),
  )
}

const without = (row: StoredRecord, fields: readonly string[]): StoredRecord =>
  fields.length === 0 ? row : { ...row, ...Object.fromEntries(fields.map((field) => [field, null])) }

/** Leaves out null fields and references to rows that no longer exist. */
function recordEntry({ id: _, ...row }: StoredRecord, references: { readonly [field: string]: string }, keys: Keys) {
  const fields = Object.entries(row as { [field: string]: Json }).map(([field, value]): [string, Json] => {
    const space = Object.hasOwn(references, field) ? references[field] : undefined
    if (space === undefined || typeof value !== 'number' || value === 0) return [field, value]
    return [field, keys.reference(space, value) ?? null]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== null))
}
