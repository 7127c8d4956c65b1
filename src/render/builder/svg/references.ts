/** Counts the elements that a browser draws for an svg file, which refers to its own parts: few lines can stand for billions. */
import { type Attributes, type Child, type HtmlElement, isList, Written } from '../html/nodes.ts'

const maxDrawn = 200_000
const maxChain = 200

/** Returns whether the file draws too much, or refers to itself without an end. */
export function drawsTooMuch(root: HtmlElement): boolean {
  const counter = new Counter(root)
  return counter.count(root, 0) > maxDrawn
}

class Counter {
  readonly #parts = new Map<string, HtmlElement>()
  /** Infinite while the part is being counted: it refers to itself. */
  readonly #counts = new Map<HtmlElement, number>()

  constructor(root: HtmlElement) {
    this.#note(root)
  }

  #note(element: HtmlElement): void {
    const id = textIn(element.attributes['id'])
    if (id !== '' && !this.#parts.has(id)) this.#parts.set(id, element)
    for (const child of element.children) if (isElement(child)) this.#note(child)
  }

  count(element: HtmlElement, chain: number): number {
    const known = this.#counts.get(element)
    if (known !== undefined) return known
    if (chain > maxChain) return Number.POSITIVE_INFINITY
    this.#counts.set(element, Number.POSITIVE_INFINITY)
    let drawn = 1
    for (const child of element.children) if (isElement(child)) drawn += this.count(child, chain)
    for (const { id, times } of referencesOf(element.attributes)) {
      const part = this.#parts.get(id)
      if (part) drawn += times * this.count(part, chain + 1)
    }
    this.#counts.set(element, drawn)
    return drawn
  }
}

interface Reference {
  readonly id: string
  readonly times: number
}

/** A marker is drawn at each point of a path. */
function referencesOf(attributes: Attributes): readonly Reference[] {
  const found: Reference[] = []
  for (const [name, value] of Object.entries(attributes)) {
    const text = textIn(value)
    if (name === 'href') found.push({ id: text.slice(1), times: 1 })
    if (!text.includes('url(')) continue
    const times = name === 'style' || name.startsWith('marker-') ? pointsOf(attributes) : 1
    for (const [, id = ''] of text.matchAll(/url\(\s*['"]?#([\w.-]+)/gi)) found.push({ id, times })
  }
  return found
}

const pointsOf = (attributes: Attributes): number =>
  Math.max(1, (textIn(attributes['d']) + textIn(attributes['points'])).split(/[\s,a-z]+/i).length / 2)

const isElement = (child: Child): child is HtmlElement => typeof child === 'object' && !isList(child) && 'tag' in child
const textIn = (value: Attributes[string]): string => (value instanceof Written ? value.text : '')
