/** Finds a slug that no row has. */
import { suffixedSlug } from '../site/slug.ts'

/** `base`, else the first of `base-2`, `base-3` and so on that is not taken. */
export async function unusedSlug(base: string, isTaken: (slug: string) => Promise<boolean>): Promise<string> {
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : suffixedSlug(base, n)
    if (!(await isTaken(slug))) return slug
  }
}
