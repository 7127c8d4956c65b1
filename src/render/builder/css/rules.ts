/** Rules of one style sheet by breakpoint. Declarations arrive checked; this file only orders and writes them. */
import type { Breakpoint } from './breakpoints.ts'

export type Declaration = readonly [property: string, value: string]
export type Declarations = readonly Declaration[]

interface Bucket {
  readonly query: string
  readonly order: number
  readonly rules: Map<string, Map<string, string>>
}

export class RuleSet {
  readonly #buckets = new Map<number, Bucket>()
  /** Texts behind all rules: checked custom CSS. */
  readonly #texts: string[] = []

  /** A later declaration of the same property, selector and breakpoint replaces the earlier one. */
  add(breakpoint: Breakpoint, selector: string, declarations: Declarations): void {
    if (declarations.length === 0) return
    const bucket = this.#bucketOf(breakpoint)
    let rule = bucket.rules.get(selector)
    if (!rule) {
      rule = new Map()
      bucket.rules.set(selector, rule)
    }
    for (const [property, value] of declarations) rule.set(property, value)
  }

  addText(css: string): void {
    if (css !== '') this.#texts.push(css)
  }

  get isEmpty(): boolean {
    return this.#buckets.size === 0 && this.#texts.length === 0
  }

  toString(): string {
    const buckets = [...this.#buckets.values()].sort((a, b) => a.order - b.order)
    return buckets.map(bucketText).join('') + this.#texts.join('')
  }

  #bucketOf({ query, order }: Breakpoint): Bucket {
    let bucket = this.#buckets.get(order)
    if (!bucket) {
      bucket = { query, order, rules: new Map() }
      this.#buckets.set(order, bucket)
    }
    return bucket
  }
}

function bucketText({ query, rules }: Bucket): string {
  let text = ''
  for (const [selector, declarations] of rules) text += `${selector}{${declarationsText(declarations)}}`
  return query === '' ? text : `@media${query}{${text}}`
}

function declarationsText(declarations: ReadonlyMap<string, string>): string {
  let text = ''
  for (const [property, value] of declarations) text += text === '' ? `${property}:${value}` : `;${property}:${value}`
  return text
}
