/** Meta whose values have ids inside, such as the elements of builder documents. A site document has references in their place. */

import type { Json } from '../../contract/storage.ts'
import type { EmbeddedReferences } from '../../core/declare/feature.ts'
import { SiteDocumentError } from './document-error.ts'
import type { Keys } from './keys.ts'
import type { Meta, Reference, ReferenceFinder } from './references.ts'

/** By meta key. */
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

/** Whether a value names a row that `idOf` does not know. */
export const hasUnknown = (meta: Meta, embedded: EmbeddedKinds, idOf: (reference: Reference) => number): boolean =>
  Object.keys(meta).some((key) => [...namesIn(meta, key, embedded)].some((name) => idOf(name) === 0))

/** Apart from the values with references, which are written when all rows have ids. Throws for references to nothing. */
export function splitEmbedded(
  meta: Meta,
  embedded: EmbeddedKinds,
  references: ReferenceFinder,
  path: string,
): { readonly meta: Meta; readonly embedded: Meta } {
  const withNames = new Set<string>()
  for (const key of Object.keys(meta)) {
    for (const name of namesIn(meta, key, embedded)) {
      if (!references.has(name)) throw missing(`${path}.meta.${key}`, name)
      withNames.add(key)
    }
  }
  const pick = (isWanted: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(meta).filter(([key]) => isWanted(key)))
  return withNames.size === 0
    ? { meta, embedded: {} }
    : { meta: pick((key) => !withNames.has(key)), embedded: pick((key) => withNames.has(key)) }
}

const missing = (path: string, name: string) =>
  new SiteDocumentError(path, `names an entry that is not there: ${JSON.stringify(name)}`)
