/** The rank of a post in `orderby=relevance`, which the SQL storages write as an expression. */

/**
 * With more words than this only the phrase ranks: few titles contain so many.
 *
 * ```ts
 * import { maxRankedWords } from 'site-api/storage'
 *
 * export const words = 'high tide at the pier'.split(' ').slice(0, maxRankedWords)
 * ```
 */
export const maxRankedWords = 6

/**
 * 1 (best) to 6. All texts are folded; `words` are the separate words of the search, `phrase` is the full search text. An
 * empty phrase and an empty list of words do not rank.
 *
 * ```ts
 * import { fold, rank } from 'site-api/storage'
 *
 * const post = { title: fold('High tide'), excerpt: '', content: '' }
 * export const best = rank(post, 'high tide', ['high', 'tide'])
 * ```
 */
export function rank(
  post: { readonly title: string; readonly excerpt: string; readonly content: string },
  phrase: string,
  words: readonly string[],
): number {
  const hasPhrase = (text: string) => phrase !== '' && text.includes(phrase)
  if (hasPhrase(post.title)) return 1
  if (words.length > 0 && words.length <= maxRankedWords) {
    if (words.every((word) => post.title.includes(word))) return 2
    if (words.some((word) => post.title.includes(word))) return 3
  }
  if (hasPhrase(post.excerpt)) return 4
  return hasPhrase(post.content) ? 5 : 6
}
