/** Lists the addresses of a site that no page has to link: the archives of dates, old addresses of records, and their small pages. */
import type { Post, Storage } from '../../contract/storage.ts'
import type { AppContext } from '../../core/declare/app-context.ts'
import { viewableTypes } from '../../features/shared/declared-types.ts'
import { dateAddress } from '../../site/addresses/archive-address.ts'
import { oldSlugs } from '../../site/addresses/old-slugs.ts'
import { addressesOf } from '../../site/permalink.ts'
import type { Settings } from '../../site/settings.ts'
import { type Address, addressIn } from './addresses.ts'

interface Place {
  readonly storage: Storage
  readonly app: AppContext
  readonly settings: Settings
}

/** Rows that are read at a time. */
const portion = 500

/** The home page, what machines look for, and the addresses of published records. */
export async function seedsOf(place: Place): Promise<Address[]> {
  const home = new URL(`${place.settings.home}/`)
  const seeds = new Set(['', 'robots.txt', 'sitemap.xml'].map((name) => home.pathname + name))
  for await (const address of addressesIn(place)) {
    const inside = addressIn(address, home)?.address
    if (inside !== undefined) seeds.add(inside)
  }
  return [...seeds]
}

async function* addressesIn(place: Place): AsyncIterable<string> {
  for await (const posts of publishedPosts(place)) {
    const addresses = await addressesByType(posts, place)
    for (const [index, post] of posts.entries()) yield* addressesOfPost(post, addresses[index] ?? '', place)
  }
  yield* oldAddresses(place)
}

function addressesOfPost(post: Post, address: string, { settings }: Place): readonly string[] {
  const embed = address.includes('?') ? [] : [`${address.replace(/\/?$/, '/')}embed/`]
  return [address, ...embed, ...(post.type === 'post' ? archivesOf(post, settings) : [])]
}

async function* publishedPosts({ storage, app }: Place): AsyncIterable<readonly Post[]> {
  const { flat, hierarchical } = viewableTypes(app)
  const types = [...flat.filter((type) => type !== 'attachment'), ...hierarchical]
  const query = { types, statuses: [{ status: 'publish' }], withPassword: false }
  for (let offset = 0; ; offset += portion) {
    const order = { by: 'id', descending: false } as const
    const { idsPage } = await storage.posts.query({ ...query, order, offset, limit: portion })
    if (idsPage.length === 0) return
    yield await storage.posts.read(idsPage.map(({ id }) => id))
  }
}

/** Addresses in the order of the posts. Those of types with parents are read type by type. */
async function addressesByType(posts: readonly Post[], place: Place): Promise<readonly string[]> {
  const { hierarchical } = viewableTypes(place.app)
  const addresses = new Map<Post, string>()
  for (const [type, some] of Map.groupBy(posts, ({ type }) => (hierarchical.includes(type) ? type : 'page'))) {
    const found = await addressesOf(some, place, type)
    for (const [index, post] of some.entries()) addresses.set(post, found[index] ?? '')
  }
  return posts.map((post) => addresses.get(post) ?? '')
}

function archivesOf({ date }: Post, settings: Settings): readonly string[] {
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-')
  return [[year], [year, month], [year, month, day]].map((parts) => dateAddress(parts, settings))
}

/** Writes each old slug of a record into its present address. */
async function* oldAddresses(place: Place): AsyncIterable<string> {
  const { records } = place.storage
  for (let after = 0; ; ) {
    const where = { field: 'id', above: after }
    const { rows } = await records.query(oldSlugs, { where, order: [{ by: 'id', descending: false }], limit: portion })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    const known = await addressesById([...new Set(rows.map(({ post }) => Number(post)))], place)
    for (const { post, slug } of rows) {
      const before = known.get(Number(post))
      if (before !== undefined) yield before(String(slug))
    }
  }
}

/** Returns for each published record what writes its address with another slug. */
async function addressesById(ids: readonly number[], place: Place): Promise<Map<number, (slug: string) => string>> {
  const posts = (await place.storage.posts.read(ids)).filter(({ status, slug }) => status === 'publish' && slug !== '')
  const addresses = await addressesByType(posts, place)
  return new Map(
    posts.flatMap(({ id, slug }, index) => {
      const address = addresses[index] ?? ''
      const at = address.lastIndexOf(`/${slug}`) + 1
      return at === 0 ? [] : [[id, (old: string) => address.slice(0, at) + old + address.slice(at + slug.length)]]
    }),
  )
}
