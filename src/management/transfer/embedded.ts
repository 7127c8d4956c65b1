/** Meta whose values have ids inside, such as the elements of builder documents. A site document has references in their place. */

import type { Json } from '../../contract/storage.ts'
import type { EmbeddedReferences } from '../../core/declare/feature.ts'
import { SiteDocumentError } from './document-error.ts'
import type { Keys } from './keys.ts'
import type { Meta, Reference, ReferenceFinder } from './references.ts'

/** The names are meta keys. */
export interface EmbeddedKinds {
  readonly [metaKey: string]: EmbeddedReferences
}

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

const kindOf = (embedded: EmbeddedKinds, key: string) => (Object.hasOwn(embedded, key) ? embedded[key] : undefined)

const namesIn = (meta: Meta, key: string, embedded: EmbeddedKinds): ReadonlySet<string> =>
  // The cast: the meta has the key.
  kindOf(embedded, key)?.namesIn(meta[key] as Json) ?? none

const none: ReadonlySet<string> = new Set()

/** Values with references inside, and the rows that they name. */
export interface EmbeddedValues {
  readonly values: Meta
  readonly names: readonly Reference[]
}

/** Splits meta into the values with references inside and the others. Throws for references to nothing. */
export function splitEmbedded(
  meta: Meta,
  embedded: EmbeddedKinds,
  references: ReferenceFinder,
  path: string,
): { readonly meta: Meta; readonly embedded: EmbeddedValues } {
  const named = Object.keys(meta).flatMap((key) => [...namesIn(meta, key, embedded)].map((name) => ({ key, name })))
  if (named.length === 0) return { meta, embedded: { values: {}, names: [] } }
  for (const { key, name } of named) if (!references.has(name)) throw missing(`${path}.meta.${key}`, name)
  const withNames = new Set(named.map(({ key }) => key))
  const pick = (isWanted: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(meta).filter(([key]) => isWanted(key)))
  return {
    meta: pick((key) => !withNames.has(key)),
    embedded: { values: pick((key) => withNames.has(key)), names: named.map(({ name }) => name) },
  }
}

const missing = (path: string, name: string) =>
  new SiteDocumentError(path, `names an entry that is not there: ${JSON.stringify(name)}`)
