/** The fields that `metaFields` adds to records which the service declares: posts, pages, media, terms, users and comments. */
import type { AppContext } from '../../core/declare/app-context.ts'
import type { Arg, Args } from '../../core/declare/args.ts'
import type { ReadContributions } from '../../core/declare/contributions.ts'
import { foldedKeyOf } from '../../site/searched-meta.ts'

declare module '../../core/declare/contributions.ts' {
  interface Contributions {
    metaFields: OwnFields
  }
}

/** The records that take fields; `term` means the terms of all taxonomies. */
export const fieldKinds = ['post', 'page', 'media', 'term', 'user', 'comment'] as const
export type FieldKind = (typeof fieldKinds)[number]

/** The declared fields by kind of record. */
export interface OwnFields {
  /** Fields of posts. */
  readonly post?: Args
  /** Fields of pages. */
  readonly page?: Args
  /** Fields of media. */
  readonly media?: Args
  /** Fields of the terms of all taxonomies. */
  readonly term?: Args
  /** Fields of users. */
  readonly user?: Args
  /** Fields of comments. */
  readonly comment?: Args
}

/** None without a kind. Of several declarations of one field the last one counts; `createSiteApi` refuses them. */
export const ownFieldsOf = (read: ReadContributions, kind: FieldKind | undefined): Args =>
  kind === undefined ? {} : Object.assign({}, ...read('metaFields').map((declared) => declared[kind] ?? {}))

const kindsOfTypes: ReadonlyMap<string, FieldKind> = new Map([
  ['post', 'post'],
  ['page', 'page'],
  ['attachment', 'media'],
])

/** Undefined for types of the host, which declare their own fields. */
export const kindOfType = (type: string): FieldKind | undefined => kindsOfTypes.get(type)

/** Parts as a profile has them: made again where the host adds fields, once for each api. */
export const withOwnFields = <P>(kind: FieldKind | undefined, parts: P, make: (own: Args) => P) =>
  onceForEach((read) => {
    const own = ownFieldsOf(read, kind)
    return Object.keys(own).length === 0 ? parts : make(own)
  })

const fieldsOfType = (read: ReadContributions, type: string): Args => ({
  ...read('contentTypes').find(({ name }) => name === type)?.published?.fields,
  ...ownFieldsOf(read, kindOfType(type)),
})

/**
 * The keys of texts that everybody's search of these types looks into, as a part of the search. It looks for a key in the rows of all
 * types: one that a type hides would let anybody test guesses of its values.
 */
export function searchedMetaOf({ contributions: read }: Pick<AppContext, 'contributions'>, types: readonly string[]) {
  const searched = types.flatMap((type) =>
    Object.entries(fieldsOfType(read, type)).filter(([, { field }]) => field?.isSearched),
  )
  const hidden = new Set(searched.flatMap(([key, field]) => (isPublic(field) ? [] : [key])))
  const meta = [...new Set(searched.flatMap(([key]) => (hidden.has(key) ? [] : [foldedKeyOf(key)])))]
  return meta.length === 0 ? {} : { meta }
}

const isPublic = ({ node: { context }, field }: Arg) =>
  field?.readCapability === undefined && (context === undefined || context.includes('view'))

/** The fields of a type that its revisions store, besides those of all types. */
export function revisionedFieldsOf({ contributions: read }: Pick<AppContext, 'contributions'>, type: string): string[] {
  const fields = fieldsOfType(read, type)
  return Object.keys(fields).filter((key) => fields[key]?.field?.isRevisioned)
}

/** Makes a value once for the features of each api. */
export function onceForEach<T>(make: (read: ReadContributions) => T): (read: ReadContributions) => T {
  const made = new WeakMap<ReadContributions, { readonly value: T }>()
  return (read) => {
    const known = made.get(read) ?? { value: make(read) }
    made.set(read, known)
    return known.value
  }
}
