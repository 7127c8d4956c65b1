/** Lists the addresses of a site that no page has to link: the archives of dates, old addresses of records, and their small pages. */
import type { Post, Storage } from '../../contract/storage.ts'
import type { AppContext } from '../../core/declare/app-context.ts'
import { viewableTypes } from '../../features/shared/declared-types.ts'
import { oldSlugs } from '../../site/addresses/old-slugs.ts'
import type { Settings } from '../../site/settings.ts'
import { datesOf, pagesOf } from '../listed-pages.ts'
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
    for (const { address } of await pagesOf(posts, place)) {
      yield address
      if (!address.includes('?')) yield `${address.replace(/\/?$/, '/')}embed/`
    }
    for (const post of posts) if (post.type === 'post') yield* datesOf(post, place)
  }
  yield* oldAddresses(place)
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

/** Returns for each published record a function that writes its address with another slug. */
async function addressesById(ids: readonly number[], place: Place): Promise<Map<number, (slug: string) => string>> {
  const posts = (await place.storage.posts.read(ids)).filter(({ status, slug }) => status === 'publish' && slug !== '')
  const slugs = new Map(posts.map(({ id, slug }) => [id, slug]))
  return new Map(
    (await pagesOf(posts, place)).flatMap(({ address, post = 0 }) => {
      const slug = slugs.get(post) ?? ''
      const at = address.lastIndexOf(`/${slug}`) + 1
      return at === 0 ? [] : [[post, (old: string) => address.slice(0, at) + old + address.slice(at + slug.length)]]
    }),
  )
}
