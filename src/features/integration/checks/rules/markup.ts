/** Reads the tags of drawn HTML, each with the element of the page builder around it. */
import { tokenize } from '../../../../html/tokenize.ts'
import type { OpenTag } from '../../../../html/tokens.ts'
import { withoutMarkup } from '../../../../render/builder/html/plain-text.ts'
import { decodeReferences } from '../../../../render/filter/references.ts'

export interface DrawnTag {
  readonly name: string
  /** Decoded; an attribute without a value is an empty text. */
  readonly attributes: ReadonlyMap<string, string>
  readonly element: string | undefined
}

const voidNames = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

interface OpenElement {
  readonly name: string
  readonly element: string | undefined
}

export function tagsIn(html: string, names: readonly string[]): DrawnTag[] {
  const tags: DrawnTag[] = []
  const open: OpenElement[] = []
  for (const token of tokenize(html)) {
    if (token.kind === 'close') close(open, token.lowerName)
    if (token.kind !== 'open') continue
    const attributes = attributesOf(token)
    const own = attributes.has('data-element_type') ? attributes.get('data-id') : undefined
    const element = own ?? open.at(-1)?.element
    if (names.includes(token.lowerName)) tags.push({ name: token.lowerName, attributes, element })
    if (!token.isSelfClosing && !voidNames.has(token.lowerName)) open.push({ name: token.lowerName, element })
  }
  return tags
}

function close(open: OpenElement[], closed: string): void {
  const at = open.findLastIndex(({ name }) => name === closed)
  if (at !== -1) open.length = at
}

const attributesOf = ({ attributes }: OpenTag): ReadonlyMap<string, string> =>
  new Map(attributes.map(({ name, value }) => [name.toLowerCase(), decodeReferences(value ?? '').trim()]))

/** The readable text of HTML, in one line. */
export const textIn = (html: string): string =>
  withoutMarkup(
    html
      .replace(/<(script|style|svg|select|noscript)\b(?:(?!<\1\b)[\s\S])*?<\/\1>/gi, ' ')
      .replace(/<(?=\/?(?:p|div|h[1-6]|li|ul|ol|br|td|th|tr|section|figure|figcaption|blockquote)\b)/gi, ' <'),
  )

/** The text of the first heading; empty: there is none. */
export function headingIn(html: string): string {
  const [, , text = ''] = /<(h[1-6])\b[^<>]*>((?:(?!<\1\b)[\s\S])*?)<\/\1>/i.exec(html) ?? []
  return textIn(text)
}
