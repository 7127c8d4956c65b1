/**
 * Collects the styles of one pass. Elements define styles and list the names of those that apply to them; the rules are written
 * after the last element, because any element may list a style and unlisted styles are left out.
 */
import type { Element } from '../../document/element.ts'
import { isObject, nameOf, objectOf, ownValue, type RawSettings, textOf } from '../../document/values.ts'
import type { Pass } from '../../pass/pass.ts'
import type { ValueContext } from '../tagged.ts'
import { writeStyle } from './style.ts'
import { StyleValues } from './values.ts'

interface Definition {
  readonly name: string
  readonly style: RawSettings
  readonly element: string
  readonly context: ValueContext
  readonly prefix: string
}

const collectors = new WeakMap<Pass, AtomicStyles>()

export class AtomicStyles {
  readonly #pass: Pass
  readonly #used = new Set<string>()
  readonly #usedClasses = new Map<string, ValueContext>()
  /** Definitions by document, in the order of first use. */
  readonly #definitions = new Map<number, Definition[]>()
  /** Components in the order in which they end: inner ones first. */
  readonly #components = new Set<number>()
  /** Styles that are already defined, by loop item. */
  readonly #seen = new Map<number, Set<object>>()

  constructor(pass: Pass) {
    this.#pass = pass
  }

  static of(pass: Pass): AtomicStyles {
    const known = collectors.get(pass)
    if (known) return known
    const styles = new AtomicStyles(pass)
    collectors.set(pass, styles)
    pass.whenDrawn(() => styles.#write())
    return styles
  }

  /** Registers the styles of an element. In a loop, styles with dynamic values have rules for each item. */
  define({ raw, id }: Element, context: ValueContext): void {
    const { document, loopItem } = context.scope
    const styles = Object.entries(objectOf(ownValue(raw, 'styles')))
    if (styles.length === 0) return
    const owner = document.post.id
    const list = this.#definitions.get(owner) ?? []
    this.#definitions.set(owner, list)
    for (const [key, style] of styles) {
      const name = nameOf(key)
      if (!isObject(style) || name === '' || !isClass(style)) continue
      const isPerItem = loopItem !== undefined && hasDynamic(style)
      if (this.#isSeen(style, isPerItem ? loopItem : 0)) continue
      const prefix = isPerItem ? `.e-loop-item-${loopItem} ` : '.builder '
      list.push({ name, style, element: id, context, prefix })
    }
  }

  /** Returns the class name for an entry of the setting `classes`: a local style or a global class. */
  use(entry: string, context: ValueContext, { raw, id }: Element): string {
    const name = nameOf(entry)
    if (name === '' || Object.hasOwn(objectOf(ownValue(raw, 'styles')), entry)) {
      this.#used.add(name)
      return name
    }
    const found = this.#pass.kit.classLabels.get(entry)
    if (isGlobalId(entry) || found) this.#pass.depend(`class:${name}`)
    if (!found) {
      if (isGlobalId(entry)) this.#pass.warnings.add('missing_global', id)
      this.#used.add(name)
      return name
    }
    if (!this.#usedClasses.has(entry)) this.#usedClasses.set(entry, context)
    return found.label
  }

  leaveComponent(id: number): void {
    this.#components.add(id)
  }

  #isSeen(style: object, item: number): boolean {
    const seen = this.#seen.get(item) ?? new Set()
    this.#seen.set(item, seen)
    const isKnown = seen.has(style)
    seen.add(style)
    return isKnown
  }

  #write(): void {
    this.#writeClasses()
    const rules = this.#pass.sheets.of('local')
    const owners = [...this.#components, ...[...this.#definitions.keys()].filter((id) => !this.#components.has(id))]
    for (const owner of owners)
      for (const { name, style, element, context, prefix } of this.#definitions.get(owner) ?? []) {
        if (!this.#used.has(name)) continue
        const values = new StyleValues(context, element)
        const isTrusted = () => this.#pass.isTrusted(context.scope.document)
        writeStyle(style, { rules, prefix, name, values, isTrusted })
      }
  }

  /**
   * Writes the used global classes in the order of the kit. Only users who may edit the kit write them, so their custom CSS is
   * trusted.
   */
  #writeClasses(): void {
    if (this.#usedClasses.size === 0) return
    this.#pass.depend('classes')
    const rules = this.#pass.sheets.of('classes')
    for (const { id, label, style } of this.#pass.kit.classes.values()) {
      const context = this.#usedClasses.get(id)
      if (!context || !isClass(style)) continue
      const options = {
        rules,
        prefix: '.builder ',
        name: label,
        values: new StyleValues(context),
        isTrusted: () => true,
      }
      writeStyle(style, options)
    }
  }
}

const isGlobalId = (entry: string) => entry.startsWith('g-')

const isClass = (style: RawSettings): boolean => ['', 'class'].includes(textOf(ownValue(style, 'type')))

const maxSearched = 1000

/** Returns whether a value of the style comes from a dynamic tag. */
function hasDynamic(style: RawSettings): boolean {
  const stack: unknown[] = [style]
  for (let left = maxSearched; stack.length > 0 && left > 0; left--) {
    const value = stack.pop()
    if (typeof value !== 'object' || value === null) continue
    if (isObject(value) && ownValue(value, '$$type') === 'dynamic') return true
    stack.push(...Object.values(value))
  }
  return false
}
