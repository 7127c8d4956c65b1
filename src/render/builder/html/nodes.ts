/**
 * Represents HTML as a tree of values. The serializer escapes texts and attribute values; only `Markup`, which html/markup.ts
 * creates, is written unescaped.
 */

export type AttributeValue = string | number | boolean | undefined | ClassList | Written

/** An attribute whose value is undefined or false is left out; true writes it without a value. */
export interface Attributes {
  readonly [name: string]: AttributeValue
}

/** Class names; empty ones are left out. */
export type ClassList = readonly (string | Written | undefined | false)[]

/** A text that users wrote. A names preset never changes it. */
export class Written {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export const written = (text: string): Written => new Written(text)

/** HTML that is written as it is. */
/** HTML that is written as it is. */
export class Markup {
  readonly html: string
  constructor(html: string) {
    this.html = html
  }
}

export interface HtmlElement {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: readonly Child[]
}

/** Children that are shown but do not belong to the plain text: labels of controls, lists of other posts, code. */
export class Unread {
  readonly child: Child
  constructor(child: Child) {
    this.child = child
  }
}

/**
 * Leaves children out of the plain text of a document.
 *
 * ```ts
 * import { h, unread } from 'site-api/render'
 *
 * export const menu = unread(h('nav', {}, 'Home'))
 * ```
 */
export const unread = (...children: readonly Child[]): Unread => new Unread(children)

/** The content of an element. Texts are escaped; undefined and false write nothing. */
export type Child = string | number | HtmlElement | Markup | Unread | undefined | false | readonly Child[]

/**
 * Creates an element: `h('p', { class: ['lead'] }, 'Fish & chips')`.
 *
 * ```ts
 * import { h } from 'site-api/render'
 *
 * export const lead = h('p', { class: ['lead'] }, 'Fish & chips')
 * ```
 */
export const h = (tag: string, attributes: Attributes, ...children: readonly Child[]): HtmlElement => ({
  tag,
  attributes,
  children,
})

/**
 * Creates an element, or nothing when it has no content.
 *
 * ```ts
 * import { filled } from 'site-api/render'
 *
 * export const lead = (text: string) => filled('p', { class: ['lead'] }, text)
 * ```
 */
export const filled = (tag: string, attributes: Attributes, ...children: readonly Child[]): HtmlElement | undefined =>
  isNothing(children) ? undefined : h(tag, attributes, ...children)

/** Returns whether a child writes nothing. */
export function isNothing(child: Child): boolean {
  if (child === undefined || child === false || child === '') return true
  if (typeof child !== 'object') return false
  if (child instanceof Markup) return child.html === ''
  if (child instanceof Unread) return isNothing(child.child)
  return isList(child) && child.every(isNothing)
}

// Array.isArray does not narrow readonly arrays.
export const isList = (child: Child): child is readonly Child[] => Array.isArray(child)

const classesOf = (value: AttributeValue): ClassList =>
  isClassList(value) ? value : typeof value === 'string' ? [value] : []
const isClassList = (value: AttributeValue): value is ClassList => Array.isArray(value)

/** Adds attributes and class names to the first element of a tree; undefined when the tree has no element. */
export function withAttributes(child: Child, { class: classes, ...attributes }: Attributes): HtmlElement | undefined {
  const element = elementOf(child)
  if (!element) return undefined
  const all = [...classesOf(element.attributes['class']), ...classesOf(classes)]
  return { ...element, attributes: { ...element.attributes, ...attributes, ...(all.length > 0 ? { class: all } : {}) } }
}

function elementOf(child: Child): HtmlElement | undefined {
  if (isList(child)) return child.map(elementOf).find((one) => one !== undefined)
  if (typeof child !== 'object' || child instanceof Markup) return undefined
  return child instanceof Unread ? elementOf(child.child) : child
}
