/** Where the rows of a site name other rows, as its features declare it. Types only. */
import type { Json } from './storage.ts'

/** How values with ids inside are written without them. Values that have none are returned as they are. */
export interface EmbeddedReferences {
  /** `nameOf` is undefined for rows that are gone. */
  readonly withReferences: (
    value: Json,
    nameOf: (kind: 'post' | 'term' | 'user', id: number) => string | undefined,
  ) => Json
  readonly withIds: (value: Json, idOf: (reference: string) => number) => Json
  readonly namesIn: (value: Json) => ReadonlySet<string>
}

/** The declarations of all features of a site together. */
export interface StoredReferences {
  readonly postTypes: readonly string[]
  /** Meta keys of posts whose values are ids, and of what. */
  readonly meta: { readonly [key: string]: 'post' | 'term' }
  /** Meta keys of posts whose values have ids inside. */
  readonly embedded: { readonly [key: string]: EmbeddedReferences }
  /** How ids in contents and excerpts are found. */
  readonly texts: EmbeddedReferences | undefined
}
