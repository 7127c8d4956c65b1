/**
 * Converts a document to the rows that a seed writes, with references in path of ids. Reports the mistakes that the schema
 * of the document cannot, before anything is written.
 */
import type { PersistedCollection } from '../../core/declare/feature.ts'
import { digestOf, isPasswordDigest } from '../../core/runtime/crypto.ts'
import { categories, tags } from '../../site/post-keys.ts'
import { defaultRoles, type Roles } from '../../site/roles.ts'
import { toSlug } from '../../site/slug.ts'
import { termDescription, termName } from '../../site/term-name.ts'
import { fold } from '../../site/text-fold.ts'
import { createSiteTime, type SiteTime } from '../../site/time-zone.ts'
import { emailProblem, loginProblem, toEmail, toLogin, unknownRole } from '../../site/user-names.ts'
import type { Json, TermValues, User } from '../../storage/contract.ts'
import type { ReadDocument, SiteDocument, SiteTerm, SiteUser } from './document.ts'
import { SiteDocumentError } from './document-error.ts'
import { expandedOf, type PlannedPost, planPosts } from './plan-posts.ts'
import { type PlannedRecords, planRecords } from './plan-records.ts'
import {
  checkTree,
  createReferences,
  createUnique,
  type Meta,
  type Reference,
  type References,
  termKind,
} from './references.ts'

export interface PlannedUser {
  readonly reference: Reference
  readonly row: Omit<User, 'id'>
  /** In clear text; the row gets its digest. */
  readonly password: string
  readonly applicationPasswords: readonly PlannedPassword[]
  readonly meta: Meta
}

interface PlannedPassword {
  readonly name: string
  readonly appId?: string
  readonly digest: string
  readonly created: string
  readonly lastUsed: string | null
  readonly lastIp?: string | null
}

interface PlannedTerm {
  readonly reference: Reference
  readonly row: Omit<TermValues, 'parent'>
  readonly parent: Reference | null
  readonly path: string
  readonly meta: Meta
}

export interface SitePlan {
  readonly users: readonly PlannedUser[]
  readonly terms: readonly PlannedTerm[]
  readonly posts: readonly PlannedPost[]
  readonly records: readonly PlannedRecords[]
  readonly options: { readonly [name: string]: Json }
  /** Options whose value is an id. */
  readonly optionReferences: { readonly [name: string]: Reference }
}

interface PlanContext {
  readonly baseUrl: string
  readonly clock: () => number
  readonly collections: readonly PersistedCollection[]
}

/** The kinds of entries that options refer to. */
const referenceOptions: { readonly [name: string]: string } = {
  page_on_front: 'page',
  page_for_posts: 'page',
  default_category: 'category',
}

export function planSite(read: ReadDocument, { baseUrl, clock, collections }: PlanContext): SitePlan {
  const { document } = read
  const references = createReferences()
  const time = timeOf(document)
  const now = time.now(clock)
  const users = planUsers(document, references, now.gmt)
  const terms = planTerms(read, references)
  const posts = planPosts(read, references, { time, now })
  const records = planRecords(read, references, collections)
  const { values, optionReferences } = planOptions(document.options ?? {}, references, baseUrl)
  return { users, terms, posts, records, options: values, optionReferences }
}

function timeOf({ options = {} }: SiteDocument): SiteTime {
  const { timezone_string: timeZone, gmt_offset: gmtOffset } = options
  try {
    // The casts: the schema of the options checked both.
    return createSiteTime({ timeZone: timeZone as string | undefined, gmtOffset: gmtOffset as number | null })
  } catch {
    throw new SiteDocumentError('options.timezone_string', `is no time zone: ${JSON.stringify(timeZone)}`)
  }
}

function planUsers(document: SiteDocument, references: References, now: string): PlannedUser[] {
  const { users = [], options = {} } = document
  // The cast: `roles` of an export is what the option holds.
  const roles = (options['roles'] ?? defaultRoles) as Roles
  const uniqueName = createUnique('login or email')
  const uniqueSlug = createUnique('public name')
  const uniqueSecret = createUnique('application password with the digest')
  return users.map((user, index) => {
    const path = `users[${index}]`
    const login = toLogin(user.login)
    const slug = user.nicename ?? (toSlug(login) || user.key)
    const email = toEmail(user.email ?? '')
    checkNames({ login, email }, path)
    uniqueName(fold(login), `${path}.login`)
    uniqueSlug(slug, `${path}.nicename`)
    if (email !== '' && fold(email) !== fold(login)) uniqueName(fold(email), `${path}.email`)
    const applicationPasswords = planPasswords(user, path, now)
    for (const { digest } of applicationPasswords) uniqueSecret(digest.slice(0, 16), path)
    const row = { ...userDefaults(user, now), login, slug, email, password: storedDigest(user, path) }
    const unknown = unknownRole(row.roles, roles)
    if (unknown !== undefined)
      throw new SiteDocumentError(path, `has the role ${unknown}, which the site does not have`)
    return {
      reference: references.add('user', user.key, path),
      row,
      password: user.password ?? '',
      applicationPasswords,
      meta: { ...nameMeta(user), ...user.meta },
    }
  })
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

const userDefaults = (user: SiteUser, now: string) => ({
  displayName: user.display_name ?? user.login,
  url: user.url ?? '',
  roles: user.roles ?? (user.role === undefined ? [] : [user.role]),
  capabilities: user.capabilities ?? {},
  blocked: user.blocked ?? false,
  registered: user.registered ?? now,
})

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
      name: password.name,
      appId: password.app_id ?? '',
      digest: password.digest,
      created: password.created ?? now,
      lastUsed: password.last_used ?? null,
      lastIp: password.last_ip ?? null,
    })),
  ]
}

function planTerms({ document, expanded }: ReadDocument, references: References): PlannedTerm[] {
  const listed = [
    ...(document.categories ?? []).map((term, index) => listedTerm(term, categories, `categories[${index}]`)),
    ...(document.tags ?? []).map((term, index) => listedTerm(term, tags, `tags[${index}]`)),
    ...(document.terms ?? []).map((term, index) => listedTerm(term, term.taxonomy, `terms[${index}]`)),
    ...expandedOf<ExpandedTerm>(expanded, 'terms').map(({ taxonomy, kind, path, ...term }) => ({
      ...listedTerm(term, taxonomy, path),
      kind,
    })),
  ]
  const uniqueSlug = createUnique('slug')
  const withReferences = listed.map((entry) => {
    const reference = references.add(entry.kind, entry.term.key, entry.path, 'term')
    uniqueSlug(`${entry.taxonomy} ${entry.term.slug}`, `${entry.path}.slug`)
    return { ...entry, reference }
  })
  const planned = withReferences.map(({ reference, path, taxonomy, term, kind }) => ({
    reference,
    path,
    row: {
      ...{ taxonomy, slug: term.slug },
      name: termName(term.name) || term.slug,
      description: termDescription(term.description ?? ''),
    },
    parent: term.parent ? references.find(kind, term.parent, `${path}.parent`) : null,
    meta: term.meta ?? {},
  }))
  checkTree(planned)
  return planned
}

type ExpandedTerm = SiteTerm & { readonly kind: string; readonly taxonomy: string; readonly path: string }

const listedTerm = (term: SiteTerm, taxonomy: string, path: string) => ({
  term,
  taxonomy,
  path,
  kind: termKind(taxonomy),
})

function planOptions(options: { readonly [name: string]: Json }, references: References, baseUrl: string) {
  const values = new Map<string, Json>([['roles', defaultRoles]])
  const optionReferences = new Map<string, Reference>()
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(referenceOptions, name) ? referenceOptions[name] : undefined
    if (kind === undefined) values.set(name, isAddress(name) ? String(value).replaceAll('{base_url}', baseUrl) : value)
    else if (value !== null) optionReferences.set(name, references.find(kind, String(value), `options.${name}`))
  }
  return { values: Object.fromEntries(values), optionReferences: Object.fromEntries(optionReferences) }
}

const isAddress = (name: string) => name === 'url' || name === 'home'
