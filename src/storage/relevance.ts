/**
 * How well a post fits a search, for `orderby=relevance`. One rule for all storages: the SQL one writes the same as an
 * expression.
 */

/** 1 is best. All texts are folded; `words` are the single terms of the search, `phrase` the whole of it. */
export function rank(
  post: { readonly title: string; readonly excerpt: string; readonly content: string },
  phrase: string,
  words: readonly string[],
): number {
  if (post.title.includes(phrase)) return 1
  if (words.length > 1 && words.every((word) => post.title.includes(word))) return 2
  if (words.length > 1 && words.some((word) => post.title.includes(word))) return 3
  if (post.excerpt.includes(phrase)) return 4
  if (post.content.includes(phrase)) return 5
  return 6
}
