/** The parents of records of hierarchical types: pages below pages. */

import type { Post, Storage } from '../../../contract/storage.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { maxDepth } from '../../../site/permalink.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import type { FoundPost, RecordType } from './model.ts'

/** Returns the parent that a write gives. Throws for an unknown one. */
export async function parentFor(
  type: RecordType,
  { args, resource, storage }: Context<{ readonly parent?: number | undefined }, FoundPost | undefined>,
): Promise<number> {
  const before = resource?.parent ?? 0
  if (!type.published.isHierarchical || args.parent === undefined) return before
  const parent = Math.abs(args.parent)
  if (parent === 0 || parent === before) return parent
  const [row] = await storage.posts.read([parent])
  if (row?.type !== type.name) throw new ApiError('rest_post_invalid_id', 'There is no such parent.', 400)
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

/** After the removal of a record: its children move to its own parent, with slugs that are free there. */
export async function moveChildrenUp(
  type: RecordType,
  { storage, settings }: Pick<HookContext, 'storage' | 'settings'>,
  removed: FoundPost,
): Promise<void> {
  if (!type.published.isHierarchical) return
  const order = { by: 'id', descending: false } as const
  const below = { types: [type.name], parents: [removed.id], order, offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const { heads } = await storage.posts.query(below)
  if (heads.length === 0) return
  const children = await storage.posts.read(heads.map(({ id }) => id))
  const { parent } = removed
  const slugs = children.map(({ slug }) => slug).filter((slug) => slug !== '')
  const taken = new Set(await storage.posts.takenSlugs(type.name, slugs, parent))
  const isFree = ({ slug }: Post) => slug === '' || !taken.has(slug)
  await storage.posts.update(children.filter(isFree).map(({ id }) => ({ id, changes: { parent } })))
  // One after the other: each takes a slug that the next one may have wanted.
  for (const { id, slug: base } of children.filter((child) => !isFree(child))) {
    const [slug = ''] = await uniqueSlugs(storage, settings, [{ type: type.name, base, parent }])
    await storage.posts.update([{ id, changes: { parent, slug } }])
  }
}
