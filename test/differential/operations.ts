/** Draws requests of clients: writes of everything that a site has, and lists of it with the arguments that lists take. */
import type { Random } from '../simulation/random.ts'
import { passwordOf } from '../support/small-site.ts'
import type { Request } from './request.ts'

type Id = number | string

/** Clients know the ids that answers had, by collection; of comments they know the token of `comment-ids.ts`. */
export interface Known {
  readonly ids: Map<string, Id[]>
}

export type Drawn = Omit<Request, 'time' | 'isDue'>

const logins = ['ada', 'edith', 'arthur', 'aiko', 'connie', 'sam'] as const
const words = ['harbour', 'Tide', 'Über', 'quay & pier', 'São Tomé', 'ferry', '北', 'İstanbul', 'knots', '100%', 'a_b']
const statuses = ['publish', 'publish', 'draft', 'pending', 'private', 'future', 'trash']
const dates = [
  '2024-05-01T09:00:00',
  '2024-05-01T09:00:00',
  '2023-11-05T01:30:00',
  '2024-06-15T12:00:40',
  '2031-01-01T00:00:00',
]
const collections = ['posts', 'pages', 'media', 'comments', 'categories', 'tags', 'users'] as const
type Collection = (typeof collections)[number]

/** Each storage stores the same values of this pixel. */
const pixel = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const authorized = (login: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${passwordOf(login)}`).toString('base64')}`,
})

const json = (method: string, path: string, login: string | undefined, body: object): Drawn => ({
  method,
  path,
  headers: { 'content-type': 'application/json', ...(login === undefined ? {} : authorized(login)) },
  body: JSON.stringify(body),
})

const textOf = (random: Random) => Array.from({ length: 1 + random.below(3) }, () => random.pick(words)).join(' ')

function idOf({ ids }: Known, random: Random, collection: string): Id {
  const known = ids.get(collection) ?? []
  // Now and then an id that nothing has.
  return known.length === 0 || random.chance(0.03) ? 99_999 : random.pick(known)
}

const some = <T>(random: Random, values: { readonly [name: string]: () => T }, chance: number) =>
  Object.fromEntries(Object.entries(values).flatMap(([name, draw]) => (random.chance(chance) ? [[name, draw()]] : [])))

/** Members of a body, each drawn with some chance. */
function bodyOf(collection: Collection, known: Known, random: Random): { [name: string]: unknown } {
  const id = (name: string) => () => idOf(known, random, name)
  const text = () => textOf(random)
  const written = {
    title: text,
    content: () => `<p>${textOf(random)}</p>`,
    excerpt: text,
    slug: text,
    status: () => random.pick(statuses),
    date: () => random.pick(dates),
    author: id('users'),
    featured_media: id('media'),
    comment_status: () => random.pick(['open', 'closed']),
    menu_order: () => random.below(4),
    password: () => random.pick(['', '', 'sesame']),
  }
  const bodies: { readonly [C in Collection]: { readonly [name: string]: () => unknown } } = {
    posts: {
      ...written,
      categories: () => [idOf(known, random, 'categories'), idOf(known, random, 'categories')],
      tags: () => [idOf(known, random, 'tags')],
      sticky: () => random.chance(0.5),
      format: () => random.pick(['standard', 'aside', 'quote']),
    },
    pages: { ...written, parent: id('pages') },
    media: { title: text, alt_text: text, caption: text, post: id('posts'), slug: text },
    comments: {
      post: id('posts'),
      content: text,
      author_name: text,
      author_email: () => `${random.pick(['a', 'b'])}@example.test`,
      parent: id('comments'),
      status: () => random.pick(['approved', 'hold', 'spam', 'trash']),
    },
    categories: { name: text, slug: text, description: text, parent: id('categories') },
    tags: { name: text, slug: text, description: text },
    users: {
      name: text,
      description: text,
      email: () => `${random.pick(words).replace(/\W/g, '')}${random.below(20)}@example.test`,
      roles: () => [random.pick(['author', 'contributor', 'subscriber'])],
    },
  }
  return some(random, bodies[collection], 0.35)
}

/** Returns the members that an insert must have, so that most inserts succeed. */
function createdWith(collection: Collection, known: Known, random: Random): object {
  switch (collection) {
    case 'posts':
    case 'pages':
      return { title: textOf(random), content: `<p>${textOf(random)}</p>`, status: random.pick(statuses.slice(0, -1)) }
    case 'comments':
      return { post: idOf(known, random, 'posts'), content: `${textOf(random)} ${random.below(1000)}` }
    case 'users': {
      const login = `writer${random.below(100)}`
      return { username: login, email: `${login}@example.test`, password: 'a long enough password' }
    }
    default:
      return { name: textOf(random) }
  }
}

function created(known: Known, random: Random, login: string): Drawn {
  const collection = random.pick(collections)
  if (collection === 'media') {
    const name = `${random.pick(['pier', 'quay'])}.gif`
    const headers = { 'content-type': 'image/gif', 'content-disposition': `attachment; filename="${name}"` }
    return {
      ...{ method: 'POST', path: '/cms/v2/media', headers: { ...headers, ...authorized(login) } },
      body: { base64: pixel },
    }
  }
  // A hashed password takes long and compares nothing more.
  if (collection === 'users' && random.chance(0.7)) return created(known, random, login)
  const body = { ...bodyOf(collection, known, random), ...createdWith(collection, known, random) }
  return json('POST', `/cms/v2/${collection}`, login, body)
}

const changed = (known: Known, random: Random, login: string): Drawn => {
  const collection = random.pick(collections)
  const path = `/cms/v2/${collection}/${idOf(known, random, collection)}`
  return json('POST', path, login, bodyOf(collection, known, random))
}

function removed(known: Known, random: Random, login: string): Drawn {
  const collection = random.pick(collections)
  const id = idOf(known, random, collection)
  // No request removes a user of the sample site, whose password later requests use.
  if (collection === 'users') {
    const reassign = random.pick(known.ids.get('users') ?? [1])
    return Number(id) <= logins.length
      ? changed(known, random, login)
      : json('DELETE', `/cms/v2/users/${id}?force=true&reassign=${reassign}`, login, {})
  }
  const isForced = random.chance(0.5) || collection === 'categories' || collection === 'tags' || collection === 'media'
  return json('DELETE', `/cms/v2/${collection}/${id}${isForced ? '?force=true' : ''}`, login, {})
}

/**
 * A PostgreSQL storage runs a batch at once, and item by item when one of them fails, which leaves a gap in the ids that other
 * storages do not have. So items that take an id succeed, and items that may fail take none.
 */
function batched(known: Known, random: Random, login: string): Drawn {
  const takesIds = random.chance(0.5)
  const requests = Array.from({ length: 2 + random.below(5) }, () =>
    takesIds ? succeeding(known, random) : { ...changedTerm(known, random), method: 'POST' },
  )
  return json('POST', '/batch/v1', takesIds ? 'ada' : login, { requests })
}

function succeeding(known: Known, random: Random): object {
  const collection = random.pick(['posts', 'pages'] as const)
  // Items with one slug are run one by one, too.
  const unique = () => `${textOf(random)} ${random.below(1_000_000)}`
  const body = some(
    random,
    {
      title: unique,
      slug: unique,
      date: () => random.pick(dates),
      excerpt: () => textOf(random),
    },
    0.5,
  )
  return {
    method: 'POST',
    path: `/cms/v2/${collection}`,
    body: { ...createdWith(collection, known, random), title: unique(), ...body },
  }
}

function changedTerm(known: Known, random: Random): object {
  const collection = random.pick(['categories', 'tags'] as const)
  const path = `/cms/v2/${collection}/${idOf(known, random, collection)}`
  return { path, body: bodyOf(collection, known, random) }
}

const settingsOf = (known: Known, random: Random): object =>
  some<unknown>(
    random,
    {
      title: () => textOf(random),
      posts_per_page: () => 1 + random.below(20),
      default_category: () => idOf(known, random, 'categories'),
      default_comment_status: () => random.pick(['open', 'closed']),
      timezone: () => random.pick(['Europe/Lisbon', 'Asia/Tokyo', 'UTC']),
    },
    0.4,
  )

type Arguments = { readonly [name: string]: () => string }

function listArguments(collection: Collection, known: Known, random: Random): Arguments {
  const ids = (name: string) => () => `${idOf(known, random, name)},${idOf(known, random, name)}`
  const common: Arguments = {
    per_page: () => String(random.pick([1, 2, 3, 10, 100])),
    page: () => String(1 + random.below(3)),
    offset: () => String(random.below(6)),
    search: () => random.pick(words),
    order: () => random.pick(['asc', 'desc']),
    include: ids(collection),
    exclude: ids(collection),
    context: () => random.pick(['view', 'edit', 'embed']),
    slug: () => random.pick(['hello', 'tide', 'harbour', 'quay-pier']),
    _fields: () => 'id,title,name,slug,date',
    _embed: () => '1',
  }
  const ofPosts: Arguments = {
    status: () => random.pick(['publish', 'draft', 'publish,draft', 'any', 'future', 'private', 'trash']),
    author: ids('users'),
    author_exclude: ids('users'),
    after: () => random.pick(dates),
    before: () => random.pick(dates),
    modified_after: () => '2024-06-15T12:00:10',
    modified_before: () => '2024-06-15T12:01:00',
    orderby: () => random.pick(['date', 'modified', 'title', 'slug', 'id', 'author', 'relevance', 'include']),
  }
  const lists: { readonly [C in Collection]: Arguments } = {
    posts: {
      ...ofPosts,
      categories: ids('categories'),
      categories_exclude: ids('categories'),
      tags: ids('tags'),
      tags_exclude: ids('tags'),
      tax_relation: () => random.pick(['AND', 'OR']),
      sticky: () => random.pick(['true', 'false']),
    },
    pages: {
      ...ofPosts,
      parent: ids('pages'),
      menu_order: () => '0',
      orderby: () => random.pick(['menu_order', 'title', 'date']),
    },
    media: {
      parent: ids('posts'),
      media_type: () => 'image',
      mime_type: () => 'image/gif',
      orderby: () => random.pick(['date', 'title', 'id']),
    },
    comments: {
      post: ids('posts'),
      parent: ids('comments'),
      author: ids('users'),
      status: () => random.pick(['approve', 'hold', 'spam', 'trash', 'all']),
      orderby: () => random.pick(['date', 'date_gmt', 'id', 'post', 'parent']),
    },
    categories: {
      parent: () => String(idOf(known, random, 'categories')),
      post: () => String(idOf(known, random, 'posts')),
      hide_empty: () => random.pick(['true', 'false']),
      orderby: () => random.pick(['name', 'slug', 'count', 'id', 'description']),
    },
    tags: {
      post: () => String(idOf(known, random, 'posts')),
      hide_empty: () => random.pick(['true', 'false']),
      orderby: () => random.pick(['name', 'slug', 'count', 'id', 'description']),
    },
    users: {
      roles: () => random.pick(['author', 'editor,author']),
      orderby: () => random.pick(['name', 'slug', 'id', 'registered_date', 'email']),
      who: () => 'authors',
    },
  }
  return { ...common, ...lists[collection] }
}

const reader = (random: Random): string | undefined => (random.chance(0.3) ? undefined : random.pick(logins))

function listed(known: Known, random: Random): Drawn {
  const login = reader(random)
  const collection = random.pick(collections)
  const query = new URLSearchParams(some(random, listArguments(collection, known, random), 0.15))
  return {
    method: 'GET',
    path: `/cms/v2/${collection}?${query}`,
    headers: login === undefined ? {} : authorized(login),
  }
}

function read(known: Known, random: Random): Drawn {
  const login = reader(random)
  const collection = random.pick(collections)
  const id = idOf(known, random, collection)
  const ends = ['', '', '?context=edit', '?_embed=1', '?password=sesame']
  const paths = [
    `/cms/v2/${collection}/${id}${random.pick(ends)}`,
    `/cms/v2/posts/${idOf(known, random, 'posts')}/revisions`,
    `/cms/v2/search?search=${encodeURIComponent(random.pick(words))}`,
    '/cms/v2/settings',
  ]
  const path = random.chance(0.7) ? String(paths[0]) : random.pick(paths)
  return { method: 'GET', path, headers: login === undefined ? {} : authorized(login) }
}

/** Draws the next request: the seed and the known ids decide it. */
export function drawRequest(known: Known, random: Random): Drawn {
  // Most writers may write, some may not.
  const login = random.chance(0.7) ? random.pick(['ada', 'edith']) : random.pick(logins)
  const kind = random.next()
  if (kind < 0.14) return created(known, random, login)
  if (kind < 0.28) return changed(known, random, login)
  if (kind < 0.33) return removed(known, random, login)
  if (kind < 0.37) return batched(known, random, login)
  if (kind < 0.38) return json('POST', '/cms/v2/settings', 'ada', settingsOf(known, random))
  return kind < 0.78 ? listed(known, random) : read(known, random)
}

const idsIn = (value: unknown): Id[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
    const id = typeof one === 'object' && one !== null && 'id' in one ? one.id : undefined
    return typeof id === 'number' || typeof id === 'string' ? [id] : []
  })

/** Remembers the ids that an answer had. */
export function learn({ ids }: Known, path: string, body: unknown): void {
  const collection = /^\/cms\/v2\/(\w+)/.exec(path)?.[1] ?? ''
  if (!collections.some((one) => one === collection) || path.includes('/revisions')) return
  const known = ids.get(collection) ?? []
  ids.set(collection, [...new Set([...known, ...idsIn(body)])])
}
