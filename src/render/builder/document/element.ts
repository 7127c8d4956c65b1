/** An element as stored, read without trust. */
import { isObject, nameOf, objectOf, ownValue, type RawSettings, textOf } from './values.ts'

export interface Element {
  /** Letters, digits, hyphens and underscores only; may repeat in a document. */
  readonly id: string
  /** `container`, `section`, `column`, `widget`, or the name of a new-generation element. */
  readonly type: string
  /** Empty unless the element is a widget. */
  readonly widgetType: string
  readonly isInner: boolean
  readonly settings: RawSettings
  readonly children: readonly unknown[]
  /** The whole stored element: `styles`, `templateID` and others. */
  readonly raw: RawSettings
}

const noChildren: readonly unknown[] = Object.freeze([])

/** Undefined for what is no element at all. */
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
