/**
 * Builder documents: posts with elements as JSON in their meta. Parses and walks elements, and reads the documents of
 * a site in windows, so that no request holds all of them in memory.
 */
import { editModeKey, elementsKey, pageSettingsKey, templateTypeKey } from '../../../render/builder/records/keys.ts'
import type { Json, Storage } from '../../../storage/contract.ts'

export { editModeKey, elementsKey, pageSettingsKey, templateTypeKey }

/** As clients send it: no member is checked. */
export interface BuilderElement {
  readonly [name: string]: unknown
}

/** The post types that the page builder opens. */
export const documentTypes: readonly string[] = ['post', 'page', 'builder_component', 'builder_library']
/** All statuses except `trash` and `auto-draft`. */
export const documentStatuses = ['publish', 'future', 'draft', 'pending', 'private'].map((status) => ({ status }))

export const isObject = (value: unknown): value is BuilderElement =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectsIn = (value: unknown): readonly BuilderElement[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Empty when the stored text is no list of elements. */
export function parseElements(stored: Json | undefined): readonly BuilderElement[] {
  if (typeof stored !== 'string' || stored === '') return []
  try {
    return objectsIn(JSON.parse(stored))
  } catch {
    return []
  }
}

/** Each element, followed by its inner elements. */
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

/** The name of the widget, or the type of any other element. */
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
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return number.toString(16).padStart(8, '0').slice(1)
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
    const { heads } = await storage.posts.query({
      types: documentTypes,
      statuses: documentStatuses,
      order: { by: 'id', descending: false },
      offset,
      limit: windowSize,
    })
    const ids = heads.map(({ id }) => id)
    const entries = await storage.meta.read('post', ids, [elementsKey])
    yield entries.flatMap(({ id, value }) => (typeof value === 'string' && value !== '' ? [{ id, text: value }] : []))
    if (heads.length < windowSize) return
  }
}
