/**
 * Values of posts that have ids inside: meta, such as the elements of builder documents, and texts. A site document has references in
 * their place.
 */

import type { Json } from '../../contract/storage.ts'
import type { EmbeddedReferences } from '../../contract/stored-references.ts'
import { SiteDocumentError } from './document-error.ts'
import type { Keys } from './keys.ts'
import type { Meta, Reference, ReferenceFinder } from './references.ts'

export interface EmbeddedKinds {
  readonly meta: { readonly [metaKey: string]: EmbeddedReferences }
  /** Of contents and excerpts. Undefined: they stay as they are. */
  readonly texts: EmbeddedReferences | undefined
}

/** For an export whose rows keep their ids. */
export const noEmbedded: EmbeddedKinds = { meta: {}, texts: undefined }

export function exportedMeta(meta: Meta, embedded: EmbeddedKinds, keys: Pick<Keys, 'reference'>): Meta {
  return mapped(meta, embedded, (kind, value) => kind.withReferences(value, (of, id) => keys.reference(of, id)))
}

export function seededMeta(meta: Meta, embedded: EmbeddedKinds, idOf: (reference: Reference) => number): Meta {
  return mapped(meta, embedded, (kind, value) => kind.withIds(value, idOf))
}

function mapped(meta: Meta, embedded: EmbeddedKinds, map: (kind: EmbeddedReferences, value: Json) => Json): Meta {
  const entries = Object.entries(meta).map(([key, value]): [string, Json] => {
    const kind = kindOf(embedded, key)
    return [key, kind ? map(kind, value) : value]
  })
  return Object.fromEntries(entries)
}

const kindOf = ({ meta }: EmbeddedKinds, key: string) => (Object.hasOwn(meta, key) ? meta[key] : undefined)

const namesIn = (meta: Meta, key: string, embedded: EmbeddedKinds): ReadonlySet<string> =>
  // The cast: the meta has the key.
  kindOf(embedded, key)?.namesIn(meta[key] as Json) ?? none

const none: ReadonlySet<string> = new Set()

/** The same kinds, of which each value that got references is not read again for their names. `forget`: before the next post. */
export function withNotedNames({ meta, texts }: EmbeddedKinds): {
  readonly embedded: EmbeddedKinds
  readonly forget: () => void
} {
  // A list, because a map would hash long texts as a whole. One post has few.
  const notes: { readonly value: Json; readonly names: ReadonlySet<string> }[] = []
  const noted = (kind: EmbeddedReferences): EmbeddedReferences => ({
    ...kind,
    withReferences(value, nameOf) {
      const names = new Set<string>()
      const named = kind.withReferences(value, (of, id) => {
        const name = nameOf(of, id)
        if (name !== undefined) names.add(name)
        return name
      })
      // A link of the old site has become a reference before: the value has names that are not noted.
      const isWhole = typeof value === 'string' && !value.includes('ref:')
      if (isWhole) notes.push({ value: named, names })
      return named
    },
    namesIn: (value) => notes.find((one) => one.value === value)?.names ?? kind.namesIn(value),
  })
  const kinds = Object.entries(meta).map(([key, kind]) => [key, noted(kind)] as const)
  const embedded = { meta: Object.fromEntries(kinds), texts: texts && noted(texts) }
  return { embedded, forget: () => void notes.splice(0) }
}

/** Values with references inside, and the rows that they name. */
export interface EmbeddedValues {
  readonly values: Meta
  readonly names: readonly Reference[]
}

/** Splits meta into the values with references inside and the others. Throws for references to nothing, in texts too. */
export function splitEmbedded(
  meta: Meta,
  texts: Texts,
  embedded: EmbeddedKinds,
  references: ReferenceFinder,
  path: string,
): { readonly meta: Meta; readonly embedded: EmbeddedValues } {
  const named = Object.keys(meta).flatMap((key) =>
    [...namesIn(meta, key, embedded)].map((name) => ({ key, name, place: `meta.${key}` })),
  )
  const inTexts = textMembers.flatMap((member) =>
    [...(embedded.texts?.namesIn(texts[member] ?? '') ?? none)].map((name) => ({ name, place: member })),
  )
  for (const { name, place } of [...named, ...inTexts]) {
    if (!references.has(name)) throw missing(`${path}.${place}`, name)
  }
  if (named.length === 0) return { meta, embedded: { values: {}, names: inTexts.map(({ name }) => name) } }
  const withNames = new Set(named.map(({ key }) => key))
  const pick = (isWanted: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(meta).filter(([key]) => isWanted(key)))
  return {
    meta: pick((key) => !withNames.has(key)),
    embedded: { values: pick((key) => withNames.has(key)), names: [...named, ...inTexts].map(({ name }) => name) },
  }
}

const missing = (path: string, name: string) =>
  new SiteDocumentError(path, `names an entry that is not there: ${JSON.stringify(name)}`)

// ---------------------------------------------------------------- texts

/** The texts of a post that may name rows. */
export interface Texts {
  readonly content?: string
  readonly excerpt?: string
}

const textMembers = ['content', 'excerpt'] as const

export const exportedTexts = <T extends Texts>(post: T, embedded: EmbeddedKinds, keys: Pick<Keys, 'reference'>): T =>
  mappedTexts(post, embedded, (kind, text) => kind.withReferences(text, (of, id) => keys.reference(of, id)))

export const seededTexts = <T extends Texts>(
  post: T,
  embedded: EmbeddedKinds,
  idOf: (reference: Reference) => number,
): T => mappedTexts(post, embedded, (kind, text) => kind.withIds(text, idOf))

function mappedTexts<T extends Texts>(
  post: T,
  { texts }: EmbeddedKinds,
  map: (kind: EmbeddedReferences, text: string) => Json,
): T {
  if (!texts) return post
  const changed = textMembers.flatMap((member) => {
    const before = post[member] ?? ''
    const after = before === '' ? before : map(texts, before)
    return after === before ? [] : [[member, after] as const]
  })
  return changed.length === 0 ? post : { ...post, ...Object.fromEntries(changed) }
}
