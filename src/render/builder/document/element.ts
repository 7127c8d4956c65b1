/** Reads a stored element without trusting its types. */
import { isObject, nameOf, objectOf, ownValue, type RawSettings, textOf } from './values.ts'

export interface Element {
  /** Letters, digits, hyphens and underscores only. Several elements may share an id. */
  readonly id: string
  /** Is `container`, `section`, `column`, `widget`, or the name of a new-generation element. */
  readonly type: string
  /** Empty unless the element is a widget. */
  readonly widgetType: string
  readonly isInner: boolean
  readonly settings: RawSettings
  readonly children: readonly unknown[]
  /** The stored element, which has further members such as `styles` and `templateID`. */
  readonly raw: RawSettings
}

const noChildren: readonly unknown[] = Object.freeze([])

/** Returns undefined when the value is no element. */
export function readElement(value: unknown): Element | undefined {
  if (!isObject(value)) return undefined
  const children = ownValue(value, 'elements')
  return {
    id: nameOf(ownValue(value, 'id')).slice(0, 64),
    type: textOf(ownValue(value, 'elType')),
    widgetType: textOf(ownValue(value, 'widgetType')),
    isInner: ownValue(value, 'isInner') === true,
    settings: objectOf(ownValue(value, 'settings')),
    children: Array.isArray(children) ? children : noChildren,
    raw: value,
  }
}
