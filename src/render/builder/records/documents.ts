/** Reads builder documents as records: the post, the type of the document, its elements and its last editor. */

import type { Json, Post } from '../../../contract/storage.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { textDigest } from '../../../core/runtime/text-digest.ts'
import { limits } from '../document/limits.ts'
import { idOf, isObject, objectOf, ownValue, type RawSettings, textOf } from '../document/values.ts'
import { editModeKey, elementsKey, lastEditorKey, pageSettingsKey, templateTypeKey } from './keys.ts'
import { media } from './kinds.ts'
import type { RecordKind, RecordSource, Records } from './records.ts'

export interface DocumentRecord {
  readonly post: Post
  /** The template type: `wp-post`, `page`, `header`, `loop-item` and so on; empty when the post stores none. */
  readonly type: string
  /** False: another editor made the post, so its elements are ignored. */
  readonly isBuilt: boolean
  readonly elements: readonly unknown[]
  /** True: the stored data is no list of elements. */
  readonly isUnreadable: boolean
  readonly pageSettings: RawSettings
  /** The id of the user who saved the document last; 0 when it is unknown. */
  readonly editor: number
  /** A digest of the stored values. Comparing digests avoids parsing and serializing the elements. */
  readonly stamp: string
}

/** Returns a post without elements as a document, in which texts and styles are drawn that no document has. */
export const withoutElements = (post: Post): DocumentRecord => ({
  ...{ post, type: '', isBuilt: false, elements: [], isUnreadable: false, pageSettings: {} },
  ...{ editor: post.author, stamp: '' },
})

const keys = [elementsKey, editModeKey, templateTypeKey, pageSettingsKey, lastEditorKey]

interface StoredValues {
  readonly post: Post
  readonly meta: ReadonlyMap<string, Json>
}

async function readStored(ids: readonly number[], { storage }: RecordSource): Promise<StoredValues[]> {
  const [posts, entries] = await Promise.all([storage.posts.read(ids), storage.meta.read('post', ids, keys)])
  const byPost = Map.groupBy(entries, ({ id }) => id)
  return posts.map((post) => ({
    post,
    meta: new Map((byPost.get(post.id) ?? []).map(({ key, value }) => [key, value])),
  }))
}

/**
 * The elements are digested before the rest, because JSON would escape their large text first. Of the post, only the columns count that
 * decide who may see it: a document that shows its title reads the post as a record too.
 */
const stampOf = ({ post: { id, type, status, password, author, parent }, meta }: StoredValues): string =>
  sha256Of(
    JSON.stringify([
      [id, type, status, password, author, parent],
      keys.map((key) => {
        const value = meta.get(key) ?? null
        return key === elementsKey && typeof value === 'string' ? textDigest(value) : value
      }),
    ]),
  )

export const documents: RecordKind<number, DocumentRecord> = {
  name: 'documents',
  load: async (ids, source) =>
    new Map((await readStored(ids, source)).map((stored) => [stored.post.id, toDocument(stored)])),
  stamps: {
    load: async (ids, source) =>
      new Map((await readStored(ids, source)).map((stored) => [stored.post.id, stampOf(stored)])),
    of: ({ stamp }) => stamp,
  },
  follow: ({ elements }, records) => followElements(elements, records),
}

function toDocument(stored: StoredValues): DocumentRecord {
  const { post } = stored
  const meta = (key: string) => stored.meta.get(key)
  const elements = readElements(meta(elementsKey))
  return {
    post,
    type: textOf(meta(templateTypeKey)),
    isBuilt: meta(editModeKey) === 'builder',
    elements: elements ?? [],
    isUnreadable: elements === undefined,
    pageSettings: objectOf(readJson(meta(pageSettingsKey))),
    editor: idOf(meta(lastEditorKey)) ?? post.author,
    stamp: stampOf(stored),
  }
}

/** Parses JSON text or returns a list; undefined for anything else. */
function readElements(stored: unknown): readonly unknown[] | undefined {
  if (stored === undefined || stored === null || stored === '') return []
  const value = readJson(stored)
  return Array.isArray(value) ? value : undefined
}

function readJson(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored
  try {
    return JSON.parse(stored)
  } catch {
    return undefined
  }
}

/** Settings that refer to another document. */
const REFERENCES: ReadonlySet<string> = new Set(['template_id', 'templateID', 'component_id'])
/** A bound for the values of one element on average. */
const VALUES = 20

/**
 * Requests the media and documents that the elements refer to, so that the first pass finds them. Some of them may turn out
 * unused.
 */
function followElements(elements: readonly unknown[], records: Records): void {
  const stack: unknown[] = [...elements]
  for (let left = limits.elements * VALUES; stack.length > 0 && left > 0; left--) {
    const value = stack.pop()
    if (isObject(value)) wantNamed(value, records)
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) if (typeof inner === 'object') stack.push(inner)
  }
}

function wantNamed(value: RawSettings, records: Records): void {
  const medium = Object.hasOwn(value, 'url') ? idOf(ownValue(value, 'id')) : undefined
  if (medium !== undefined) records.want(media, medium)
  for (const name of REFERENCES) {
    const stored = ownValue(value, name)
    const id = idOf(isObject(stored) ? ownValue(stored, 'value') : stored)
    if (id !== undefined) records.want(documents, id)
  }
}
