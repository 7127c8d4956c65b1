/** The rules that new components obey, in the order in which the interface tells of them. Nothing is written here. */
import { isApiError } from '../../../core/declare/errors.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import type { Storage } from '../../../storage/contract.ts'
import {
  type BuilderElement,
  elementName,
  elementsKey,
  isAtomic,
  parseElements,
  walk,
} from '../../shared/elements/model.ts'
import { type Component, failure, limits, type Reference, readComponents, referenceOf, titleLength } from './model.ts'
import { type OverridableProps, toOverridableProps } from './overridable-props.ts'

/** As a client sends it. */
export interface SentComponent {
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

/** Throws 422 for the first rule that is broken. */
export function validated(storage: Storage, items: readonly SentComponent[]): MaybePromise<NewComponent[]> {
  return andThen(readComponents(storage), (stored) => {
    refuseNames(items, stored)
    return andThen(refuseCircles(storage, items, stored), () => {
      refuseNonAtomic(items)
      return withProps(items)
    })
  })
}

// ---------------------------------------------------------------- names and numbers

function refuseNames(items: readonly SentComponent[], stored: readonly Component[]): void {
  const problems = [
    ...problemsOfNumber(items, stored),
    ...problemsOfTitles(items, stored),
    ...problemsOfUids(items, stored),
  ]
  if (problems.length > 0) throw failure('components_validation_failed', problems.join('\n'), 422)
}

const inUse = (stored: readonly Component[]) => stored.filter(({ isArchived }) => !isArchived)

function problemsOfNumber(items: readonly SentComponent[], stored: readonly Component[]): string[] {
  if (inUse(stored).length + items.length <= limits.inUse) return []
  return [`There can be ${limits.inUse} components at most.`]
}

/** Choice: a title that is repeated within the request is taken too. */
function problemsOfTitles(items: readonly SentComponent[], stored: readonly Component[]): string[] {
  const taken = new Set(inUse(stored).map(({ post }) => post.title))
  return items.flatMap(({ title: sent }) => {
    const title = cleanTitle(sent)
    const { minLength, maxLength } = titleLength
    if (title.length < minLength || title.length > maxLength) {
      return [`The title "${title}" does not have ${minLength} to ${maxLength} characters.`]
    }
    if (taken.has(title)) return [`Another component has the title "${title}".`]
    taken.add(title)
    return []
  })
}

/** Archived components keep their uid. */
function problemsOfUids(items: readonly SentComponent[], stored: readonly Component[]): string[] {
  const taken = new Set(stored.map(({ uid }) => uid))
  return items.flatMap(({ uid }) => {
    if (uid === '' || uid.length > limits.uidLength) return [`A uid has 1 to ${limits.uidLength} characters.`]
    if (taken.has(uid)) return [`Another component has the uid "${uid}".`]
    taken.add(uid)
    return []
  })
}

// ---------------------------------------------------------------- nesting

/** What each component contains, by uid or id. */
type Graph = Map<Reference, readonly Reference[]>

const referencesIn = (elements: readonly BuilderElement[]): Reference[] => [
  ...new Set([...walk(elements)].flatMap((element) => referenceOf(element) ?? [])),
]

function refuseCircles(
  storage: Storage,
  items: readonly SentComponent[],
  stored: readonly Component[],
): MaybePromise<void> {
  const ids = new Map<Reference, number>(stored.map(({ post, uid }) => [uid, post.id]))
  const known = new Set(stored.map(({ post }) => post.id))
  const uids = new Set<Reference>(items.map(({ uid }) => uid))
  /** Stored components under their id, even where they are named by uid. */
  const resolved = (reference: Reference): Reference => {
    if (uids.has(reference)) return reference
    const id = ids.get(reference) ?? Number(reference)
    return known.has(id) ? id : reference
  }
  const graph: Graph = new Map(items.map(({ uid, elements }) => [uid, referencesIn(elements).map(resolved)]))
  return andThen(addStored(storage, graph, known, resolved), () => {
    const caught = items.flatMap(({ uid, title }) => {
      const problem = problemOfNesting(graph, uid)
      return problem === undefined ? [] : [`The component "${cleanTitle(title)}" ${problem}.`]
    })
    if (caught.length === 0) return
    throw failure('circular_dependency_detected', 'Components cannot contain themselves.', 422, { caused_by: caught })
  })
}

/** Reads the stored components that are contained, one level of nesting after the other. */
function addStored(
  storage: Storage,
  graph: Graph,
  known: ReadonlySet<number>,
  resolved: (reference: Reference) => Reference,
  depth = 0,
): MaybePromise<void> {
  const next = [...new Set([...graph.values()].flat())].filter(
    (one): one is number => typeof one === 'number' && known.has(one) && !graph.has(one),
  )
  if (next.length === 0 || depth > limits.nesting) return undefined
  return andThen(storage.meta.read('post', next, [elementsKey]), (entries) => {
    const texts = new Map(entries.map(({ id, value }) => [id, value]))
    for (const id of next) graph.set(id, referencesIn(parseElements(texts.get(id))).map(resolved))
    return addStored(storage, graph, known, resolved, depth + 1)
  })
}

/** Looks at each component once: the levels below it are known after the first time. */
function problemOfNesting(graph: Graph, start: Reference): string | undefined {
  const heights = new Map<Reference, number>()
  const above = new Set<Reference>()
  const heightOf = (node: Reference): number => {
    const known = heights.get(node)
    if (known !== undefined) return known
    if (above.has(node)) return Number.POSITIVE_INFINITY
    if (above.size > limits.nesting) return limits.nesting
    above.add(node)
    let height = 0
    for (const inner of graph.get(node) ?? []) height = Math.max(height, 1 + heightOf(inner))
    above.delete(node)
    heights.set(node, height)
    return height
  }
  const height = heightOf(start)
  if (height === Number.POSITIVE_INFINITY) return 'contains itself, directly or through others'
  return height > limits.nesting ? `is nested deeper than ${limits.nesting} levels` : undefined
}

// ---------------------------------------------------------------- elements and settings

/** Interface: only the first component that is wrong is told of. */
function refuseNonAtomic(items: readonly SentComponent[]): void {
  for (const { title, elements } of items) {
    const names = [...walk(elements)].filter((element) => !isAtomic(element)).map(elementName)
    if (names.length === 0) continue
    const message = `The component "${cleanTitle(title)}" holds elements that are not atomic.`
    throw failure('non_atomic_element_in_component', message, 422, { non_atomic_elements: [...new Set(names)] })
  }
}

/** Interface: the message carries what is wrong as JSON, by uid. */
function withProps(items: readonly SentComponent[]): NewComponent[] {
  const problems: [uid: string, problem: string][] = []
  const made = items.map(({ uid, title, elements, settings }): NewComponent => {
    try {
      const overridableProps = toOverridableProps(settings?.['overridable_props'])
      return { uid, title: cleanTitle(title), elements, overridableProps }
    } catch (error) {
      if (!isApiError(error)) throw error
      problems.push([uid, error.message])
      return { uid, title, elements, overridableProps: undefined }
    }
  })
  if (problems.length === 0) return made
  const message = `Settings validation failed: ${JSON.stringify(Object.fromEntries(problems))}`
  throw failure('settings_validation_failed', message, 422)
}
