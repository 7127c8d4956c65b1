/**
 * From a document to the rows that a seed writes, with references in place of ids. Everything that can be wrong with a
 * document comes out here, before anything is written.
 */
import type { PersistedCollection } from '../../core/declare/feature.ts'
import { digestOf, isPasswordDigest } from '../../core/runtime/crypto.ts'
import { categories, tags } from '../../site/post-keys.ts'
import { defaultRoles } from '../../site/roles.ts'
import { toSlug } from '../../site/slug.ts'
import { fold } from '../../site/text-fold.ts'
import { createSiteTime, type SiteTime } from '../../site/time-zone.ts'
import type { Json, Term, User } from '../../storage/contract.ts'
import type { SiteDocument, SiteTerm, SiteUser } from './document.ts'
import { SiteDocumentError } from './document-error.ts'
import { type PlannedPost, planPosts } from './plan-posts.ts'
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
  /** In clear; its digest goes into the row. */
  readonly password: string
  readonly applicationPasswords: readonly PlannedPassword[]
  readonly meta: Meta
}

export interface PlannedPassword {
  readonly name: string
  readonly appId?: string
  readonly digest: string
  readonly created: string
  readonly lastUsed: string | null
}

export interface PlannedTerm {
  readonly reference: Reference
  readonly row: Omit<Term, 'id' | 'parent'>
  readonly parent: Reference | null
  readonly place: string
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

export interface Surroundings {
  readonly baseUrl: string
  readonly clock: () => number
  readonly collections: readonly PersistedCollection[]
}

/** Kinds of options that name something by its key. */
const referringOptions: { readonly [name: string]: string } = {
  page_on_front: 'page',
  page_for_posts: 'page',
  default_category: 'category',
}

export function planSite(document: SiteDocument, { baseUrl, clock, collections }: Surroundings): SitePlan {
  const references = createReferences()
  const time = timeOf(document)
  const now = time.now(clock)
  const users = planUsers(document.users ?? [], references, now.gmt)
  const terms = planTerms(document, references)
  const posts = planPosts(document, references, { time, now })
  const records = planRecords(document.records ?? {}, references, collections)
  const { values, optionReferences } = planOptions(document.options ?? {}, references, baseUrl)
  return { users, terms, posts, records, options: values, optionReferences }
}

function timeOf({ options = {} }: SiteDocument): SiteTime {
  const { timezone_string: timeZone, gmt_offset: gmtOffset } = options
  try {
    // The casts: the shape of the options saw both.
    return createSiteTime({ timeZone: timeZone as string | undefined, gmtOffset: gmtOffset as number | null })
  } catch {
    throw new SiteDocumentError('options.timezone_string', `is no time zone: ${JSON.stringify(timeZone)}`)
  }
}

function planUsers(users: readonly SiteUser[], references: References, now: string): PlannedUser[] {
  const uniqueLogin = createUnique('login')
  const uniqueSlug = createUnique('public name')
  const uniqueEmail = createUnique('email')
  const uniqueSecret = createUnique('application password with the digest')
  return users.map((user, index) => {
    const place = `users[${index}]`
    const slug = user.nicename ?? (toSlug(user.login) || user.key)
    const email = user.email ?? ''
    uniqueLogin(fold(user.login), `${place}.login`)
    uniqueSlug(slug, `${place}.nicename`)
    if (email !== '') uniqueEmail(fold(email), `${place}.email`)
    const applicationPasswords = planPasswords(user, place, now)
    for (const { digest } of applicationPasswords) uniqueSecret(digest.slice(0, 16), place)
    return {
      reference: references.give('user', user.key, place),
      row: {
        login: user.login,
        slug,
        displayName: user.display_name ?? user.login,
        email,
        url: user.url ?? '',
        roles: user.roles ?? (user.role === undefined ? [] : [user.role]),
        capabilities: user.capabilities ?? {},
        password: storedDigest(user, place),
        blocked: user.blocked ?? false,
        registered: user.registered ?? now,
      },
      password: user.password ?? '',
      applicationPasswords,
      meta: user.meta ?? {},
    }
  })
}

function storedDigest({ password_digest: digest = '', password }: SiteUser, place: string): string {
  if (digest === '') return ''
  if (password !== undefined) throw new SiteDocumentError(place, 'has a password and a digest of one')
  if (!isPasswordDigest(digest)) throw new SiteDocumentError(`${place}.password_digest`, 'is no digest of a password')
  return digest
}

function planPasswords(user: SiteUser, place: string, now: string): PlannedPassword[] {
  const usual = { name: 'Seed', created: now, lastUsed: null }
  const { application_password: secret, application_password_digest: digest } = user
  if (secret !== undefined && !/[A-Za-z0-9]{12}/.test(secret.replace(/[^A-Za-z0-9]/g, ''))) {
    throw new SiteDocumentError(`${place}.application_password`, 'has fewer than 12 letters and digits')
  }
  if (digest !== undefined && !/^[0-9a-f]{64}$/.test(digest)) {
    throw new SiteDocumentError(`${place}.application_password_digest`, 'must be a digest in hexadecimal')
  }
  return [
    ...(secret === undefined ? [] : [{ ...usual, digest: digestOf(secret) }]),
    ...(digest === undefined ? [] : [{ ...usual, digest }]),
    ...(user.application_passwords ?? []).map((one) => ({
      name: one.name,
      appId: one.app_id ?? '',
      digest: one.digest,
      created: one.created ?? now,
      lastUsed: one.last_used ?? null,
    })),
  ]
}

function planTerms(document: SiteDocument, references: References): PlannedTerm[] {
  const groups = [
    ...(document.categories ?? []).map((term, index) => listed(term, categories, `categories[${index}]`)),
    ...(document.tags ?? []).map((term, index) => listed(term, tags, `tags[${index}]`)),
    ...(document.terms ?? []).map((term, index) => listed(term, term.taxonomy, `terms[${index}]`)),
  ]
  const uniqueSlug = createUnique('slug')
  const given = groups.map((group) => {
    const reference = references.give(termKind(group.taxonomy), group.term.key, group.place)
    uniqueSlug(`${group.taxonomy} ${group.term.slug}`, `${group.place}.slug`)
    return { ...group, reference }
  })
  const planned = given.map(({ reference, place, taxonomy, term }) => ({
    reference,
    place,
    row: { taxonomy, slug: term.slug, name: term.name, description: term.description ?? '' },
    parent: term.parent ? references.find(termKind(taxonomy), term.parent, `${place}.parent`) : null,
    meta: term.meta ?? {},
  }))
  checkTree(planned)
  return planned
}

const listed = (term: SiteTerm, taxonomy: string, place: string) => ({ term, taxonomy, place })

function planOptions(options: { readonly [name: string]: Json }, references: References, baseUrl: string) {
  const values = new Map<string, Json>([['roles', defaultRoles]])
  const found = new Map<string, Reference>()
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(referringOptions, name) ? referringOptions[name] : undefined
    if (kind === undefined) values.set(name, isAddress(name) ? String(value).replaceAll('{base_url}', baseUrl) : value)
    else if (value !== null) found.set(name, references.find(kind, String(value), `options.${name}`))
  }
  return { values: Object.fromEntries(values), optionReferences: Object.fromEntries(found) }
}

const isAddress = (name: string) => name === 'url' || name === 'home'
