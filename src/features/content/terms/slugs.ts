/** Slugs of terms, unique within their taxonomy. */

import type { Storage } from '../../../contract/storage.ts'
import { freeSlug } from '../../../site/free-slug.ts'
import { maxDepth } from '../../../site/permalink.ts'
import { toSlug } from '../../../site/slug.ts'
import { firstTerm } from './model.ts'

interface SlugRequest {
  readonly taxonomy: string
  readonly base: string
  readonly parent: number
  /** The term that may have the slug already. */
  readonly own?: number
}

/**
 * The base where it is free. Interface: a term below another one gets the slugs of those above behind its own first; then a
 * number follows.
 */
export async function uniqueTermSlug(storage: Storage, request: SlugRequest): Promise<string> {
  const { base, parent } = request
  if (await isFree(storage, request, base)) return base
  let nested = base
  let above = parent === 0 ? undefined : await firstTerm(storage, { ids: [parent] })
  for (let depth = 0; above !== undefined && depth < maxDepth; depth++) {
    nested = toSlug(`${nested}-${above.slug}`)
    if (await isFree(storage, request, nested)) return nested
    above = above.parent === 0 ? undefined : await firstTerm(storage, { ids: [above.parent] })
  }
  const order = { by: 'id', descending: false } as const
  const taxonomies = [request.taxonomy]
  const takenOf = async (slugs: readonly string[]) =>
    (await storage.terms.query({ taxonomies, slugs, order, offset: 0, limit: slugs.length })).rows.map(
      ({ slug }) => slug,
    )
  return freeSlug(nested, takenOf, 2)
}

async function isFree(storage: Storage, { taxonomy, own }: SlugRequest, slug: string): Promise<boolean> {
  const holder = await firstTerm(storage, { taxonomies: [taxonomy], slugs: [slug] })
  return holder === undefined || holder.id === own
}
