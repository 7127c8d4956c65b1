/**
 * Builder documents: posts with elements as JSON in their meta. Parses and walks elements, and reads the documents of
 * a site in windows, so that no request holds all of them in memory.
 */

import type { Json, Storage } from '../../contract/storage.ts'
import type { Actor } from '../../core/declare/actor.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { randomNumber } from '../../core/runtime/crypto.ts'
import { editModeKey, elementsKey, pageSettingsKey, templateTypeKey } from '../../render/builder/records/keys.ts'
import { filterContent } from '../../render/filter/filter.ts'

export { editModeKey, elementsKey, pageSettingsKey, templateTypeKey }

/** An element as clients send it: no member is checked. */
export interface BuilderElement {
  readonly [name: string]: unknown
}

/** The post types that the page builder opens. */
export const documentTypes: readonly string[] = ['post', 'page', 'builder_component', 'builder_library']
/** All statuses except `trash` and `auto-draft`. */
export const documentStatuses = ['publish', 'future', 'draft', 'pending', 'private'].map((status) => ({ status }))

export const isObject = (value: unknown): value is BuilderElement =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the settings of an element, without those of the elements in it. */
export const settingsOf = ({ settings }: BuilderElement): BuilderElement => (isObject(settings) ? settings : {})

const objectsIn = (value: unknown): readonly BuilderElement[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Empty when the stored text is no list of elements. */
export const parseElements = (stored: Json | undefined): readonly BuilderElement[] =>
  typeof stored === 'string' ? (elementsOf(stored) ?? []) : []

/** Undefined when the text is no list of elements. */
export function elementsOf(text: string): readonly BuilderElement[] | undefined {
  const list = parseList(text)
  return list && objectsIn(list)
}

/** Yields each element, followed by its inner elements. */
export function* walk(elements: readonly BuilderElement[]): Generator<BuilderElement> {
  const stack = elements.toReversed()
  for (let element = stack.pop(); element; element = stack.pop()) {
    yield element
    for (const inner of objectsIn(element['elements']).toReversed()) stack.push(inner)
  }
}

/** Applies `change` to each element, outer elements first. */
export function mapElements(
  elements: readonly BuilderElement[],
  change: (element: BuilderElement) => BuilderElement,
): BuilderElement[] {
  return elements.map((element) => {
    const changed = change(element)
    if (!Array.isArray(changed['elements'])) return changed
    return { ...changed, elements: mapElements(objectsIn(changed['elements']), change) }
  })
}

/** Returns the name of the widget, or the type of any other element. */
export function elementName({ elType, widgetType }: BuilderElement): string {
  const name = elType === 'widget' ? widgetType : elType
  return typeof name === 'string' && name !== '' ? name : 'unknown'
}

/** Elements of the current generation; their names begin with `e-`. */
export function isAtomic(element: BuilderElement): boolean {
  const { elType } = element
  if (elType === 'widget') return elementName(element).startsWith('e-')
  return elType === 'e-div-block' || elType === 'e-flexbox'
}

/** 7 hexadecimal digits. */
export function randomElementId(): string {
  const number = randomNumber()
  return number.toString(16).padStart(8, '0').slice(1)
}

// ---------------------------------------------------------------- elements of a request

/**
 * The text to store for a document. Throws 400 when it is no JSON list of elements. Elements of an unknown kind pass: the
 * engine draws their children.
 */
export function incomingElements(text: string, user: Actor, key: string): string {
  if (text === '') return ''
  const elements = parseList(text)
  if (elements === undefined) {
    throw new ApiError('rest_invalid_builder_data', `${key} is no JSON list of elements.`, 400)
  }
  return user.can('unfiltered_html') ? text : JSON.stringify(withoutScripts(elements))
}

function parseList(text: string): readonly Json[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Filters the markup in the texts of a value, for users without the unfiltered-HTML capability. */
export function withoutScripts(value: unknown): Json {
  if (typeof value === 'string') return value.includes('<') ? filterContent(value) : value
  if (Array.isArray(value)) return value.map(withoutScripts)
  // The cast: parsed from JSON.
  if (!isObject(value)) return value as Json
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, withoutScripts(child)]))
}

// ---------------------------------------------------------------- all documents of a site

export interface StoredDocument {
  readonly id: number
  /** The elements as they are stored. */
  readonly text: string
}

const windowSize = 200

/** Two reads for each window. Posts without elements are left out. */
export async function* documentWindows(storage: Storage): AsyncGenerator<readonly StoredDocument[]> {
  for (let offset = 0; ; offset += windowSize) {
    const { idsPage } = await storage.posts.query({
      types: documentTypes,
      statuses: documentStatuses,
      order: { by: 'id', descending: false },
      offset,
      limit: windowSize,
    })
    const ids = idsPage.map(({ id }) => id)
    const entries = await storage.meta.read('post', ids, [elementsKey])
    yield entries.flatMap(({ id, value }) => (typeof value === 'string' && value !== '' ? [{ id, text: value }] : []))
    if (idsPage.length < windowSize) return
  }
}
