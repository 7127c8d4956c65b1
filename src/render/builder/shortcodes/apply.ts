/**
 * Replaces the shortcodes of a text in a document: those of the builder and the host, and those of articles. Unknown shortcodes stay
 * as typed; the drawn page has a warning that names them.
 */
import { readAttributes } from '../../text/shortcodes/attributes.ts'
import { builtInShortcode } from '../../text/shortcodes/names.ts'
import { findShortcodes, foreignShortcodes, type Shortcode } from '../../text/shortcodes/tags.ts'
import { decodedAttributes, noPlayers, type Players, renderShortcodes, withParagraph } from '../../text/shortcodes.ts'
import { drawShortcode, shortcodeDrawer, shortcodesOf } from '../elements/content-shortcodes.ts'
import type { Child } from '../html/nodes.ts'
import { serialize } from '../html/serialize.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'

interface Around {
  readonly pass: Pass
  readonly scope: Scope
  /** Writes the HTML between the shortcodes, and shortcodes of articles. */
  readonly write: (html: string) => Child
}

interface Place extends Around {
  readonly players: Players
  readonly depth: number
}

/** Nested shortcodes are drawn to the depth of those in articles; deeper ones stay text. */
const maxDepth = 5

export const applyShortcodes = (html: string, around: Around): Child =>
  apply(html, { ...around, players: noPlayers(), depth: 1 })

function apply(html: string, place: Place): Child {
  const { pass, write } = place
  const text = (part: string): Child => (part === '' ? undefined : write(part))
  const parts: Child[] = []
  let end = 0
  for (const found of findShortcodes(html, undefined, shortcodesOf(pass))) {
    const alone = found.isEscaped ? found : withParagraph(html, found, end)
    const drawn = found.isEscaped ? write(html.slice(found.start + 1, found.end - 1)) : draw(html, found, alone, place)
    const span = drawn === undefined ? found : alone
    parts.push(text(html.slice(end, span.start)), drawn ?? typed(html, found, place))
    end = span.end
  }
  parts.push(text(html.slice(end)))
  return parts
}

function draw(
  html: string,
  found: Shortcode,
  alone: { readonly start: number; readonly end: number },
  place: Place,
): Child {
  const { pass, scope, write } = place
  if (builtInShortcode(found.name) && !pass.tables.shortcode(found.name)) {
    const { players } = place
    const drawer = { shortcode: shortcodeDrawer(scope, pass) }
    const options = { id: scope.post, players, isShortcode: shortcodesOf(pass), draw: drawer }
    return write(renderShortcodes(html.slice(alone.start, alone.end), options))
  }
  const attributes = decodedAttributes(readAttributes(found.attributes))
  const inner = found.content === null ? {} : { inner: serialize(within(found.content, place)) }
  return drawShortcode({ name: found.name, attributes, ...inner, pass, scope })
}

const within = (content: string, place: Place): Child =>
  place.depth < maxDepth ? apply(content, { ...place, depth: place.depth + 1 }) : place.write(content)

/** Writes the tags of a shortcode that nothing knows, and draws those that it encloses. */
function typed(html: string, { start, end, inner, content }: Shortcode, place: Place): Child {
  if (content === null) return place.write(html.slice(start, end))
  return [place.write(html.slice(start, inner.start)), within(content, place), place.write(html.slice(inner.end, end))]
}

/** Warns of what looks like a shortcode of an add-on in a drawn page: each text of each widget is in it. */
export function warnOfShortcodes(html: string, pass: Pass): void {
  for (const name of foreignShortcodes(html, pass.tables.isShortcode)) {
    const message = `[${name}] is no shortcode of this site: render.shortcodes can define it`
    pass.warnings.add('unknown_shortcode', undefined, message)
  }
}
