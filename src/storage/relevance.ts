/**
 * How well a post fits a search, for `orderby=relevance`. One rule for all storages: the SQL one writes the same as an
 * expression.
 */

/** Beyond this many words only the whole phrase ranks: few titles hold so many. */
export const maxRankedWords = 6

/**
 * 1 is best. All texts are folded; `words` are the single terms of the search, `phrase` the whole of it. An empty phrase
 * and an empty list of words rank nothing.
 */
export function rank(
  post: { readonly title: string; readonly excerpt: string; readonly content: string },
  phrase: string,
  words: readonly string[],
): number {
  const holdsPhrase = (text: string) => phrase !== '' && text.includes(phrase)
  if (holdsPhrase(post.title)) return 1
  if (words.length > 0 && words.length <= maxRankedWords) {
    if (words.every((word) => post.title.includes(word))) return 2
    if (words.some((word) => post.title.includes(word))) return 3
  }
  if (holdsPhrase(post.excerpt)) return 4
  return holdsPhrase(post.content) ? 5 : 6
}
