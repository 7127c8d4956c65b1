/** Collects the rules of one style sheet by breakpoint. Declarations arrive checked; this file orders and writes them. */
import type { Breakpoint } from './breakpoints.ts'

export type Declaration = readonly [property: string, value: string]
export type Declarations = readonly Declaration[]

interface Bucket {
  readonly query: string
  readonly order: number
  readonly rules: Map<string, Rule>
}

interface Rule {
  readonly declarations: Map<string, string>
  /** Custom CSS with nested rules, written after the declarations. */
  readonly blocks: string[]
}

export class RuleSet {
  readonly #buckets = new Map<number, Bucket>()
  /** Custom CSS, written after all rules. */
  readonly #texts: string[] = []

  /** Adds declarations. A later declaration of the same property, selector and breakpoint replaces the earlier one. */
  add(breakpoint: Breakpoint, selector: string, declarations: Declarations): void {
    if (declarations.length === 0) return
    const rule = this.#ruleOf(breakpoint, selector)
    for (const [property, value] of declarations) {
      // The declaration moves to the end: a shorthand between the two would override it.
      rule.declarations.delete(property)
      rule.declarations.set(property, value)
    }
  }

  /** Adds custom CSS after the declarations of a rule. */
  addBlock(breakpoint: Breakpoint, selector: string, content: string): void {
    if (content !== '') this.#ruleOf(breakpoint, selector).blocks.push(content)
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

  #ruleOf(breakpoint: Breakpoint, selector: string): Rule {
    const { rules } = this.#bucketOf(breakpoint)
    let rule = rules.get(selector)
    if (!rule) {
      rule = { declarations: new Map(), blocks: [] }
      rules.set(selector, rule)
    }
    return rule
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
  for (const [selector, rule] of rules) text += `${selector}{${ruleText(rule)}}`
  return query === '' ? text : `@media${query}{${text}}`
}

function ruleText({ declarations, blocks }: Rule): string {
  let text = ''
  for (const [property, value] of declarations) text += text === '' ? `${property}:${value}` : `;${property}:${value}`
  for (const block of blocks) text += text === '' ? block : `;${block}`
  return text
}
