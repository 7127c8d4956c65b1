/**
 * The rules about the values of a post, in the order in which the interface reports errors. Nothing is written here.
 */

import { blankPost } from '../../../contract/fields/blank.ts'
import { picked } from '../../../contract/fields/stored-field.ts'
import type { Post, PostValues, Storage } from '../../../contract/storage.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import { filterContent, filterTitle } from '../../../render/filter/filter.ts'
import { maxDepth } from '../../../site/permalink.ts'
import type { Settings } from '../../../site/settings.ts'
import { toSlug } from '../../../site/slug.ts'
import type { SiteMoment } from '../../../site/time-zone.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import { storedTemplate } from '../../shared/templates/page-templates.ts'
import type { Support } from '../content-types/model.ts'
import type { WriteArgsOf } from './args.ts'
import { absoluteIds, type FoundPost, mayReadTarget, type PostChange, type RecordType } from './model.ts'
import { sentValues } from './plain-fields.ts'
import { byName, type RelatedRows, readTerms } from './related-rows.ts'

type PostTexts = Pick<PostValues, 'title' | 'content' | 'excerpt'>

/** Interface: a text or `{ raw }`, where a number counts as its text; anything else counts as not sent. */
function textOf(input: unknown): string | undefined {
  if (typeof input === 'string') return input
  // The cast is safe: the arguments are checked, and other values than objects are left out.
  const raw = (input as { readonly raw?: string | number | null } | undefined)?.raw ?? undefined
  return raw === undefined ? undefined : String(raw)
}

/** Interface: titles are trimmed before they are filtered, and no-break spaces are kept. */
const trimmed = (text: string) => text.replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, '')

/** Sanitizes a text of the request for users without the unfiltered-HTML capability. */
function inputText(
  { user }: WriteContext,
  input: unknown,
  normalize: (text: string) => string,
  sanitize: (html: string) => string,
): string | undefined {
  const raw = textOf(input)
  if (raw === undefined) return undefined
  const text = normalize(raw)
  return user.can('unfiltered_html') ? text : sanitize(text)
}

const inputTitle = (context: WriteContext) => inputText(context, context.args.title, trimmed, filterTitle)

/** The texts of the request that were sent. */
export function inputTexts(context: WriteContext): Partial<PostTexts> {
  const { args, app, settings } = context
  const { swapMarkup } = app.names
  const filterMarkup = (html: string) => filterContent(html, { home: settings.home })
  const title = inputTitle(context)
  const content = inputText(context, args.content, swapMarkup, filterMarkup)
  const excerpt = inputText(context, args.excerpt, swapMarkup, filterMarkup)
  return {
    ...(title === undefined ? {} : { title }),
    ...(content === undefined ? {} : { content }),
    ...(excerpt === undefined ? {} : { excerpt }),
  }
}

function textsFor(type: RecordType, context: WriteContext): PostTexts {
  const { title = '', content = '', excerpt = '' } = { ...context.resource, ...inputTexts(context) }
  if (!type.published.mayBeEmpty && title === '' && content === '' && excerpt === '') {
    throw new ApiError('empty_content', 'A post needs a title, a content or an excerpt.', 400)
  }
  return { title, content, excerpt }
}

/** Throws when the caller may not give this status. */
function requestedStatus(type: RecordType, { args, user, resource }: WriteContext): string {
  const before = resource?.status
  const { status } = args
  if (status === undefined || status === before) return before ?? 'draft'
  if (status !== 'draft' && status !== 'pending' && !type.actor(user).can('publish_posts')) {
    const what = status === 'private' ? 'create private posts' : 'publish posts'
    throw forbidden(user, 'rest_cannot_publish', `You may not ${what}.`)
  }
  return status
}

export async function authorFor({ args, user, resource, storage }: WriteContext): Promise<number> {
  const { author } = args
  if (!author) return resource?.author ?? user.id
  if (author === user.id || author === resource?.author) return author
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ ids: [author], order, offset: 0, limit: 1 })
  if (rows.length === 0) throw new ApiError('rest_invalid_author', 'There is no such author.', 400)
  return author
}

/** Returns the parent that a write gives. Throws for an unknown one. */
async function parentFor(type: RecordType, context: WriteContext): Promise<number> {
  const { args, resource, storage } = context
  const before = resource?.parent ?? 0
  if (!type.published.isHierarchical || args.parent === undefined) return before
  const parent = Math.abs(args.parent)
  if (parent === 0 || parent === before) return parent
  const [row] = await storage.posts.read([parent])
  if (row?.type !== type.name) throw new ApiError('rest_post_invalid_id', 'There is no such parent.', 400)
  await refuseUnreadable(context, row, 'the record above')
  return resource === undefined ? parent : withoutLoop(storage, row, resource.id)
}

/** Interface: a record below itself would be a loop; it gets no parent instead. */
async function withoutLoop(storage: Storage, parent: Post, id: number): Promise<number> {
  let above: Post | undefined = parent
  for (let depth = 0; above !== undefined && depth < maxDepth; depth++) {
    if (above.id === id) return 0
    if (above.parent === 0) return parent.id
    const [next]: Post[] = await storage.posts.read([above.parent])
    above = next
  }
  return above === undefined ? parent.id : 0
}

const maxPasswordLength = 255

/** A post is never both sticky and protected, whether the values come from the request or from the storage. */
function passwordFor({ args, resource }: WriteContext): string {
  const { password, sticky } = args
  if (password && (sticky || resource?.sticky)) {
    throw new ApiError('rest_invalid_field', 'A post can not be sticky and have a password.', 400)
  }
  if (sticky && resource && resource.password !== '') {
    throw new ApiError('rest_invalid_field', 'A post with a password can not become sticky.', 400)
  }
  return [...(password ?? resource?.password ?? '')].slice(0, maxPasswordLength).join('')
}

/** Choice: a record that the caller may not read is no value: its address and its picture would show what it is. Throws 403. */
async function refuseUnreadable(context: WriteContext, post: Post, what: string): Promise<void> {
  if (await mayReadTarget(context, post)) return
  throw forbidden(context.user, 'rest_cannot_read', `You may not read ${what}.`)
}

/** Choice, as recorded: an id that names no image is stored as 0. */
async function featuredMediaFor(context: WriteContext): Promise<number> {
  const { args, resource, storage } = context
  const medium = Math.abs(args.featured_media ?? resource?.featuredMedia ?? 0)
  if (medium === 0 || medium === resource?.featuredMedia) return medium
  const [row] = await storage.posts.read([medium])
  if (!row?.mimeType.startsWith('image/')) return 0
  await refuseUnreadable(context, row, 'the featured picture')
  return medium
}

// ---------------------------------------------------------------- dates

interface PostDates {
  readonly date: string
  /** Null: floating, so the date follows the clock. */
  readonly dateGmt: string | null
}

interface DateInput {
  /** Null makes the date of a draft floating again and sets that of any other post to now. */
  readonly date?: string | null
  readonly date_gmt?: string | null
}

const floatingStatuses = ['draft', 'pending', 'auto-draft']
export const isFloatingStatus = (status: string) => floatingStatuses.includes(status)

/** `date` wins over `date_gmt`. The date of a draft floats until a request sets it. Throws `invalid_date`. */
function datesFor(
  input: DateInput,
  before: Pick<Post, 'date' | 'dateGmt' | 'status'> | undefined,
  status: string,
  settings: Settings,
  clock: () => number,
): PostDates {
  const { time } = settings
  const now = time.now(clock)
  const changed = changedDate(input, before, settings)
  let date = changed?.local ?? before?.date ?? ''
  let dateGmt = changed?.gmt ?? before?.dateGmt ?? null
  if (input.date === null || input.date_gmt === null) [date, dateGmt] = ['', null]
  const floats = before !== undefined && isFloatingStatus(before.status) && before.dateGmt === null && !changed
  if (floats || date === '') date = now.local
  if (floats) dateGmt = null
  if (dateGmt === null && !isFloatingStatus(status)) dateGmt = time.toGmt(date)
  return { date, dateGmt }
}

/** The date in the request, if it differs from the stored one. */
function changedDate(
  { date, date_gmt: gmt }: DateInput,
  before: Pick<Post, 'date' | 'dateGmt'> | undefined,
  { time }: Settings,
): SiteMoment | undefined {
  const parse = (text: string, isGmt: boolean) => requireValid(time.parseDate(text, { isGmt, isExact: true }))
  if (date) {
    const parsed = parse(date, false)
    return parsed.local === before?.date ? undefined : parsed
  }
  const parsed = gmt ? parse(gmt, true) : undefined
  return parsed?.gmt === before?.dateGmt ? undefined : parsed
}

function requireValid(time: SiteMoment | undefined): SiteMoment {
  if (!time) throw new ApiError('invalid_date', 'This is no date.', 400)
  return time
}

const minuteMs = 60_000

/** A published post dated a minute ahead or more is scheduled; a scheduled one that is due is published. */
function statusAt(status: string, dateGmt: string | null, clock: () => number): string {
  if (status !== 'publish' && status !== 'future') return status
  const ahead = dateGmt !== null && Date.parse(`${dateGmt}Z`) - clock() >= minuteMs
  return ahead ? 'future' : 'publish'
}

// ---------------------------------------------------------------- slugs

/** `desired` is the slug from before the trash; it wins over the one in the request. */
async function slugFor(
  type: RecordType,
  context: WriteContext,
  { status, title, parent }: { readonly status: string; readonly title: string; readonly parent: number },
  desired: string | undefined,
): Promise<string> {
  const { resource, storage, settings } = context
  const base = slugBase(context, { status, title }, desired)
  // A page that moves needs a free slug at its new place.
  const isMoved = type.published.isHierarchical && resource?.parent !== parent
  const own = resource !== undefined && !isMoved ? { own: resource.slug } : {}
  const slugRequest = { type: type.name, base, ...own, ...slugScope(type, parent) }
  const [slug = ''] = await uniqueSlugs(storage, settings, [slugRequest])
  return slug
}

function slugBase(
  { args, resource }: WriteContext,
  { status, title }: { readonly status: string; readonly title: string },
  desired: string | undefined,
): string {
  const before = desired ?? resource?.slug ?? ''
  const requested = desired || (args.slug === undefined ? before : sentSlug(args.slug))
  const isMissing = requested === '' && !isFloatingStatus(status)
  return isMissing ? toSlug(title) || String(resource?.id ?? '') : requested
}

/** Interface: a sent slug of 0 counts as none. */
const sentSlug = (slug: string) => (slug === '0' ? '' : toSlug(slug))

/** Interface: slugs of types whose records have parents are unique below one parent only. */
export const slugScope = ({ published }: RecordType, parent: number) => (published.isHierarchical ? { parent } : {})

// ---------------------------------------------------------------- terms

/** Interface: a post without categories gets the default one, as taxonomies declare it, unless the request itself sends an empty list. */
export async function termsFor(
  type: RecordType,
  context: WriteContext,
  before: RelatedRows['terms'],
): Promise<RelatedRows['terms']> {
  const { taxonomies } = type.published
  const wanted = wantedTerms(type, context, before)
  const ids = [...new Set(wanted.flat())]
  if (ids.every((id) => before.some((term) => term.id === id))) {
    const isWanted = (term: RelatedRows['terms'][number]) =>
      wanted[taxonomies.findIndex(({ name }) => name === term.taxonomy)]?.includes(term.id) === true
    return before.filter(isWanted)
  }
  const terms = await readTerms(context.storage, ids)
  const chosen = wanted.flatMap((ids, index) =>
    [...new Set(ids)].flatMap((id) => terms.get(id) ?? []).filter((term) => term.taxonomy === taxonomies[index]?.name),
  )
  return byName(chosen)
}

/** The ids by taxonomy, in the order of the taxonomies. */
function wantedTerms(
  type: RecordType,
  { args, settings }: WriteContext,
  before: RelatedRows['terms'],
): (readonly number[])[] {
  // The cast: the arguments of terms are called like their taxonomies.
  const sent = args as { readonly [name: string]: readonly number[] | undefined }
  return type.published.taxonomies.map(({ name, restBase, defaultTerm }) => {
    const current = before.filter((term) => term.taxonomy === name).map(({ id }) => id)
    const fallback = current.length === 0 ? (defaultTerm?.(settings) ?? 0) : 0
    return absoluteIds(sent[restBase] ?? (fallback > 0 ? [fallback] : current))
  })
}

// ---------------------------------------------------------------- all values

export type PreparedPost = Omit<PostChange, 'before'>

/** Applies all rules, in the order in which the interface reports errors. Throws before anything is written. */
export async function preparePost(type: RecordType, context: WriteContext, stored: StoredState): Promise<PreparedPost> {
  const requested = requestedStatus(type, context)
  const author = await authorFor(context)
  const parent = await parentFor(type, context)
  return preparedValues(type, context, stored, { requested, author, parent })
}

/** The state that stays unless the request changes it. */
interface StoredState {
  readonly terms: RelatedRows['terms']
  readonly columns: typeof blankPost
  /** The slug from before the trash. */
  readonly desiredSlug?: string | undefined
}

interface Decided {
  readonly requested: string
  readonly author: number
  readonly parent: number
}

/** Interface: the defaults of the settings are those of posts. */
export function newState(type: RecordType, { settings }: Pick<Context, 'settings'>): StoredState {
  const { defaultCommentStatus: commentStatus, defaultPingStatus: pingStatus } = settings
  return { terms: [], columns: type.name === 'post' ? { ...blankPost, commentStatus, pingStatus } : blankPost }
}

// The cast: the keys of a constant are its names.
const columnNames = Object.keys(blankPost) as (keyof typeof blankPost)[]

/** A resource may have related rows beside its columns, which are left out. */
export const stateOf = (resource: FoundPost, terms: RelatedRows['terms'], desiredSlug?: string): StoredState => ({
  ...{ terms, desiredSlug },
  columns: picked(resource, columnNames),
})

/** Prepares a record whose status, author and parent are decided, for types with special rules about them. */
export async function preparedValues(
  type: RecordType,
  context: WriteContext,
  stored: StoredState,
  { requested, author, parent }: Decided,
): Promise<PreparedPost> {
  const { columns, meta } = checkedValues(type, context, stored.columns, requested)
  const [slug, featuredMedia, terms] = await Promise.all([
    slugFor(type, context, { ...columns, parent }, stored.desiredSlug),
    featuredMediaFor(context),
    termsFor(type, context, stored.terms),
  ])
  return { meta, terms, values: { ...columns, author, parent, slug, featuredMedia } }
}

/** The values that need no read. */
function checkedValues(type: RecordType, context: WriteContext, stored: StoredState['columns'], requested: string) {
  const { args, resource, settings, app } = context
  const password = passwordFor(context)
  const texts = textsFor(type, context)
  const meta = type.meta.changes(args.meta, context)
  const dates = datesFor(args, resource, requested, settings, app.clock)
  const status = statusAt(requested, dates.dateGmt, app.clock)
  // Interface: a new post counts as modified when it is dated.
  const modified = resource
    ? settings.time.now(app.clock)
    : { local: dates.date, gmt: dates.dateGmt ?? settings.time.toGmt(dates.date) }
  const columns = {
    ...stored,
    ...sentValues(args),
    type: type.name,
    ...texts,
    ...dates,
    status,
    modified: modified.local,
    modifiedGmt: modified.gmt,
    password: status === 'private' ? '' : password,
    format: args.format ?? stored.format,
    sticky: args.sticky ?? stored.sticky,
    template: args.template === undefined ? stored.template : storedTemplate(args.template, app.names),
    mimeType: '',
  }
  return { columns, meta }
}

/** Applies the rules that need no other post, for autosaves, which do not change the post. */
export async function checkValues(type: RecordType, context: WriteContext): Promise<void> {
  requestedStatus(type, context)
  await authorFor(context)
  passwordFor(context)
  type.meta.changes(context.args.meta, context)
}

/** The arguments of all types: one that a type does not have is never sent. */
export type WriteArgs = Partial<ArgValues<WriteArgsOf<Support, true, never>>> & { readonly id?: number }

export type WriteContext = Context<WriteArgs, FoundPost | undefined>
