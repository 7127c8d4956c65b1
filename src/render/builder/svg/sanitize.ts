/**
 * Parses an svg file into a tree of listed elements and attributes. Unlisted ones are dropped with their content: scripts,
 * foreign elements, animations, images; rules of style sheets go to their elements. A file that is not well formed, or refers to its own
 * parts too often, yields nothing.
 */
import { tokenize } from '../../../html/tokenize.ts'
import type { Attribute, OpenTag, Token } from '../../../html/tokens.ts'
import { decodeReferences } from '../../filter/references.ts'
import { type Attributes, type Child, type HtmlElement, type Written, written } from '../html/nodes.ts'
import { drawsTooMuch } from './references.ts'
import { withSheets } from './style-sheet.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const ELEMENTS = words(
  'svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc linearGradient ' +
    'radialGradient stop clipPath mask pattern marker',
)
/** These elements are replaced by their content: an icon contains no links. */
const UNWRAPPED = words('a switch')

/** Properties that svg allows both as attributes and in `style`. */
const PRESENTATION = words(
  'clip-path clip-rule color color-interpolation cursor direction display dominant-baseline fill fill-opacity fill-rule ' +
    'font-family font-size font-stretch font-style font-variant font-weight letter-spacing alignment-baseline baseline-shift ' +
    'marker-end marker-mid marker-start mask mix-blend-mode opacity overflow paint-order pointer-events shape-rendering ' +
    'stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit ' +
    'stroke-opacity stroke-width text-anchor text-decoration text-rendering transform transform-origin unicode-bidi ' +
    'vector-effect visibility word-spacing writing-mode',
)
const GEOMETRY = words(
  'clipPathUnits cx cy d dx dy fr fx fy gradientTransform gradientUnits height lengthAdjust markerHeight markerUnits ' +
    'markerWidth maskContentUnits maskUnits method offset orient pathLength patternContentUnits patternTransform patternUnits ' +
    'points preserveAspectRatio r refX refY rotate rx ry side spacing spreadMethod startOffset textLength viewBox width x x1 ' +
    'x2 y y1 y2',
)
/** These attributes accept any text. */
const NAMES = words('aria-label aria-labelledby aria-describedby class id lang role')
const LINKED = words('use linearGradient radialGradient pattern textPath')

const maxDepth = 64

interface Open {
  /** The name as written, to match the end tag. */
  readonly name: string
  /** Receives the children; undefined below a dropped element. */
  readonly children: Child[] | undefined
}

export function sanitizeSvg(source: string): HtmlElement | undefined {
  const text = withoutProlog(source)
  const tree = new Tree()
  for (const token of tokenize(text, { rawText: false })) {
    if (!tree.take(token, text.slice(token.start, token.end))) return undefined
  }
  const { root } = tree
  const styled = root && withSheets(root, tree.css, safeStyle)
  return styled && !drawsTooMuch(styled) ? styled : undefined
}

class Tree {
  readonly #open: Open[] = []
  readonly #css: string[] = []
  #root: HtmlElement | undefined

  /** Returns false when the file is not well formed. */
  take(token: Token, source: string): boolean {
    if (token.kind === 'open') return this.#start(token, source)
    if (token.kind === 'close') return this.#open.pop()?.name === token.name
    if (token.kind === 'text') return this.#text(source)
    if (this.#open.at(-1)?.name === 'style') this.#css.push(sectionText(source))
    return true
  }

  /** The style sheets of the file. */
  get css(): string {
    return this.#css.join('\n')
  }

  /** Returns undefined while elements are open. */
  get root(): HtmlElement | undefined {
    return this.#open.length === 0 ? this.#root : undefined
  }

  #start(token: OpenTag, source: string): boolean {
    const isRoot = this.#open.length === 0
    if (!isWellFormed(token, source) || this.#open.length >= maxDepth) return false
    if (isRoot && (this.#root !== undefined || token.name !== 'svg')) return false
    const element = readElement(token)
    const siblings = this.#open.at(-1)?.children
    if (isRoot) this.#root = element.node
    else if (element.node) siblings?.push(element.node)
    const isLeftOut = !isRoot && siblings === undefined
    const own = element.isUnwrapped ? siblings : element.node && element.children
    if (!token.isSelfClosing) this.#open.push({ name: token.name, children: isLeftOut ? undefined : own })
    return true
  }

  #text(source: string): boolean {
    if (source.trim() === '') return true
    if (this.#open.at(-1)?.name === 'style') this.#css.push(decodeReferences(source))
    this.#open.at(-1)?.children?.push(decodeReferences(source))
    return this.#open.length > 0 && !source.includes('<')
  }
}

/** Returns the text of a CDATA section. */
const sectionText = (source: string): string => /^<!\[CDATA\[([\s\S]*?)(?:\]\]>)?$/.exec(source)?.[1] ?? ''

/** Drops the XML declaration and the document type; entities are never read. */
function withoutProlog(source: string): string {
  const text = source.replace(/^\uFEFF/, '').trim()
  const type = /<!DOCTYPE\b[^<>[\]]*(?:\[[^\]]*\])?[^<>[\]]*>/iy
  // Only at the first one: a file of many that never end would be read again for each.
  type.lastIndex = Math.max(0, text.search(/<!DOCTYPE\b/i))
  const found = type.exec(text)
  return found ? text.slice(0, found.index) + text.slice(type.lastIndex) : text
}

interface Read {
  /** Undefined for an element that is dropped or replaced by its content. */
  readonly node: HtmlElement | undefined
  readonly children: Child[]
  readonly isUnwrapped: boolean
}

function readElement({ name, attributes }: OpenTag): Read {
  const children: Child[] = []
  if (!ELEMENTS.has(name)) return { node: undefined, children, isUnwrapped: UNWRAPPED.has(name) }
  return { node: { tag: name, attributes: safeAttributes(name, attributes), children }, children, isUnwrapped: false }
}

/** XML requires quoted values and forbids repeated attributes. */
function isWellFormed({ attributes }: OpenTag, source: string): boolean {
  if (attributes.some(({ value }) => value === null || value.includes('<'))) return false
  if (new Set(attributes.map(({ name }) => name)).size !== attributes.length) return false
  return !source.replace(/=\s*(?:"[^"]*"|'[^']*')/g, '').includes('=')
}

function safeAttributes(tag: string, attributes: readonly Attribute[]): Attributes {
  const safe: [string, Written][] = []
  for (const { name, value } of attributes) {
    const text = decodeReferences(value ?? '')
    const kept = name === 'style' ? safeStyle(text) : isSafe(tag, name, text) ? text : ''
    if (kept !== '') safe.push([name === 'xlink:href' ? 'href' : name, written(kept)])
  }
  return Object.fromEntries(safe)
}

function isSafe(tag: string, name: string, value: string): boolean {
  if (name === 'href' || name === 'xlink:href') return LINKED.has(tag) && /^#[\w.-]+$/.test(value)
  if (NAMES.has(name)) return true
  return (PRESENTATION.has(name) || GEOMETRY.has(name)) && isSafeValue(value)
}

const LOCAL = /url\(\s*(['"]?)#[\w.-]+\1\s*\)/gi

/** Addresses may refer only to parts of the same file. */
const isSafeValue = (value: string): boolean => !/[<>@\\:;{}]|url|image|src|expression/i.test(value.replace(LOCAL, ''))

const safeStyle = (style: string): string =>
  style
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':')
      const property = declaration.slice(0, colon).trim().toLowerCase()
      const value = declaration.slice(colon + 1).trim()
      return colon > 0 && PRESENTATION.has(property) && value !== '' && isSafeValue(value)
        ? [`${property}:${value}`]
        : []
    })
    .join(';')
