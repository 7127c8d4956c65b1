/** Compares a record of the source with the stored row by their digests. */

import type { Json } from '../../../contract/storage.ts'
import { digests } from '../../../core/runtime/digests.ts'

export interface RecordCheck {
  /** The kind that the report counts: `posts`, `comments`, … */
  readonly kind: string
  /** The id in the source. */
  readonly number: number
  readonly source: string
  /** Undefined: there is no such record here. */
  readonly here: string | undefined
}

export const recordCheck = (kind: string, number: number, source: unknown, here: unknown): RecordCheck => ({
  kind,
  number,
  source: digestOf(source),
  here: here === undefined ? undefined : digestOf(here),
})

const digestOf = (value: unknown): string => digests().sha256(JSON.stringify(sorted(value as Json)), 'hex')

/** The order of names says nothing. */
function sorted(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value ?? null
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted((value as { readonly [name: string]: Json })[name])]))
}
