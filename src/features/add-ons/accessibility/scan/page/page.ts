/** The page that the rules judge: its elements with styles, ids, and whether a reader meets them. */

import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { createXPathView } from '../../remediation/xpath-view.ts'
import { browserSheet } from '../css/browser-sheet.ts'
import { Styles } from '../css/cascade.ts'
import { type CssParser, Sheets } from '../css/sheets.ts'
import { ancestorsOf, attributeOf, type Element, elementsBelow, isElement, ownText, parentOf } from './dom.ts'

/** Pages of this size take a second. */
export const maxElements = 30_000

export class Page {
  readonly root: Element
  readonly elements: readonly Element[]
  readonly styles: Styles
  readonly #document: DefaultTreeAdapterTypes.Document
  readonly #ids = new Map<string, Element[]>()
  readonly #hidden = new Map<Element, boolean>()

  constructor(source: string, sheets: readonly string[], parser: CssParser) {
    const document = parse(source)
    this.#document = document
    // The cast: the parser gives every document this element.
    this.root = document.childNodes.find(isElement) as Element
    this.elements = [this.root, ...elementsBelow(this.root)]
    const all = new Sheets(parser)
    all.add(browserSheet, { isOfBrowser: true })
    for (const sheet of sheets) all.add(sheet)
    for (const element of this.elements) if (element.tagName === 'style') all.add(ownText(element))
    this.styles = new Styles(all)
    for (const element of this.elements) {
      const id = attributeOf(element, 'id')
      if (id === undefined || id === '') continue
      const list = this.#ids.get(id)
      if (list) list.push(element)
      else this.#ids.set(id, [element])
    }
  }

  byId(id: string): Element | undefined {
    return this.#ids.get(id)?.[0]
  }

  /** The elements of an XPath. */
  find(xpath: string): readonly Element[] {
    this.#view ??= createXPathView(this.#document)
    return this.#view.find(xpath).elements
  }

  #view: ReturnType<typeof createXPathView> | undefined

  get ids(): ReadonlyMap<string, readonly Element[]> {
    return this.#ids
  }

  /** Whether the element is hidden from all readers. */
  isHidden(element: Element): boolean {
    const known = this.#hidden.get(element)
    if (known !== undefined) return known
    const hidden = this.#isAway(element) || this.styles.inherited(element, 'visibility') === 'hidden'
    this.#hidden.set(element, hidden)
    return hidden
  }

  readonly #away = new Map<Element, boolean>()

  #isAway(element: Element): boolean {
    const known = this.#away.get(element)
    if (known !== undefined) return known
    const parent = parentOf(element)
    const away =
      this.styles.own(element, 'display') === 'none' ||
      this.styles.own(element, 'content-visibility') === 'hidden' ||
      (parent !== undefined && this.#isAway(parent))
    this.#away.set(element, away)
    return away
  }

  /** Whether readers of the screen's text do not meet the element: it is hidden, or inside `aria-hidden`. */
  isSilent(element: Element): boolean {
    if (this.isHidden(element) || attributeOf(element, 'aria-hidden') === 'true') return true
    for (const one of ancestorsOf(element)) if (attributeOf(one, 'aria-hidden') === 'true') return true
    return false
  }

  /** Whether somebody sees it: it is not hidden, transparent, cut away or beside the screen. */
  isSeen(element: Element): boolean {
    if (this.isHidden(element)) return false
    for (let one: Element | undefined = element; one; one = parentOf(one)) if (this.#isCutAway(one)) return false
    return true
  }

  readonly #cut = new Map<Element, boolean>()

  #isCutAway(element: Element): boolean {
    const known = this.#cut.get(element)
    if (known !== undefined) return known
    const { styles } = this
    const own = (name: string) => styles.own(element, name) ?? ''
    const px = (name: string) => styles.pixels(element, name)
    const isFree = /absolute|fixed/.test(own('position'))
    const isTiny = own('overflow').startsWith('hidden') && ((px('width') ?? 9) <= 1 || (px('height') ?? 9) <= 1)
    const side = px('left') ?? px('inset-inline-start') ?? 0
    const cut =
      Number(own('opacity') || 1) === 0 ||
      isTiny ||
      (isFree && (side <= -999 || (px('top') ?? 0) <= -999 || /^rect\(\s*(?:0|1px)/.test(own('clip')))) ||
      /^inset\((?:50|100)%/.test(own('clip-path')) ||
      (px('text-indent') ?? 0) <= -999
    this.#cut.set(element, cut)
    return cut
  }

  #labels: Map<string, Element[]> | undefined

  /** The labels that name an id. */
  labelsFor(id: string): readonly Element[] {
    this.#labels ??= Map.groupBy(
      this.elements.filter(({ tagName }) => tagName === 'label'),
      (label) => attributeOf(label, 'for') ?? '',
    )
    return id === '' ? [] : (this.#labels.get(id) ?? [])
  }
}
