/**
 * Keeps rendered texts by their source: the same text is rendered once for a visitor, an editor, and after a change of another member of
 * its post.
 */
import { createLru } from '../../core/runtime/lru.ts'

/** The most characters of sources and results together. */
const mostCharacters = 4 * 1024 * 1024
/** A longer text is rare, and would drive out many others. */
const longest = 32 * 1024

/** Returns the function with its results kept. It must depend on its argument alone. */
export function keepTexts(render: (source: string) => string): (source: string) => string {
  const kept = createLru<string>(mostCharacters)
  return (source) => {
    if (source.length > longest) return render(source)
    const known = kept.get(source)
    if (known !== undefined) return known
    const rendered = render(source)
    kept.set(source, rendered, source.length + rendered.length)
    return rendered
  }
}
