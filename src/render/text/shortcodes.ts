/**
 * Renders shortcodes: `[name attributes]` and `[name]…[/name]`. Known ones become HTML; all others are text. Written from the
 * recordings. Those of articles are rendered here; a drawer renders those that show other rows or that a host defines.
 */
import { decodeReferences } from '../filter/references.ts'
import type { ContentDrawer } from '../render.ts'
import { readAttributes } from './shortcodes/attributes.ts'
import { caption } from './shortcodes/caption.ts'
import { embed } from './shortcodes/embed.ts'
import { builtInShortcode, type ShortcodeNames } from './shortcodes/names.ts'
import { type PlayerIds, player } from './shortcodes/players.ts'
import { findShortcodes, type Shortcode } from './shortcodes/tags.ts'
import type { Work } from './typography/signs.ts'

interface ShortcodeContext {
  /** The id of the post, which the ids of its players contain. */
  readonly id?: number
  /** Draws the others. Default: they show nothing. */
  readonly draw?: Pick<ContentDrawer, 'shortcode'>
  /** Default: the built-in ones. */
  readonly isShortcode?: ShortcodeNames
  /** Counts the players of the post, where its text is rendered in pieces. */
  readonly players?: Players
}

export type Players = PlayerIds['count']
export const noPlayers = (): Players => ({ audio: 0, video: 0 })

/** Choice: nested shortcodes are rendered to a depth of 5; deeper ones stay text, so that the cost is linear in the text. */
const MAX_DEPTH = 5

/**
 * Renders the shortcodes in the text of HTML. A shortcode alone in a `<p>` replaces that paragraph. Double brackets show a
 * known shortcode in single ones.
 */
export function renderShortcodes(html: string, context: ShortcodeContext = {}, work: Work = { steps: 0 }): string {
  const { id = 0, draw, players = noPlayers(), isShortcode = builtInShortcode } = context
  return renderWithin(html, { ids: { postId: id, count: players }, draw, isShortcode }, 1, work)
}

interface Around {
  readonly ids: PlayerIds
  readonly draw: ShortcodeContext['draw']
  readonly isShortcode: ShortcodeNames
}

function renderWithin(html: string, around: Around, depth: number, work: Work): string {
  const shortcodes = findShortcodes(html, work, around.isShortcode)
  if (shortcodes.length === 0) return html
  const parts: string[] = []
  let end = 0
  for (const shortcode of shortcodes) {
    const span =
      shortcode.isEscaped || keepsParagraph(shortcode) ? shortcode : withParagraph(html, shortcode, end, work)
    parts.push(html.slice(end, span.start), rendered(html, shortcode, around, depth, work))
    end = span.end
  }
  return parts.join('') + html.slice(end)
}

function rendered(html: string, shortcode: Shortcode, around: Around, depth: number, work: Work): string {
  if (shortcode.isEscaped) return html.slice(shortcode.start + 1, shortcode.end - 1)
  const { name } = shortcode
  const { draw } = around
  const attributes = readAttributes(shortcode.attributes)
  const content = withoutParagraphs(shortcode.content ?? '')
  const deeper = (text: string) => (depth < MAX_DEPTH ? renderWithin(text, around, depth + 1, work) : text)
  if (name === 'embed') return deeper(embed({ ...shortcode, content }))
  const inner = deeper(content)
  const drawn = draw?.shortcode?.(name, decodedAttributes(attributes), shortcode.content === null ? undefined : inner)
  if (drawn !== undefined) return drawn
  if (name === 'caption') return caption(attributes, inner)
  if (name === 'audio' || name === 'video') return player(name, attributes, inner.trim(), around.ids)
  if (draw?.shortcode === undefined) return ''
  // A service of the host does not know the name.
  return html.slice(shortcode.start, shortcode.inner.start) + inner + html.slice(shortcode.inner.end, shortcode.end)
}

export const decodedAttributes = (attributes: ReadonlyMap<string, string>): { readonly [name: string]: string } =>
  Object.fromEntries([...attributes].map(([name, value]) => [name, decodeReferences(value)]))

/** A link belongs to its paragraph. */
const keepsParagraph = ({ name }: Shortcode): boolean => name === 'embed'

/** A shortcode around several paragraphs contains the end of the first and the start of the last. */
const withoutParagraphs = (content: string): string => content.replace(/<\/p>\s*<p>/g, '<br />\n')

interface Span {
  readonly start: number
  readonly end: number
}

/** Extends the span to the paragraph around it, if the paragraph contains nothing else. */
export function withParagraph(html: string, { start, end }: Span, from: number, work: Work = { steps: 0 }): Span {
  let before = start
  while (before > from && isBlank(html.charCodeAt(before - 1))) before -= 1
  let behind = end
  while (isBlank(html.charCodeAt(behind))) behind += 1
  work.steps += start - before + behind - end
  const isAlone = before - 3 >= from && html.startsWith('<p>', before - 3) && html.startsWith('</p>', behind)
  return isAlone ? { start: before - 3, end: behind + 4 } : { start, end }
}

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 9

/** Removes the paragraph around a lone shortcode in texts that show shortcodes as typed, such as written excerpts. */
export function unwrapShortcodes(
  html: string,
  work: Work = { steps: 0 },
  isShortcode: ShortcodeNames = builtInShortcode,
): string {
  const parts: string[] = []
  let end = 0
  for (const shortcode of findShortcodes(html, work, isShortcode)) {
    const span = shortcode.isEscaped ? shortcode : withParagraph(html, shortcode, end, work)
    parts.push(html.slice(end, span.start), html.slice(shortcode.start, shortcode.end))
    end = span.end
  }
  return parts.join('') + html.slice(end)
}

/** Removes known shortcodes and their content. Interface: excerpts show no known shortcode in double brackets either. */
export function stripShortcodes(text: string, isShortcode: ShortcodeNames = builtInShortcode): string {
  const parts: string[] = []
  let end = 0
  for (const shortcode of findShortcodes(text, undefined, isShortcode)) {
    parts.push(text.slice(end, shortcode.start))
    end = shortcode.end
  }
  return parts.join('') + text.slice(end)
}
