/** Slugs for rows that are written together: nobody else has them, and no two of them are the same. */
import { isReservedSlug, suffixedSlug } from '../../site/slug.ts'
import type { Storage } from '../../storage/contract.ts'

export interface SlugWish {
  readonly type: string
  readonly slug: string
  /** What the row has already. */
  readonly own?: string
}

export interface SlugChoice {
  choose(inside: Storage, wishes: readonly SlugWish[], permalink: string): Promise<string[]>
}

/** Looked for at once. */
const windowSize = 20

export function createSlugChoice(): SlugChoice {
  // Thousands of items may share a title: none begins to count anew. Only a hint, so a failed write does no harm.
  const reached = new Map<string, number>()
  return {
    async choose(inside, wishes, permalink) {
      const taken = new Set<string>()
      for (const type of new Set(wishes.map((wish) => wish.type))) {
        const slugs = wishes.filter((wish) => wish.type === type && wish.slug !== '').map(({ slug }) => slug)
        for (const slug of await inside.posts.takenSlugs(type, [...new Set(slugs)])) taken.add(`${type} ${slug}`)
      }
      const chosen: string[] = []
      for (const wish of wishes) {
        const slug = await chooseOne(inside, wish, taken, permalink)
        if (slug !== '') taken.add(`${wish.type} ${slug}`)
        chosen.push(slug)
      }
      return chosen
    },
  }

  async function chooseOne(
    inside: Storage,
    { type, slug, own }: SlugWish,
    taken: ReadonlySet<string>,
    permalink: string,
  ): Promise<string> {
    const isFree = (one: string) => !taken.has(`${type} ${one}`) && !isReservedSlug(one, permalink)
    if (slug === '' || slug === own || isFree(slug)) return slug
    const key = `${type} ${slug}`
    for (let from = reached.get(key) ?? 2; ; from += windowSize) {
      const candidates = Array.from({ length: windowSize }, (_, index) => suffixedSlug(slug, from + index))
      const stored = await inside.posts.takenSlugs(type, candidates)
      const at = candidates.findIndex((one) => one === own || (!stored.includes(one) && isFree(one)))
      if (at === -1) continue
      reached.set(key, from + at)
      return candidates[at] as string
    }
  }
}
