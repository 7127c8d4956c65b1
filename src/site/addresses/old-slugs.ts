/** Stores the old slugs of published records, so that their old addresses redirect after a slug has changed. */

import type { Collection, Post, Storage } from '../../contract/storage.ts'

export const oldSlugs: Collection = {
  name: 'former_slugs',
  fields: { slug: 'text', type: 'text', post: 'integer' },
  indexed: ['slug'],
  orders: [['post', 'slug']],
}

interface OldSlug {
  readonly slug: string
  readonly type: string
  readonly post: number
}

/** Leaves out those that are stored already. */
export async function addOldSlugs({ records }: Storage, added: readonly OldSlug[]): Promise<void> {
  if (added.length === 0) return
  const where = { field: 'post', in: [...new Set(added.map(({ post }) => post))] }
  const { rows } = await records.query(oldSlugs, { where, limit: Number.MAX_SAFE_INTEGER })
  const key = ({ post, slug }: Pick<OldSlug, 'post' | 'slug'>) => `${post} ${slug}`
  const known = new Set(rows.map(({ post, slug }) => key({ post: Number(post), slug: String(slug) })))
  const open = new Map(added.map((one) => [key(one), one]))
  const fresh = [...open].flatMap(([name, one]) => (known.has(name) ? [] : [{ ...one }]))
  if (fresh.length > 0) await records.insert(oldSlugs, fresh)
}

export const removeOldSlugsOf = async ({ records }: Storage, post: number): Promise<void> => {
  await records.remove(oldSlugs, { field: 'post', is: post })
}

/** A bound above the number of records that ever had one slug. */
const maxRows = 100

/** Returns the published records of these types that once had the slug; the one that lost it last comes first. */
export async function ownersOfOldSlug(storage: Storage, slug: string, types: readonly string[]): Promise<Post[]> {
  const { rows } = await storage.records.query(oldSlugs, {
    where: {
      every: [
        { field: 'slug', is: slug },
        { field: 'type', in: types },
      ],
    },
    order: [{ by: 'id', descending: true }],
    limit: maxRows,
  })
  const posts = await storage.posts.read([...new Set(rows.map(({ post }) => Number(post)))])
  return posts.filter(({ status, type }) => status === 'publish' && types.includes(type))
}
