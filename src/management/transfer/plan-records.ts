/** Rows of the collections that features keep. Fields that refer to something hold its reference in a document. */
import type { PersistedCollection } from '../../core/declare/feature.ts'
import type { Collection, Json } from '../../storage/contract.ts'
import { checked } from './check.ts'
import { fieldKinds } from './document.ts'
import { SiteDocumentError } from './document-error.ts'
import type { Reference, References } from './references.ts'

export interface PlannedRecords {
  readonly collection: Collection
  readonly rows: readonly PlannedRecord[]
}

export interface PlannedRecord {
  readonly reference: Reference
  readonly values: { readonly [field: string]: Json }
  readonly references: { readonly [field: string]: Reference }
}

type Rows = readonly { readonly [field: string]: Json }[]

export function planRecords(
  records: { readonly [collection: string]: Rows },
  references: References,
  collections: readonly PersistedCollection[],
): PlannedRecords[] {
  for (const [name, rows] of Object.entries(records)) {
    rows.forEach((_, index) => void references.give(name, String(index + 1), `records.${name}[${index}]`))
  }
  return Object.entries(records).map(([name, rows]) => {
    const kept = collections.find(({ collection }) => collection.name === name)
    if (!kept) throw new SiteDocumentError(`records.${name}`, 'is no collection of this site')
    return {
      collection: kept.collection,
      rows: rows.map((row, index) => planRecord(kept, row, index, references)),
    }
  })
}

function planRecord(
  { collection, references: referring = {} }: PersistedCollection,
  row: { readonly [field: string]: Json },
  index: number,
  references: References,
): PlannedRecord {
  const values = new Map<string, Json>()
  const found = new Map<string, Reference>()
  for (const [field, value] of Object.entries(row)) {
    const place = `records.${collection.name}[${index}].${field}`
    const kind = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined
    if (kind === undefined) throw new SiteDocumentError(place, 'is no field of the collection')
    if (typeof value === 'string' && Object.hasOwn(referring, field))
      found.set(field, referenceOf(value, place, references))
    else values.set(field, checked(fieldKinds[kind], value, place))
  }
  return {
    reference: `${collection.name}.${index + 1}`,
    values: Object.fromEntries(values),
    references: Object.fromEntries(found),
  }
}

/** `post.hello`, `notes.3`: the kind, then the key. */
function referenceOf(written: string, place: string, references: References): Reference {
  const dot = written.indexOf('.')
  return references.find(written.slice(0, dot), written.slice(dot + 1), place)
}
