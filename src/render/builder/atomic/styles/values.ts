/** Writes tagged values of styles as CSS text. */
import * as css from '../../css/values.ts'
import { limits } from '../../document/limits.ts'
import { isObject, numberOf, objectOf, ownValue, type RawSettings, textOf } from '../../document/values.ts'
import { variableKinds } from '../../kit/variables.ts'
import { sizedImage } from '../image.ts'
import { isTooDeep, type Tagged, tagged, type ValueContext } from '../tagged.ts'

export class StyleValues {
  readonly context: ValueContext
  readonly #element: string | undefined

  constructor(context: ValueContext, element?: string) {
    this.context = context
    this.#element = element
  }

  readonly onUnsafe = (): void => this.context.pass.warnings.add('unsafe_value', this.#element)

  warn(code: 'unknown_property' | 'missing_global'): void {
    this.context.pass.warnings.add(code, this.#element)
  }

  /** Returns the value of a property. */
  property(stored: unknown): Tagged | undefined {
    return isTooDeep(stored) ? undefined : tagged(stored, this.context)
  }

  tag(value: unknown): Tagged | undefined {
    return tagged(value, this.context)
  }

  /** Returns the members of a tagged object, or of an entry without a tag. */
  members(value: unknown): RawSettings {
    return objectOf(this.tag(value)?.value)
  }

  /** Returns the entries of a tagged list. */
  list(value: unknown): readonly unknown[] {
    const list = this.tag(value)?.value
    return Array.isArray(list) ? list.slice(0, limits.items) : []
  }

  /** Writes a single value: a text, a number, a size, a colour or a variable. */
  text(value: unknown): string | undefined {
    return this.textOf(this.tag(value))
  }

  textOf(found: Tagged | undefined): string | undefined {
    if (!found) return undefined
    const { kind, value } = found
    if (variableKinds.has(kind)) return this.#variable(textOf(value))
    if (kind === 'size') return this.#size(objectOf(value))
    if (kind === 'color') return css.colorText(value, this.onUnsafe)
    if (typeof value === 'number') return Number.isFinite(value) ? css.numberText(value) : undefined
    return TEXTS.has(kind) && typeof value === 'string' ? css.valueText(value, this.onUnsafe) : undefined
  }

  number(value: unknown): number | undefined {
    return numberOf(this.tag(value)?.value)
  }

  keyword(value: unknown, listed: ReadonlySet<string>): string | undefined {
    return css.keywordText(this.tag(value)?.value, listed)
  }

  image(value: unknown): string | undefined {
    const { address } = sizedImage(this.tag(value), this.context)
    return address === '' ? undefined : css.urlText(address)
  }

  /** Writes font families and notes those that the page loads. */
  fonts(found: Tagged): string | undefined {
    if (!TEXTS.has(found.kind)) return this.textOf(found)
    const list = css.fontList(found.value, this.onUnsafe)
    for (const family of list?.families ?? []) this.context.pass.fonts.add(family)
    return list?.text
  }

  #size(value: RawSettings): string | undefined {
    const unit = textOf(this.tag(ownValue(value, 'unit'))?.value)
    if (unit === 'auto') return 'auto'
    const found = this.tag(ownValue(value, 'size'))
    if (found && variableKinds.has(found.kind)) return this.textOf(found)
    const size = found?.value
    const number = numberOf(size)
    if (unit === '' && number !== undefined) return css.numberText(number)
    return isObject(size) ? undefined : css.lengthText(size, unit || 'px', this.onUnsafe)
  }

  /** Writes `var(--sea)`; undefined when the kit has no such variable. */
  #variable(id: string): string | undefined {
    const { pass } = this.context
    const variable = pass.kit.variableNames.get(id)
    if (variable) return `var(${variable.property})`
    pass.depend('variables')
    pass.depend(`variable:${id.replace(/[^\w-]+/g, '')}`)
    this.warn('missing_global')
    return undefined
  }
}

const TEXTS: ReadonlySet<string> = new Set(['string', 'plain'])
