/** Slugs of terms, unique within their taxonomy. */

import { maxDepth } from '../../../site/permalink.ts'
import { suffixedSlug, toSlug } from '../../../site/slug.ts'
import type { Storage } from '../../../storage/contract.ts'
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
  return firstFree(storage, request, nested)
}

/** Candidates are looked up in growing windows. */
async function firstFree(storage: Storage, { taxonomy }: SlugRequest, base: string): Promise<string> {
  for (let from = 2, size = 8; ; from += size, size *= 8) {
    const slugs = Array.from({ length: size }, (_, index) => suffixedSlug(base, from + index))
    const order = { by: 'id', descending: false } as const
    const { rows } = await storage.terms.query({ taxonomies: [taxonomy], slugs, order, offset: 0, limit: size })
    const taken = new Set(rows.map(({ slug }) => slug))
    const free = slugs.find((slug) => !taken.has(slug))
    if (free !== undefined) return free
  }
}

async function isFree(storage: Storage, { taxonomy, own }: SlugRequest, slug: string): Promise<boolean> {
  const holder = await firstTerm(storage, { taxonomies: [taxonomy], slugs: [slug] })
  return holder === undefined || holder.id === own
}
