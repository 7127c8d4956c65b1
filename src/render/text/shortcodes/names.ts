/** Says which names are shortcodes. All other square brackets are text. */
export type ShortcodeNames = (name: string) => boolean

const OF_ARTICLES: ReadonlySet<string> = new Set(['audio', 'caption', 'embed', 'gallery', 'playlist', 'video'])

/** The shortcode that shows a template is found in all words: a site with a names preset stores another one. */
export const isTemplateShortcode: ShortcodeNames = (name) =>
  name.endsWith('-template') && /^[a-z]+-template$/.test(name)

/** Names match in lower case only. */
export const builtInShortcode: ShortcodeNames = (name) => OF_ARTICLES.has(name) || isTemplateShortcode(name)

/** Adds the names that a host defines. */
export const shortcodeNames = (defined: readonly string[]): ShortcodeNames => {
  if (defined.length === 0) return builtInShortcode
  const names = new Set(defined)
  return (name) => names.has(name) || builtInShortcode(name)
}
