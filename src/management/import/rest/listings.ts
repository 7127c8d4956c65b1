/** Which lists of a running site are read, in the order in which they are imported. */
import type { Json } from '../../../contract/storage.ts'
import type { FileRecord } from '../reader.ts'
import type { RestClient, RestObject, RestQuery } from './client.ts'
import { RestImportError } from './errors.ts'
import { commentRecord, itemRecord, menuItemRecord, type RestIndex, termRecord, textOf, userRecord } from './records.ts'

/** A list that is read page by page, and from the middle by a later run. */
export interface Listing {
  /** Names it in the stored progress. */
  readonly name: string
  pages(offset: number): AsyncGenerator<readonly RestObject[]>
  readonly record: (row: RestObject) => FileRecord
}

export interface Listings {
  /** Users and terms: read by every run, because all others refer to them. */
  readonly declared: readonly FileRecord[]
  readonly lists: readonly Listing[]
  /** The words of types that are not read, because they are parts of a theme or of the program. */
  readonly index: RestIndex
}

const inIdOrder = { context: 'edit', orderby: 'id', order: 'asc' } as const
const menuTaxonomy = 'nav_menu'

/** Read in other ways, or not content: their ids are no numbers, or they belong to the theme. */
const otherTypes =
  /^(?:attachment|nav_menu_item|(?:wp|cms)_(?:template|template_part|global_styles|font_family|font_face))$/

export async function listingsOf(client: RestClient, namespace: string): Promise<Listings> {
  const users = await allOf(client, '/users', { ...inIdOrder })
  const taxonomies = await taxonomiesOf(client, namespace)
  const terms = new Map<string, { slug: string; name: string }>()
  const declared = users.map(userRecord)
  for (const { name, base } of taxonomies) {
    const rows = await allOf(client, `/${base}`, { ...inIdOrder })
    const slugs = new Map(rows.map((row) => [Number(row['id']), textOf(row['slug'])]))
    for (const row of rows) {
      terms.set(`${name} ${textOf(row['id'])}`, { slug: textOf(row['slug']), name: textOf(row['name']) })
      declared.push(termRecord(name, row, slugs))
    }
  }
  const index: RestIndex = {
    logins: new Map(users.map((user) => [Number(user['id']), textOf(user['username']) || textOf(user['slug'])])),
    terms,
    termMembers: new Map(taxonomies.filter(({ name }) => name !== menuTaxonomy).map(({ name, base }) => [name, base])),
  }
  return { declared, index, lists: await listsOf(client, namespace, index) }
}

async function listsOf(client: RestClient, namespace: string, index: RestIndex): Promise<readonly Listing[]> {
  const { body: types } = await client.get('/types', { context: 'edit' })
  const statuses = await statusesOf(client)
  const items = (name: string, path: string, status: string): Listing => ({
    name,
    pages: (offset) => client.pages(path, { ...inIdOrder, status }, offset),
    record: (row) => itemRecord(name, row, index),
  })
  const own = Object.entries(types as { readonly [name: string]: RestObject }).filter(
    ([name, type]) => !otherTypes.test(name) && isBelow(type, namespace),
  )
  const hasMenus = Object.hasOwn(types as object, 'nav_menu_item')
  return [
    items('attachment', '/media', 'inherit,private,trash'),
    ...own.map(([name, type]) => items(name, `/${textOf(type['rest_base'])}`, statuses)),
    ...(hasMenus ? [menuItems(client, index)] : []),
    comments(client),
  ]
}

const isBelow = (type: RestObject, namespace: string): boolean =>
  textOf(type['rest_namespace'] ?? namespace) === namespace && textOf(type['rest_base']) !== ''

/** Returns all statuses that a list of posts may show, also the trash. */
async function statusesOf(client: RestClient): Promise<string> {
  const { body } = await client.get('/statuses', { context: 'edit' })
  return Object.keys(body as object).join(',')
}

async function taxonomiesOf(client: RestClient, namespace: string) {
  const { body } = await client.get('/taxonomies', { context: 'edit' })
  return Object.entries(body as { readonly [name: string]: RestObject })
    .filter(([, taxonomy]) => isBelow(taxonomy, namespace))
    .map(([name, taxonomy]) => ({ name, base: textOf(taxonomy['rest_base']) }))
}

async function allOf(client: RestClient, path: string, query: RestQuery): Promise<readonly RestObject[]> {
  const rows: RestObject[] = []
  for await (const page of client.pages(path, query)) rows.push(...page)
  return rows
}

const menuItems = (client: RestClient, index: RestIndex): Listing => ({
  name: 'nav_menu_item',
  pages: (offset) => client.pages('/menu-items', { ...inIdOrder, status: 'publish,draft' }, offset),
  record: (row) => menuItemRecord(row, index.terms, menuTaxonomy),
})

// ---------------------------------------------------------------- comments

const commentLists = ['comment', 'note'].flatMap((kind) =>
  ['approve', 'hold', 'spam', 'trash'].map((status) => ({ type: kind === 'note' ? 'note' : 'all', status })),
)

/** Lists of one status each, merged by id: an answer comes after the comment that it answers. */
const comments = (client: RestClient): Listing => ({
  name: 'comment',
  async *pages(offset) {
    const query = { ...inIdOrder }
    const streams = commentLists.map((list) => rowsOf(client.pages('/comments', { ...query, ...list })))
    let skipped = 0
    let page: RestObject[] = []
    for await (const row of mergedById(streams)) {
      if (skipped++ < offset) continue
      page.push(row)
      if (page.length < 100) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  },
  record: commentRecord,
})

/** A site may refuse lists of a type or status; the others are read. */
async function* rowsOf(pages: AsyncGenerator<readonly RestObject[]>): AsyncGenerator<RestObject> {
  try {
    for await (const page of pages) yield* page
  } catch (error) {
    if (!(error instanceof RestImportError) || error.status !== 400) throw error
  }
}

async function* mergedById(streams: readonly AsyncGenerator<RestObject>[]): AsyncGenerator<RestObject> {
  const heads = await Promise.all(streams.map((stream) => stream.next()))
  const seen = new Set<Json>()
  for (;;) {
    let least = -1
    for (const [at, head] of heads.entries()) {
      const isLess = least === -1 || idOf(head.value) < idOf(heads[least]?.value)
      if (!head.done && isLess) least = at
    }
    const row = heads[least]?.value as RestObject | undefined
    if (row === undefined) return
    heads[least] = await (streams[least] as AsyncGenerator<RestObject>).next()
    // Notes may be among all types.
    if (!seen.has(row['id'] ?? null)) yield row
    seen.add(row['id'] ?? null)
  }
}

const idOf = (row: RestObject | undefined): number => Number(row?.['id'])
