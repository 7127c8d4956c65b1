/** Finds the record or archive that the path and query of a request address. */

import { lookupTable } from '../../contract/lookup-table.ts'
import type { Post } from '../../contract/storage.ts'
import { isViewableTaxonomy, viewableTypes } from '../../features/shared/declared-types.ts'
import { dateAddress, taxonomyAtBase } from '../../site/addresses/archive-address.ts'
import { hierarchicalPostAt, permalinkPostAt, postsNamed } from '../../site/addresses/post-at-path.ts'
import { categories, tags } from '../../site/post-keys.ts'
import type { Visit } from '../visit.ts'
import { archiveAt, authorOf, type Ending, type FeedFormat, type Located, recordAt, termOf } from './locate.ts'

/** Returns undefined when the address has nothing that a visitor may see. */
export async function locate(segments: readonly string[], visit: Visit): Promise<Located | undefined> {
  const { query } = visit
  const ending = endingOf(segments, query)
  const id = idOf(query.get('p') ?? query.get('page_id') ?? query.get('attachment_id'))
  if (id !== undefined) {
    const [post] = await visit.storage.posts.read([id])
    const { page: _page, ...rest } = ending
    return post && recordAt(post, { ...rest, isEmbed: query.get('embed') === 'true' }, visit)
  }
  if (ending.path.length > 0) return (await postAt(ending, visit)) ?? (await archiveOf(ending, visit))
  const search = query.get('s')
  if (search !== null) {
    const address = `${visit.settings.home}/?${new URLSearchParams({ s: search })}`
    return archiveAt({ kind: 'search', text: search }, address, ending)
  }
  return byQuery(ending, visit)
}

const idOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined

/** The feeds of queries. `rdf` is an older form, whose readers know RSS too. */
const feedFormats: { readonly [name: string]: FeedFormat } = lookupTable({
  ...{ feed: 'rss', rss: 'rss', rss2: 'rss', rdf: 'rss', atom: 'atom' },
})

/** Reads `feed` and `paged` of a query, where the path says neither. */
export function endingOf(segments: readonly string[], query: URLSearchParams): Ending {
  const ending = endingOfPath(segments)
  const feed = ending.feed ?? feedFormats[query.get('feed') ?? '']
  const page = ending.page ?? pageNumber(query.get('paged') ?? '')
  return { ...ending, ...(feed ? { feed } : {}), ...(page === undefined ? {} : { pageOfArchive: page }) }
}

const pageNumber = (text: string): number | undefined => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined)

function endingOfPath(segments: readonly string[]): Ending {
  const [last = '', before = ''] = [...segments].reverse()
  const page = before === 'page' ? pageNumber(last) : undefined
  if (page !== undefined) return { path: segments.slice(0, -2), page }
  if (last === 'embed') return { path: segments.slice(0, -1), isEmbed: true }
  if (last === 'feed') return { path: segments.slice(0, -1), feed: 'rss' }
  const feed = before === 'feed' ? feedFormats[last] : undefined
  if (feed) return { path: segments.slice(0, -2), feed }
  return { path: segments }
}

// ---------------------------------------------------------------- paths

async function atHome(ending: Ending, visit: Visit): Promise<Located | undefined> {
  const { settings, storage } = visit
  if (settings.showOnFront === 'page' && ending.feed === undefined) {
    const [post] = await storage.posts.read([settings.pageOnFront])
    const front = post?.type === 'page' ? await recordAt(post, ending, visit) : undefined
    if (front) return ending.page === undefined ? front : undefined
  }
  return archiveAt({ kind: 'posts' }, `${settings.home}/`, ending)
}

/** Pages begin at home, other types with parents with their name. */
export function hierarchicalPath(path: readonly string[], visit: Visit) {
  const [base = ''] = path
  const isOther = base !== 'page' && viewableTypes(visit.app).hierarchical.includes(base)
  return isOther ? { type: base, slugs: path.slice(1) } : { type: 'page', slugs: path }
}

async function postAt(ending: Ending, visit: Visit): Promise<Located | undefined> {
  const { path } = ending
  const { type, slugs } = hierarchicalPath(path, visit)
  const located = await recordOf(await hierarchicalPostAt(slugs, type, visit), ending, visit)
  return located ?? recordOf(await permalinkPostAt(path, viewableTypes(visit.app).flat, visit), ending, visit)
}

const recordOf = async (post: Post | undefined, ending: Ending, visit: Visit): Promise<Located | undefined> =>
  post && recordAt(post, ending, visit)

async function archiveOf(ending: Ending, visit: Visit): Promise<Located | undefined> {
  const [base = '', ...rest] = ending.path
  const { settings } = visit
  if (base === 'author' && rest.length === 1) return authorOf({ slugs: rest }, ending, visit)
  if (/^\d{4}$/.test(base)) {
    return isDate(ending.path)
      ? archiveAt({ kind: 'date', parts: ending.path }, dateAddress(ending.path, settings), ending)
      : undefined
  }
  if (rest.length === 0) return undefined
  return termOf({ taxonomies: [taxonomyAtBase(base)], slugs: rest.slice(-1) }, ending, visit)
}

/** Accepts `2024`, `2024/05` and `2024/05/31`. */
function isDate([year = '', month, day, ...rest]: readonly string[]): boolean {
  const isPart = (text: string | undefined) => text === undefined || /^\d\d$/.test(text)
  if (rest.length > 0 || !isPart(month) || !isPart(day)) return false
  const date = `${year}-${month ?? '01'}-${day ?? '01'}`
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

// ---------------------------------------------------------------- queries

/** Finds what the query of the home page names, as links without permalinks do: `?author=3`, `?name=hello`, `?cat=5`. */
async function byQuery(ending: Ending, visit: Visit): Promise<Located | undefined> {
  for (const [name, value] of visit.query) {
    if (value === '') continue
    const named = namedBy(name, value, ending, visit)
    if (named) return withNames(await named, [name, ...(companions[name] ?? [])])
    // Other parameters with the name of a type or a taxonomy may be the host's.
    const found = withNames(await ofType(name, value, ending, visit), [name])
    if (found) return found
  }
  return atHome(ending, visit)
}

const withNames = (located: Located | undefined, by: readonly string[]): Located | undefined =>
  located && { ...located, by }

/** The parameters that are read with another one. */
const companions: { readonly [name: string]: readonly string[] } = lookupTable({
  name: ['post_type'],
  year: ['monthnum', 'day'],
})

/** Returns undefined for a parameter or a value that names nothing. */
function namedBy(name: string, value: string, ending: Ending, visit: Visit): Promise<Located | undefined> | undefined {
  const id = idOf(value)
  const segments = slugsIn(value)
  const slugs = segments.slice(-1)
  switch (name) {
    case 'name':
      return recordNamed(slugs, typesFor(visit), ending, visit)
    case 'pagename':
      return pageNamed(segments, 'page', ending, visit)
    case 'attachment':
      return recordNamed(slugs, ['attachment'], ending, visit)
    case 'author':
      return id === undefined ? undefined : authorOf({ ids: [id] }, ending, visit)
    case 'author_name':
      return authorOf({ slugs }, ending, visit)
    case 'cat':
      return id === undefined ? undefined : termOf({ taxonomies: [categories], ids: [id] }, ending, visit)
    case 'category_name':
      return termOf({ taxonomies: [categories], slugs }, ending, visit)
    case 'tag':
      return termOf({ taxonomies: [tags], slugs }, ending, visit)
    case 'm':
      return dateNamed([value.slice(0, 4), value.slice(4, 6), value.slice(6, 8)], ending, visit)
    case 'year':
      return dateNamed([value, visit.query.get('monthnum') ?? '', visit.query.get('day') ?? ''], ending, visit)
    default:
      return undefined
  }
}

/** Splits a value into slugs, as `segmentsBelowHome` does with a path. */
const slugsIn = (value: string): string[] =>
  value
    .split('/')
    .filter((part) => part !== '')
    .map((part) => encodeURIComponent(part.toWellFormed()).toLowerCase())

function typesFor(visit: Visit): readonly string[] {
  const { flat } = viewableTypes(visit.app)
  const type = visit.query.get('post_type') ?? ''
  return flat.includes(type) ? [type] : [...flat, 'page']
}

/** Finds the first record with the slug that visitors may see, in the order of the types. */
async function recordNamed(
  slugs: readonly string[],
  types: readonly string[],
  ending: Ending,
  visit: Visit,
): Promise<Located | undefined> {
  const posts = await postsNamed(slugs[0], types, visit.storage)
  for (const type of types) {
    for (const post of posts.filter((one) => one.type === type)) {
      const located = await recordAt(post, ending, visit)
      if (located) return located
    }
  }
  return undefined
}

const pageNamed = async (path: readonly string[], type: string, ending: Ending, visit: Visit) =>
  recordOf(await hierarchicalPostAt(path, type, visit), ending, visit)

/** Accepts months and days without a zero in front. */
function dateNamed(parts: readonly string[], ending: Ending, visit: Visit): Promise<Located | undefined> | undefined {
  const [year = '', ...rest] = parts.map((part) => (part.length === 1 ? `0${part}` : part))
  const end = rest.indexOf('')
  const date = [year, ...(end === -1 ? rest : rest.slice(0, end))]
  if (!/^\d{4}$/.test(year) || !isDate(date)) return undefined
  return Promise.resolve(archiveAt({ kind: 'date', parts: date }, dateAddress(date, visit.settings), ending))
}

/** These have parameters of other names. */
const builtIn: readonly string[] = ['post', 'page', 'attachment', 'category']

/** Finds the term of a taxonomy, or the record of a type, that a parameter of its name has: `?genre=jazz`, `?film=alien`. */
async function ofType(name: string, value: string, ending: Ending, visit: Visit): Promise<Located | undefined> {
  const segments = slugsIn(value)
  const slugs = segments.slice(-1)
  if (builtIn.includes(name)) return undefined
  if (isViewableTaxonomy(name, visit.app)) return termOf({ taxonomies: [name], slugs }, ending, visit)
  const { flat, hierarchical } = viewableTypes(visit.app)
  if (hierarchical.includes(name)) return pageNamed(segments, name, ending, visit)
  return flat.includes(name) ? recordNamed(slugs, [name], ending, visit) : undefined
}
