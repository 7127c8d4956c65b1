/** Collects the problems that a render survives. Each warning of an element is stored once. */

export type WarningCode =
  | 'unknown_element'
  | 'unknown_widget'
  | 'unknown_shortcode'
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
  | 'missing_icons'
  | 'not_drawn'

/** A problem of the document that the engine worked around. */
export interface Warning {
  readonly code: WarningCode
  /** The id of the element. */
  readonly element?: string
  /** Tells a person in a sentence which part is missing, and how to get it. */
  readonly message?: string
}

/** A document with more warnings only repeats them. */
const maxWarnings = 1000

export class Warnings {
  readonly #list = new Map<string, Warning>()

  add(code: WarningCode, element?: string, message?: string): void {
    // A page has one warning for each shortcode, and one for all icons.
    const key = `${code} ${element ?? ''} ${code === 'unknown_shortcode' ? message : ''}`
    if (this.#list.has(key) || this.#list.size >= maxWarnings) return
    this.#list.set(key, {
      code,
      ...(element === undefined ? {} : { element }),
      ...(message === undefined ? {} : { message }),
    })
  }

  toList(): Warning[] {
    return [...this.#list.values()]
  }
}
