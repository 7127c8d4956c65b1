/** Finds and removes class ids in the elements of documents. All documents are read, in windows. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Json, Post, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import {
  type BuilderElement,
  documentWindows,
  elementsKey,
  isObject,
  mapElements,
  parseElements,
  type StoredDocument,
  templateTypeKey,
  walk,
} from '../../shared/elements.ts'

const classSettingOf = ({ settings }: BuilderElement): BuilderElement | undefined => {
  const classes = isObject(settings) ? settings['classes'] : undefined
  return isObject(classes) && Array.isArray(classes['value']) ? classes : undefined
}

/** The ids of the classes of an element. */
export const classesOf = (element: BuilderElement): readonly unknown[] =>
  (classSettingOf(element)?.['value'] ?? []) as readonly unknown[]

/** A cheap filter before parsing: an id needs no escapes, so it appears in the JSON text as it is. */
const documentsNaming = (documents: readonly StoredDocument[], ids: readonly string[]) =>
  documents.filter(({ text }) => ids.some((id) => text.includes(`"${id}"`)))

// ---------------------------------------------------------------- usage

interface ClassUse {
  readonly pageId: number
  readonly title: string
  readonly type: string
  readonly total: number
  /** The ids of the elements. */
  readonly elements: readonly string[]
}

/** Interface: documents of these types are parts of other documents and are not listed. */
const excludedTypes: readonly string[] = ['e-flexbox', 'template']

/** The documents that use each class, by class id; unused classes are absent. */
export async function findUsage(storage: Storage, ids: readonly string[]): Promise<Map<string, ClassUse[]>> {
  const usage = new Map<string, ClassUse[]>()
  if (ids.length === 0) return usage
  for await (const documents of documentWindows(storage)) {
    const uses = new Map(documentsNaming(documents, ids).map(({ id, text }) => [id, elementsByClass(text, ids)]))
    for (const { post, type } of await readTitles(storage, [...uses.keys()])) {
      if (excludedTypes.includes(type)) continue
      for (const [name, elements] of uses.get(post.id) ?? []) {
        const use = { pageId: post.id, title: post.title, type, total: elements.length, elements }
        usage.set(name, [...(usage.get(name) ?? []), use])
      }
    }
  }
  return usage
}

function elementsByClass(text: string, ids: readonly string[]): ReadonlyMap<string, string[]> {
  const wanted = new Set<unknown>(ids)
  const elements = new Map<string, string[]>()
  for (const element of walk(parseElements(text))) {
    for (const name of new Set(classesOf(element))) {
      if (!wanted.has(name)) continue
      elements.set(String(name), [...(elements.get(String(name)) ?? []), String(element['id'] ?? '')])
    }
  }
  return elements
}

/** A post without a stored template type has this document type. */
const plainTypes: { readonly [type: string]: string } = lookupTable({ post: 'wp-post', page: 'wp-page' })

async function readTitles(storage: Storage, ids: readonly number[]): Promise<{ post: Post; type: string }[]> {
  if (ids.length === 0) return []
  const posts = await storage.posts.read(ids)
  const entries = await storage.meta.read('post', ids, [templateTypeKey])
  const types = new Map(entries.map(({ id, value }) => [id, value]))
  return posts.map((post) => ({ post, type: String(types.get(post.id) || (plainTypes[post.type] ?? post.type)) }))
}

// ---------------------------------------------------------------- removal

type WriteContext = Pick<Context, 'storage' | 'emit'>

/** Removes deleted classes from all documents. */
export async function removeFromDocuments({ storage, emit }: WriteContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  for await (const documents of documentWindows(storage)) {
    const entries = documentsNaming(documents, ids).flatMap(
      ({ id, text }): { id: number; key: string; value: Json }[] => {
        const value = withoutClasses(text, ids)
        return value === text ? [] : [{ id, key: elementsKey, value }]
      },
    )
    if (entries.length === 0) continue
    await storage.meta.write('post', entries)
    // An empty update increments the version, which invalidates what was rendered from the old elements.
    await storage.posts.update(entries.map(({ id }) => ({ id, changes: {} })))
    for (const post of await storage.posts.read(entries.map(({ id }) => id))) {
      if (post.type !== 'post') continue
      emit('post.updated', { post, before: post, changedMeta: [elementsKey] })
    }
  }
}

function withoutClasses(text: string, ids: readonly string[]): string {
  const removed = new Set<unknown>(ids)
  let isChanged = false
  const elements = mapElements(parseElements(text), (element) => {
    const classes = classSettingOf(element)
    const used = classesOf(element)
    if (!classes || !used.some((name) => removed.has(name))) return element
    isChanged = true
    // The cast: `classSettingOf` checked the settings.
    const settings = element['settings'] as BuilderElement
    return {
      ...element,
      settings: { ...settings, classes: { ...classes, value: used.filter((name) => !removed.has(name)) } },
    }
  })
  return isChanged ? JSON.stringify(elements) : text
}
