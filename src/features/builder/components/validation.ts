/** Validates new components, in the order in which the interface reports problems. Writes nothing. */

import type { Post, Storage } from '../../../contract/storage.ts'
import { isApiError } from '../../../core/declare/errors.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { type BuilderElement, elementName, elementsKey, isAtomic, parseElements, walk } from '../../shared/elements.ts'
import { failure } from '../../shared/envelope.ts'
import { type OverridableProps, toOverridableProps } from './overridable-props.ts'
import { type Component, limits, type Reference, readComponents, referenceOf, titleLength } from './records.ts'

/** A component in a request. */
export interface ComponentInput {
  readonly uid: string
  readonly title: string
  readonly elements: readonly BuilderElement[]
  readonly settings?: BuilderElement
}

export interface NewComponent {
  readonly uid: string
  readonly title: string
  readonly elements: readonly BuilderElement[]
  readonly overridableProps: OverridableProps | undefined
}

export const cleanTitle = (title: string): string => stripTags(title).trim()

/** Throws 422 for the first kind of problem. */
export async function validateComponents(storage: Storage, items: readonly ComponentInput[]): Promise<NewComponent[]> {
  const stored = await readComponents(storage)
  checkNames(items, stored)
  await checkCircles(
    storage,
    items.map((item) => ({ ...item, node: item.uid })),
    stored,
  )
  checkAtomic(items)
  return withProps(items)
}

/** Validates other elements of a stored component. Throws 422. */
export async function validateElements(
  storage: Storage,
  { id, title }: Pick<Post, 'id' | 'title'>,
  elements: readonly BuilderElement[],
): Promise<void> {
  await checkCircles(storage, [{ node: id, title, elements }], await readComponents(storage))
  checkAtomic([{ title, elements }])
}

/** Throws 422 for another title of a stored component that is taken, or too short or long. */
export async function validateTitle(storage: Storage, id: number, title: string): Promise<void> {
  const others = (await readComponents(storage)).filter(({ post }) => post.id !== id)
  const problems = problemsOfTitles([{ title }], others)
  if (problems.length > 0) throw failure('components_validation_failed', problems.join('\n'), 422)
}

// ---------------------------------------------------------------- count, titles and uids

function checkNames(items: readonly ComponentInput[], stored: readonly Component[]): void {
  const problems = [
    ...problemsOfCount(items, stored),
    ...problemsOfTitles(items, stored),
    ...problemsOfUids(items, stored),
  ]
  if (problems.length > 0) throw failure('components_validation_failed', problems.join('\n'), 422)
}

const inUse = (stored: readonly Component[]) => stored.filter(({ isArchived }) => !isArchived)

function problemsOfCount(items: readonly ComponentInput[], stored: readonly Component[]): string[] {
  if (inUse(stored).length + items.length <= limits.inUse) return []
  return [`There can be ${limits.inUse} components at most.`]
}

/** The titles that new components can not have. */
export async function titlesInUse(storage: Storage): Promise<ReadonlySet<string>> {
  return new Set(inUse(await readComponents(storage)).map(({ post }) => post.title))
}

/** Choice: a title that occurs twice in the request is refused, like the title of a stored component. */
function problemsOfTitles(items: readonly Pick<ComponentInput, 'title'>[], stored: readonly Component[]): string[] {
  const taken = new Set(inUse(stored).map(({ post }) => post.title))
  return items.flatMap((item) => {
    const title = cleanTitle(item.title)
    const { minLength, maxLength } = titleLength
    if (title.length < minLength || title.length > maxLength) {
      return [`The title "${title}" does not have ${minLength} to ${maxLength} characters.`]
    }
    if (taken.has(title)) return [`Another component has the title "${title}".`]
    taken.add(title)
    return []
  })
}

/** The uids of archived components stay reserved. */
function problemsOfUids(items: readonly ComponentInput[], stored: readonly Component[]): string[] {
  const taken = new Set(stored.map(({ uid }) => uid))
  return items.flatMap(({ uid }) => {
    if (uid === '' || uid.length > limits.uidLength) return [`A uid has 1 to ${limits.uidLength} characters.`]
    if (taken.has(uid)) return [`Another component has the uid "${uid}".`]
    taken.add(uid)
    return []
  })
}

// ---------------------------------------------------------------- nesting

/** The components that each component contains, by uid or id. */
type Graph = Map<Reference, readonly Reference[]>

const referencesIn = (elements: readonly BuilderElement[]): Reference[] => [
  ...new Set([...walk(elements)].flatMap((element) => referenceOf(element) ?? [])),
]

/** Elements that a component is to have: a new component is known by its uid, a stored one by its id. */
interface GraphNode extends Pick<ComponentInput, 'title' | 'elements'> {
  readonly node: Reference
}

async function checkCircles(
  storage: Storage,
  items: readonly GraphNode[],
  stored: readonly Component[],
): Promise<void> {
  const idsByUid = new Map<Reference, number>(stored.map(({ post, uid }) => [uid, post.id]))
  const storedIds = new Set(stored.map(({ post }) => post.id))
  const newUids = new Set<Reference>(items.map(({ node }) => node).filter((node) => typeof node === 'string'))
  /** Stored components are nodes under their id, also when an instance refers to the uid. */
  const nodeOf = (reference: Reference): Reference => {
    if (newUids.has(reference)) return reference
    const id = idsByUid.get(reference) ?? Number(reference)
    return storedIds.has(id) ? id : reference
  }
  const graph: Graph = new Map(items.map(({ node, elements }) => [node, referencesIn(elements).map(nodeOf)]))
  await addStored(storage, graph, storedIds, nodeOf)
  const causes = items.flatMap(({ node, title }) => {
    const problem = problemOfNesting(graph, node)
    return problem === undefined ? [] : [`The component "${cleanTitle(title)}" ${problem}.`]
  })
  if (causes.length === 0) return
  throw failure('circular_dependency_detected', 'A component can not be part of itself.', 422, { caused_by: causes })
}

/** Adds the stored components that the graph refers to, with one read for each level of nesting. */
async function addStored(
  storage: Storage,
  graph: Graph,
  storedIds: ReadonlySet<number>,
  nodeOf: (reference: Reference) => Reference,
): Promise<void> {
  for (let depth = 0; depth <= limits.nesting; depth++) {
    const next = [...new Set([...graph.values()].flat())].filter(
      (node): node is number => typeof node === 'number' && storedIds.has(node) && !graph.has(node),
    )
    if (next.length === 0) return
    const entries = await storage.meta.read('post', next, [elementsKey])
    const texts = new Map(entries.map(({ id, value }) => [id, value]))
    for (const id of next) graph.set(id, referencesIn(parseElements(texts.get(id))).map(nodeOf))
  }
}

/** The height of each component is computed once, so shared components are not visited again. */
function problemOfNesting(graph: Graph, start: Reference): string | undefined {
  const heights = new Map<Reference, number>()
  const ancestors = new Set<Reference>()
  const heightOf = (node: Reference): number => {
    const computed = heights.get(node)
    if (computed !== undefined) return computed
    if (ancestors.has(node)) return Number.POSITIVE_INFINITY
    if (ancestors.size > limits.nesting) return limits.nesting
    ancestors.add(node)
    let height = 0
    for (const inner of graph.get(node) ?? []) height = Math.max(height, 1 + heightOf(inner))
    ancestors.delete(node)
    heights.set(node, height)
    return height
  }
  const height = heightOf(start)
  if (height === Number.POSITIVE_INFINITY) return 'contains itself, directly or through others'
  return height > limits.nesting ? `is nested deeper than ${limits.nesting} levels` : undefined
}

// ---------------------------------------------------------------- elements and settings

/** Interface: only the first component with elements that are not atomic is reported. */
function checkAtomic(items: readonly Pick<ComponentInput, 'title' | 'elements'>[]): void {
  for (const { title, elements } of items) {
    const names = [...walk(elements)].filter((element) => !isAtomic(element)).map(elementName)
    if (names.length === 0) continue
    const message = `The component "${cleanTitle(title)}" holds elements that are not atomic.`
    throw failure('non_atomic_element_in_component', message, 422, { non_atomic_elements: [...new Set(names)] })
  }
}

/** Interface: the message contains the problems of the overridable properties as JSON, by uid. */
function withProps(items: readonly ComponentInput[]): NewComponent[] {
  const problems: [uid: string, problem: string][] = []
  const components = items.map(({ uid, title, elements, settings }): NewComponent => {
    try {
      const overridableProps = toOverridableProps(settings?.['overridable_props'])
      return { uid, title: cleanTitle(title), elements, overridableProps }
    } catch (error) {
      if (!isApiError(error)) throw error
      problems.push([uid, error.message])
      return { uid, title, elements, overridableProps: undefined }
    }
  })
  if (problems.length === 0) return components
  const message = `These settings are wrong: ${JSON.stringify(Object.fromEntries(problems))}`
  throw failure('settings_validation_failed', message, 422)
}
