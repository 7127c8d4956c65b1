/** What a render noticed and survived. The same warning of the same element is kept once. */

export type WarningCode =
  | 'unknown_element'
  | 'unknown_widget'
  | 'unknown_property'
  | 'unknown_tag'
  | 'unknown_condition'
  | 'missing_reference'
  | 'missing_global'
  | 'circular'
  | 'too_deep'
  | 'too_many'
  | 'unsafe_value'
  | 'unreadable'
  | 'element_failed'

/** What the engine could not render as written. */
export interface Warning {
  readonly code: WarningCode
  /** The id of the element. */
  readonly element?: string
}

/** More would only repeat themselves. */
const maxWarnings = 1000

export class Warnings {
  readonly #list = new Map<string, Warning>()

  add(code: WarningCode, element?: string): void {
    const key = `${code} ${element ?? ''}`
    if (this.#list.has(key) || this.#list.size >= maxWarnings) return
    this.#list.set(key, element === undefined ? { code } : { code, element })
  }

  toList(): Warning[] {
    return [...this.#list.values()]
  }
}
