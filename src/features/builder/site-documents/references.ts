/** What the elements of a document refer to by id, and which documents refer to one. */
import type { Context } from '../../../core/declare/context.ts'
import type { Json } from '../../../storage/contract.ts'
import { documentWindows, isObject, parseElements } from '../../shared/elements/model.ts'
import { mayReadDocument } from './kinds.ts'
import { type DocumentEntry, readEntries } from './model.ts'

type ReferenceKind = 'media' | 'document'
/** Undefined: the id stays. */
type Replace = (kind: ReferenceKind, id: number) => number | undefined

/** Settings and members of elements that name another document. */
const documentMembers: ReadonlySet<string> = new Set(['template_id', 'templateID', 'component_id'])
/** Values of the current generation that name a file of the library. */
const mediaTypes: ReadonlySet<unknown> = new Set(['image-attachment-id', 'video-attachment-id', 'svg-attachment-id'])
const shortcode = /(\[builder-template\b[^\]]*?\bid=["']?)(\d{1,15})/g
/** As deep as the body of a request. */
const maxDepth = 200

/** A copy of the value with other ids. A stored text of digits stays a text. */
function mapReferences(value: unknown, replace: Replace, depth = 0): Json {
  if (typeof value === 'string') return mapShortcodes(value, replace)
  // The casts here and below: elements are JSON.
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value as Json
  if (Array.isArray(value)) return value.map((inner) => mapReferences(inner, replace, depth + 1))
  const record = value as { readonly [name: string]: unknown }
  return Object.fromEntries(
    Object.entries(record).map(([name, inner]) => {
      const kind = kindOfMember(record, name)
      return [name, kind ? replaced(inner, kind, replace) : mapReferences(inner, replace, depth + 1)]
    }),
  )
}

function mapShortcodes(text: string, replace: Replace): string {
  if (!text.includes('[builder-template')) return text
  return text.replace(shortcode, (_, before: string, id: string) => {
    return `${before}${replace('document', Number(id)) ?? id}`
  })
}

function kindOfMember(record: { readonly [name: string]: unknown }, name: string): ReferenceKind | undefined {
  if (documentMembers.has(name)) return 'document'
  if (name === 'id' && Object.hasOwn(record, 'url')) return 'media'
  return name === 'value' && mediaTypes.has(record['$$type']) ? 'media' : undefined
}

/** An id, or one in a value with a type: `{ "$$type": "number", "value": 12 }`. */
function replaced(stored: unknown, kind: ReferenceKind, replace: Replace): Json {
  if (isObject(stored) && Object.hasOwn(stored, 'value')) {
    return { ...stored, value: replaced(stored['value'], kind, replace) } as Json
  }
  const isText = typeof stored === 'string' && /^\d{1,15}$/.test(stored)
  if (!isText && !Number.isSafeInteger(stored)) return mapReferences(stored, replace)
  const id = replace(kind, Number(stored))
  if (id === undefined) return stored as Json
  return isText ? String(id) : id
}

/** The ids of a kind in the elements, each once. */
export function referencesIn(elements: unknown, wanted: ReferenceKind): number[] {
  const ids = new Set<number>()
  mapReferences(elements, (kind, id) => {
    if (kind === wanted && id > 0) ids.add(id)
    return undefined
  })
  return [...ids]
}

/** The documents that refer to this one and that the user may read, by id. */
export async function documentsUsing(
  { storage, user }: Pick<Context, 'storage' | 'user'>,
  id: number,
): Promise<DocumentEntry[]> {
  const users: number[] = []
  for await (const window of documentWindows(storage)) {
    const naming = window.filter(({ text }) => text.includes(String(id)))
    for (const document of naming) {
      if (referencesIn(parseElements(document.text), 'document').includes(id)) users.push(document.id)
    }
  }
  const entries = await readEntries({ storage, user }, users)
  return entries.filter(({ post }) => mayReadDocument(user, post))
}
