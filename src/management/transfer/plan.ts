/**
 * Converts a document to the rows that a seed writes, with references in path of ids. Reports the mistakes that the schema
 * of the document cannot, before anything is written.
 */

import { blankTerm, blankUser } from '../../contract/fields/blank.ts'
import { termFields } from '../../contract/fields/terms.ts'
import { userFields } from '../../contract/fields/users.ts'
import { lookupTable } from '../../contract/lookup-table.ts'
import type { Json, TermValues, User, UserValues } from '../../contract/storage.ts'
import { identityFold } from '../../contract/text-fold.ts'
import type { Args } from '../../core/declare/args.ts'
import type { PersistedCollection } from '../../core/declare/feature.ts'
import { digestOf, isPasswordDigest } from '../../core/runtime/crypto.ts'
import { categories, tags } from '../../site/post-keys.ts'
import { defaultRoles } from '../../site/roles.ts'
import { settingProblem, typedSetting } from '../../site/setting-rules.ts'
import { storedRoles } from '../../site/settings.ts'
import { toSlug } from '../../site/slug.ts'
import { termDescription, termName } from '../../site/term-name.ts'
import { createSiteTime, type SiteTime } from '../../site/time-zone.ts'
import { emailProblem, loginProblem, toEmail, toLogin, unknownRole } from '../../site/user-names.ts'
import type { DeclaredFields } from '../declared-meta.ts'
import { checkedMeta } from './check.ts'
import type { SiteTerm, SiteUser } from './document.ts'
import { SiteDocumentError } from './document-error.ts'
import type { EmbeddedKinds } from './embedded.ts'
import { expandedRows } from './expanded-entries.ts'
import { createGivenIds, type GivenIds, idOf } from './given-ids.ts'
import { type PostPlan, planPosts } from './plan-posts.ts'
import { type PlannedRecords, planRecords } from './plan-records.ts'
import { convertedRows, entryRows, forEachRow, type Rows, rowsOf } from './planned-rows.ts'
import {
  createReferences,
  createTree,
  createUnique,
  type Meta,
  type Reference,
  type ReferenceFinder,
  type References,
  termKind,
} from './references.ts'
import type { Located, SiteSource } from './site-source.ts'
import { valuesOf } from './stored-members.ts'

export interface PlannedUser {
  readonly reference: Reference
  readonly id?: number
  readonly row: UserValues
  /** In clear text; the row gets its digest. */
  readonly password: string
  readonly applicationPasswords: readonly PlannedPassword[]
  readonly meta: Meta
}

interface PlannedPassword {
  readonly id?: number
  readonly name: string
  readonly appId?: string
  readonly digest: string
  readonly created: string
  readonly lastUsed: string | null
  readonly lastIp?: string | null
}

export interface PlannedTerm {
  readonly reference: Reference
  readonly id?: number
  readonly row: Omit<TermValues, 'parent'>
  readonly parent: Reference | null
  readonly path: string
  readonly meta: Meta
}

export interface SitePlan {
  /** The number of all rows. */
  readonly total: number
  readonly users: Rows<PlannedUser>
  readonly terms: Rows<PlannedTerm>
  readonly posts: PostPlan
  readonly records: readonly PlannedRecords[]
  readonly options: { readonly [name: string]: Json }
  /** Options whose value is an id. */
  readonly optionReferences: { readonly [name: string]: Reference }
}

interface PlanContext {
  readonly baseUrl: string
  readonly clock: () => number
  readonly collections: readonly PersistedCollection[]
  readonly embedded: EmbeddedKinds
  readonly fields: DeclaredFields
  /** Whether the storage can keep ids. */
  readonly areKept: boolean
}

/** The kinds of entries that options refer to. */
const referenceOptions: { readonly [name: string]: string } = lookupTable({
  page_on_front: 'page',
  page_for_posts: 'page',
  default_category: 'category',
  builder_active_kit: 'document',
})

/** Reads the document twice: all keys first, because an entry may refer to a later one; then what they refer to. */
export async function planSite(
  source: SiteSource,
  { baseUrl, clock, collections, embedded, fields, areKept }: PlanContext,
): Promise<SitePlan> {
  const references = createReferences()
  const givenIds = createGivenIds({ areKept })
  const given = givenOptions(source, baseUrl)
  const time = timeOf(given)
  const now = time.now(clock)
  const users = await planUsers(source, references, givenIds, { now: now.gmt, fields: fields.users })
  const terms = await planTerms(source, references, givenIds, fields)
  const posts = await planPosts(source, references, givenIds, { time, now, embedded, fields })
  const records = await planRecords(source, references, givenIds, { collections, fields })
  const { values, optionReferences } = planOptions(given, references)
  await terms.check()
  await posts.check()
  for (const { check } of records) await check()
  const total = [users, terms, posts, ...records].reduce((sum, { count }) => sum + count, 0)
  return { total, users: users.rows, terms: terms.rows, posts, records, options: values, optionReferences }
}

/** The casts: the rules of the options checked both. */
const timeOf = ({ timezone_string: timeZone, gmt_offset: gmtOffset }: Options): SiteTime =>
  createSiteTime({ timeZone: timeZone as string | undefined, gmtOffset: gmtOffset as number | null })

async function planUsers(source: SiteSource, references: References, givenIds: GivenIds, rules: UserRules) {
  // The cast: `roles` of an export is what the option holds.
  const roles = storedRoles(source.options['roles'])
  const uniqueName = createUnique('login or email')
  const uniqueSlug = createUnique('public name')
  const uniqueSecret = createUnique('application password with the digest')
  const planned = joinedRows<SiteUser, PlannedUser & Located<SiteUser>>(source, 'users', (located) => ({
    ...located,
    ...plannedUser(located, rules),
  }))
  let count = 0
  await forEachRow(planned, ({ entry, path, row, applicationPasswords }) => {
    const { login, email, slug } = row
    checkNames({ login, email }, path)
    uniqueName(identityFold(login), `${path}.login`)
    uniqueSlug(slug, `${path}.nicename`)
    if (email !== '' && identityFold(email) !== identityFold(login)) uniqueName(identityFold(email), `${path}.email`)
    for (const { digest } of applicationPasswords) uniqueSecret(digest.slice(0, 16), path)
    const unknown = unknownRole(row.roles, roles)
    if (unknown !== undefined)
      throw new SiteDocumentError(path, `has the role ${unknown}, which the site does not have`)
    references.add('user', entry.key, path)
    givenIds.add('user', entry.id, path)
    for (const { id } of applicationPasswords)
      givenIds.add('records.application_passwords', id, `${path}.application_passwords`)
    count++
  })
  return { rows: planned as Rows<PlannedUser>, count }
}

/** The entries of a member of all documents, counted through. */
function joinedRows<E, T>({ parts }: SiteSource, member: string, convert: (located: Located<E>) => T): Rows<T> {
  let first = 0
  return rowsOf(
    ...parts.map((part) => {
      const list = part.list(member)
      const rows = entryRows(list, convert, first)
      first += list.length
      return rows
    }),
  )
}

interface UserRules {
  readonly now: string
  readonly fields: Args
}

export function plannedUser({ entry: user, path }: Located<SiteUser>, { now, fields }: UserRules): PlannedUser {
  const login = toLogin(user.login)
  const slug = user.nicename ?? (toSlug(login) || user.key)
  const email = toEmail(user.email ?? '')
  return {
    reference: `user.${user.key}`,
    ...idOf(user),
    row: {
      ...valuesOf(userFields, user, blankUser),
      ...{ login, slug, email, password: storedDigest(user, path) },
      displayName: user.display_name ?? user.login,
      roles: user.roles ?? (user.role === undefined ? [] : [user.role]),
      registered: user.registered ?? now,
    },
    password: user.password ?? '',
    applicationPasswords: planPasswords(user, path, now),
    meta: { ...nameMeta(user), ...checkedMeta(fields, user.meta, path) },
  }
}

function checkNames({ login, email }: Pick<User, 'login' | 'email'>, path: string): void {
  const problem = loginProblem(login) ?? emailProblem(email)
  if (problem) throw new SiteDocumentError(`${path}.${problem.field}`, `is refused: ${problem.message}`)
}

/** Names and the biography have no columns. */
const nameMeta = (user: SiteUser): Meta => {
  const names = ['first_name', 'last_name', 'nickname', 'description'] as const
  return Object.fromEntries(names.flatMap((name) => (user[name] ? [[name, user[name]]] : [])))
}

function storedDigest({ password_digest: digest = '', password }: SiteUser, path: string): string {
  if (digest === '') return ''
  if (password !== undefined) throw new SiteDocumentError(path, 'has a password and a digest of one')
  if (!isPasswordDigest(digest)) throw new SiteDocumentError(`${path}.password_digest`, 'is no digest of a password')
  return digest
}

function planPasswords(user: SiteUser, path: string, now: string): PlannedPassword[] {
  const defaults = { name: 'Seed', created: now, lastUsed: null }
  const { application_password: secret, application_password_digest: digest } = user
  if (secret !== undefined && !/[A-Za-z0-9]{12}/.test(secret.replace(/[^A-Za-z0-9]/g, ''))) {
    throw new SiteDocumentError(`${path}.application_password`, 'has fewer than 12 letters and digits')
  }
  if (digest !== undefined && !/^[0-9a-f]{64}$/.test(digest)) {
    throw new SiteDocumentError(`${path}.application_password_digest`, 'must be a digest in hexadecimal')
  }
  return [
    ...(secret === undefined ? [] : [{ ...defaults, digest: digestOf(secret) }]),
    ...(digest === undefined ? [] : [{ ...defaults, digest }]),
    ...(user.application_passwords ?? []).map((password) => ({
      ...idOf(password),
      name: password.name,
      appId: password.app_id ?? '',
      digest: password.digest,
      created: password.created ?? now,
      lastUsed: password.last_used ?? null,
      lastIp: password.last_ip ?? null,
    })),
  ]
}

async function planTerms(source: SiteSource, references: References, givenIds: GivenIds, fields: DeclaredFields) {
  const of = (member: string, taxonomy?: string) =>
    joinedRows<SiteTerm & { readonly taxonomy?: string }, ListedTerm>(source, member, ({ entry, path }) =>
      listedTerm(entry, taxonomy ?? entry.taxonomy ?? '', path),
    )
  const expanded = source.parts.map((part) =>
    convertedRows(expandedRows<ExpandedTerm>(source, part, 'terms'), ({ taxonomy, kind, path, ...term }) => [
      { ...listedTerm(term, taxonomy, path), kind },
    ]),
  )
  const listed = rowsOf(of('categories', categories), of('tags', tags), of('terms'), ...expanded)
  const uniqueSlug = createUnique('slug')
  let count = 0
  await forEachRow(listed, ({ kind, term, path, taxonomy }) => {
    references.add(kind, term.key, path, 'term')
    givenIds.add('term', term.id, path)
    uniqueSlug(`${taxonomy} ${term.slug}`, `${path}.slug`)
    count++
  })
  const rows = convertedRows(listed, (entry) => [plannedTerm(entry, references, fields.terms(entry.taxonomy))])
  const check = async () => {
    const tree = createTree()
    await forEachRow(rows, ({ reference, parent, path }) => tree.add(reference, parent, path))
    tree.check()
  }
  return { rows, count, check }
}

export const plannedTerm = (
  { path, taxonomy, term, kind }: ListedTerm,
  references: ReferenceFinder,
  fields: Args,
): PlannedTerm => ({
  reference: `${kind}.${term.key}`,
  ...idOf(term),
  path,
  row: {
    ...valuesOf(termFields, term, blankTerm),
    ...{ taxonomy, slug: term.slug },
    name: termName(term.name) || term.slug,
    description: termDescription(term.description ?? ''),
  },
  parent: term.parent ? references.find(kind, term.parent, `${path}.parent`) : null,
  meta: checkedMeta(fields, term.meta, path),
})

type ExpandedTerm = SiteTerm & { readonly kind: string; readonly taxonomy: string; readonly path: string }

interface ListedTerm {
  readonly term: SiteTerm
  readonly taxonomy: string
  readonly path: string
  readonly kind: string
}

export const listedTerm = (term: SiteTerm, taxonomy: string, path: string): ListedTerm => ({
  term,
  taxonomy,
  path,
  kind: termKind(taxonomy),
})

/** Throws for a value that a setting can not mean. */
function givenOptions({ options }: SiteSource, baseUrl: string): Options {
  const entries = Object.entries(options).map(([name, value]): [string, Json] => {
    const given = isAddress(name) ? String(value).replaceAll('{base_url}', baseUrl) : value
    if (Object.hasOwn(referenceOptions, name)) return [name, given]
    const typed = typedSetting(name, given)
    const problem = settingProblem(name, typed)
    if (problem !== undefined) throw new SiteDocumentError(`options.${name}`, problem)
    return [name, typed]
  })
  return Object.fromEntries(entries)
}

type Options = { readonly [name: string]: Json }

function planOptions(options: Options, references: References) {
  const values = new Map<string, Json>([['roles', defaultRoles]])
  const optionReferences = new Map<string, Reference>()
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(referenceOptions, name) ? referenceOptions[name] : undefined
    // The number of a kit without a row only names a class of the pages.
    const isPlain = kind === undefined || (kind === 'document' && typeof value === 'number')
    if (isPlain) values.set(name, value)
    else if (value !== null) optionReferences.set(name, references.find(kind, String(value), `options.${name}`))
  }
  return { values: Object.fromEntries(values), optionReferences: Object.fromEntries(optionReferences) }
}

const isAddress = (name: string) => name === 'url' || name === 'home'
