/** Lists of posts as a client asks for them: every filter in every order, for the sweep of the benches and the test of plans. */

import type { PostQuery, Storage } from '../../src/contract/storage.ts'
import { createSiteApi } from '../../src/index.ts'
import { content } from '../../src/profiles/content.ts'

/** The lists that a site requests. */
export interface ListedSite {
  readonly category: number
  readonly otherCategory: number
  readonly tag: number
  readonly otherTag: number
  readonly author: number
  readonly otherAuthor: number
  /** The number is 30 or more. */
  readonly ids: readonly number[]
  readonly slug: string
  /** A date in the middle of all dates. */
  readonly middle: string
  /** Somewhat later than the middle. */
  readonly later: string
  readonly rareWord: string
  readonly commonWord: string
  /** A user who may list all statuses. */
  readonly editor: number
}

export interface PostList {
  readonly name: string
  /** The query string. */
  readonly search: string
  readonly isOfEditor: boolean
}

const orders = ['date', 'title', 'id', 'author', 'modified', 'slug'] as const
const directions = ['asc', 'desc'] as const
const statusSets = ['any', 'draft,pending', 'publish,private'] as const

export function postListsOf(site: ListedSite): readonly PostList[] {
  const filters = filtersOf(site)
  const ofVisitors = Object.entries(filters).flatMap(([filter, search]) =>
    orders.flatMap((by) => directions.map((direction) => listOf(filter, search, by, direction))),
  )
  const ofStatuses = Object.entries(filters).flatMap(([filter, search]) =>
    statusSets.flatMap((status) => [
      listOf(filter, search, 'date', 'desc', status),
      listOf(filter, search, 'title', 'asc', status),
    ]),
  )
  return [...ofVisitors, ...ofStatuses, ...searchesOf(site, filters), ...ofIncluded(filters)]
}

function listOf(filter: string, search: string, by: string, direction: string, status?: string): PostList {
  const parts = [search, `orderby=${by}`, `order=${direction}`, ...(status === undefined ? [] : [`status=${status}`])]
  return {
    name: [filter, `by ${by} ${direction}`, ...(status === undefined ? [] : [status])].join(', '),
    search: parts.filter((part) => part !== '').join('&'),
    isOfEditor: status !== undefined,
  }
}

function filtersOf(site: ListedSite): { readonly [name: string]: string } {
  const { category, tag, otherTag, author, otherAuthor, ids, middle, later } = site
  return {
    'no filter': '',
    'a category': `categories=${category}`,
    'a tag': `tags=${tag}`,
    'two tags': `tags=${tag},${otherTag}`,
    'all of two tags': `tags[terms]=${tag},${otherTag}&tags[operator]=AND`,
    'a category and a tag': `categories=${category}&tags=${tag}`,
    'a category or a tag': `categories=${category}&tags=${tag}&tax_relation=OR`,
    'not a tag': `tags_exclude=${tag}`,
    'not a category': `categories_exclude=${category}`,
    'a tag, not a category': `tags=${tag}&categories_exclude=${category}`,
    'an author': `author=${author}`,
    'two authors': `author=${author},${otherAuthor}`,
    'not an author': `author_exclude=${author}`,
    'an author and a tag': `author=${author}&tags=${tag}`,
    'without an id': `exclude=${ids[7]}`,
    'without 20 ids': `exclude=${ids.slice(0, 20)}`,
    'a tag without an id': `tags=${tag}&exclude=${ids[7]}`,
    '30 ids': `include=${ids.slice(0, 30)}`,
    'the usual format': 'format=standard',
    'a rare format': 'format=gallery',
    sticky: 'sticky=true',
    'not sticky': 'sticky=false',
    'a slug': `slug=${site.slug}`,
    before: `before=${middle}`,
    after: `after=${middle}`,
    between: `after=${middle}&before=${later}`,
    'changed before': `modified_before=${middle}`,
    'changed after': `modified_after=${middle}`,
    'a rare word': `search=${site.rareWord}`,
    'a common word': `search=${site.commonWord}`,
  }
}

/** A search beside each other filter. */
const searchesOf = ({ rareWord, commonWord }: ListedSite, filters: { readonly [name: string]: string }) =>
  Object.entries(filters).flatMap(([filter, search]) => {
    if (search.startsWith('search=')) return [listOf(filter, search, 'relevance', 'desc')]
    return [
      listOf(`${filter}, a rare word`, [search, `search=${rareWord}`].join('&'), 'date', 'desc'),
      listOf(`${filter}, a common word`, [search, `search=${commonWord}`].join('&'), 'relevance', 'desc'),
    ]
  })

const ofIncluded = (filters: { readonly [name: string]: string }) => [
  listOf('30 ids', filters['30 ids'] ?? '', 'include', 'asc'),
  listOf('a slug', filters['a slug'] ?? '', 'include_slugs', 'asc'),
]

const origin = 'https://quay.example'

/** The query that the interface makes of each list. */
export async function queriesOf(
  storage: Storage,
  lists: readonly PostList[],
  editor: number,
): Promise<ReadonlyMap<string, PostQuery>> {
  let made: PostQuery | undefined
  const observed: Storage = {
    ...storage,
    // It stays open for whoever has passed it.
    close: () => undefined,
    posts: {
      ...storage.posts,
      query: (query) => {
        made ??= query
        return { idsPage: [], total: 0 }
      },
    },
  }
  const options = { storage: observed, profile: content, url: origin }
  const ofVisitors = createSiteApi(options)
  const ofEditor = createSiteApi({ ...options, authenticate: () => editor })
  const queries = new Map<string, PostQuery>()
  for (const { name, search, isOfEditor } of lists) {
    made = undefined
    const api = isOfEditor ? ofEditor : ofVisitors
    const response = await api.fetch(new Request(`${origin}/api/cms/v2/posts?${search}`))
    if (response.status !== 200 || made === undefined) throw new Error(`${search} answered ${await response.text()}`)
    queries.set(name, made)
  }
  await Promise.all([ofVisitors.close(), ofEditor.close()])
  return queries
}
