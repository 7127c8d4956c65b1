/**
 * Reads the style sheets of an svg file, which programs for drawings write, and gives each element its declarations. The sheets
 * themselves are dropped: in a page they would apply to the whole page.
 */
import { type Attributes, type Child, type HtmlElement, isList, Written, written } from '../html/nodes.ts'

interface Rule {
  /** The name of the elements; empty: any. */
  readonly tag: string
  /** Says how exactly the selector selects: 0 for names of elements, 1 for classes, 2 for ids. */
  readonly rank: number
  readonly order: number
  readonly style: string
}

/** A file with more has no sheet of a drawing program. */
const maxRules = 2_000
const maxStyle = 2_000
/** Bounds what a sheet adds to the file: one rule may apply to thousands of elements. */
const maxAdded = 500_000

const SELECTOR = /^([a-zA-Z]*)(?:([.#])([\w-]+))?$/

/** Returns the tree with the styles of the sheets; undefined when they would make it too large. */
export function withSheets(
  root: HtmlElement,
  css: string,
  safeStyle: (style: string) => string,
): HtmlElement | undefined {
  const rules = readRules(css, safeStyle)
  return rules.size === 0 ? root : new Styler(rules).style(root)
}

function readRules(css: string, safeStyle: (style: string) => string): ReadonlyMap<string, readonly Rule[]> {
  const rules = new Map<string, Rule[]>()
  let order = 0
  for (const [selectors, declarations] of blocksOf(withoutComments(css))) {
    const style = safeStyle(declarations.slice(0, maxStyle))
    if (style === '') continue
    for (const selector of selectors.split(',')) {
      const found = selectorOf(selector.trim())
      if (!found || order >= maxRules) continue
      const { key, ...rule } = found
      const others = rules.get(key) ?? []
      others.push({ ...rule, order: order++, style })
      rules.set(key, others)
    }
  }
  return rules
}

/** Reads the selectors that programs write: `path`, `.a`, `#a`, `path.a`. Others are left out. */
function selectorOf(selector: string): (Pick<Rule, 'tag' | 'rank'> & { readonly key: string }) | undefined {
  const found = SELECTOR.exec(selector)
  if (!found || selector === '') return undefined
  const [, tag = '', mark = '', name = ''] = found
  return mark === '' ? { key: tag, tag: '', rank: 0 } : { key: mark + name, tag, rank: mark === '.' ? 1 : 2 }
}

/** A pattern would look for the end of each comment anew. */
function withoutComments(css: string): string {
  let kept = ''
  for (let at = 0; ; ) {
    const open = css.indexOf('/*', at)
    if (open === -1) return kept + css.slice(at)
    kept += css.slice(at, open)
    const close = css.indexOf('*/', open + 2)
    if (close === -1) return kept
    at = close + 2
  }
}

/** Blocks of rules with `@` are left out: they depend on the page. */
function* blocksOf(css: string): Iterable<readonly [selectors: string, declarations: string]> {
  for (let at = 0; ; ) {
    const open = css.indexOf('{', at)
    if (open === -1) return
    const before = css.slice(at, open)
    const selectors = before.slice(before.lastIndexOf(';') + 1).trim()
    const close = selectors.startsWith('@') ? endOfBlock(css, open) : css.indexOf('}', open)
    if (close === -1) return
    if (!selectors.startsWith('@')) yield [selectors, css.slice(open + 1, close)]
    at = close + 1
  }
}

function endOfBlock(css: string, open: number): number {
  let depth = 0
  for (let at = open; at < css.length; at++) {
    if (css[at] === '{') depth++
    else if (css[at] === '}' && --depth === 0) return at
  }
  return -1
}

class Styler {
  readonly #rules: ReadonlyMap<string, readonly Rule[]>
  #added = 0

  constructor(rules: ReadonlyMap<string, readonly Rule[]>) {
    this.#rules = rules
  }

  style(root: HtmlElement): HtmlElement | undefined {
    const styled = this.#styled(root)
    return this.#added > maxAdded ? undefined : styled
  }

  #styled(element: HtmlElement): HtmlElement {
    const { tag, attributes } = element
    const children = element.children.map((child) => (isElement(child) ? this.#styled(child) : child))
    const style = this.#added > maxAdded ? '' : this.#styleOf(tag, attributes)
    const own = textIn(attributes['style'])
    this.#added += style.length
    return {
      tag,
      attributes: style === '' ? attributes : { ...attributes, style: written([style, own].filter(Boolean).join(';')) },
      children,
    }
  }

  #styleOf(tag: string, attributes: Attributes): string {
    const classes = textIn(attributes['class']).split(/\s+/).slice(0, 20)
    const keys = [tag, ...classes.map((name) => `.${name}`), `#${textIn(attributes['id'])}`]
    return keys
      .flatMap((key) => this.#rules.get(key) ?? [])
      .filter((rule) => rule.tag === '' || rule.tag === tag)
      .sort((one, other) => one.rank - other.rank || one.order - other.order)
      .map(({ style }) => style)
      .join(';')
  }
}

const isElement = (child: Child): child is HtmlElement => typeof child === 'object' && !isList(child) && 'tag' in child
const textIn = (value: Attributes[string]): string => (value instanceof Written ? value.text : '')
