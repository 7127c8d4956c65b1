/** Elements of the page builder as clients send them: no member is checked. */

export interface BuilderElement {
  readonly [name: string]: unknown
}

export const isObject = (value: unknown): value is BuilderElement =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectsIn = (value: unknown): readonly BuilderElement[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Elements inside each other; deeper ones are left alone. */
const maxDepth = 60

export const elementsIn = (element: BuilderElement): readonly BuilderElement[] => objectsIn(element['elements'])

/** The elements that a text holds; none when it is no list of elements. */
export function parseElements(text: unknown): readonly BuilderElement[] {
  if (typeof text !== 'string' || text === '') return []
  try {
    return objectsIn(JSON.parse(text))
  } catch {
    return []
  }
}

/** Yields each element with its depth, followed by its inner elements. */
export function* walk(
  elements: readonly BuilderElement[],
  depth = 0,
): Generator<{ readonly element: BuilderElement; readonly depth: number }> {
  if (depth > maxDepth) return
  for (const element of elements) {
    yield { element, depth }
    yield* walk(elementsIn(element), depth + 1)
  }
}

/** Applies `change` to each element, outer elements first. */
export const mapElements = (
  elements: readonly BuilderElement[],
  change: (element: BuilderElement) => BuilderElement,
  depth = 0,
): readonly BuilderElement[] =>
  elements.map((element) => {
    const changed = change(element)
    const inner = elementsIn(changed)
    return inner.length === 0 || depth > maxDepth
      ? changed
      : { ...changed, elements: mapElements(inner, change, depth + 1) }
  })

/** Returns the name of the widget, or the type of any other element. */
export function elementName({ elType, widgetType }: BuilderElement): string {
  const name = elType === 'widget' ? widgetType : elType
  return typeof name === 'string' && name !== '' ? name : 'unknown'
}

export const elementId = ({ id }: BuilderElement): string => (typeof id === 'string' ? id : '')

export const settingsOf = ({ settings }: BuilderElement): BuilderElement => (isObject(settings) ? settings : {})

/** 7 hexadecimal digits. */
export function newElementId(): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return number.toString(16).padStart(8, '0').slice(1)
}
