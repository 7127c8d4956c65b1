/** Plans the rows of collections. In a document, a field that refers to a row has the row's reference. */

import type { PersistedCollection } from '../../core/declare/feature.ts'
import type { Collection, Json } from '../../storage/contract.ts'
import { checked } from './check.ts'
import { fieldKinds, type ReadDocument } from './document.ts'
import { SiteDocumentError } from './document-error.ts'
import type { Reference, References } from './references.ts'

export interface PlannedRecords {
  readonly collection: Collection
  readonly rows: readonly PlannedRecord[]
}

interface PlannedRecord {
  readonly reference: Reference
  readonly values: { readonly [field: string]: Json }
  readonly references: { readonly [field: string]: Reference }
}

export function planRecords(
  { document: { records = {} }, expanded }: ReadDocument,
  references: References,
  collections: readonly PersistedCollection[],
): PlannedRecords[] {
  for (const [name, rows] of Object.entries(records)) {
    rows.forEach((_, index) => void references.add(name, String(index + 1), `records.${name}[${index}]`))
  }
  const expandedRows = expanded.flatMap(({ records: rows = [] }) => rows)
  for (const { kind, key } of expandedRows) references.add(kind, key, `${kind}.${key}`)
  const names = new Set([...Object.keys(records), ...expandedRows.map(({ collection }) => collection)])
  return [...names].map((name) => {
    const persisted = collections.find(({ collection }) => collection.name === name)
    if (!persisted) throw new SiteDocumentError(`records.${name}`, 'is no collection of this site')
    const listed = (records[name] ?? []).map((row, index) => ({
      row,
      reference: `${name}.${index + 1}`,
      path: `records.${name}[${index}]`,
    }))
    const added = expandedRows
      .filter(({ collection }) => collection === name)
      .map(({ kind, key, row }) => ({ row, reference: `${kind}.${key}`, path: `${kind}.${key}` }))
    return {
      collection: persisted.collection,
      rows: [...listed, ...added].map((entry) => planRecord(persisted, entry, references)),
    }
  })
}

interface ListedRecord {
  readonly row: { readonly [field: string]: Json }
  readonly reference: Reference
  readonly path: string
}

function planRecord(
  { collection, references: referenceFields = {} }: PersistedCollection,
  { row, reference, path: rowPath }: ListedRecord,
  references: References,
): PlannedRecord {
  const values = new Map<string, Json>()
  const fieldReferences = new Map<string, Reference>()
  for (const [field, value] of Object.entries(row)) {
    const path = `${rowPath}.${field}`
    const kind = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined
    if (kind === undefined) throw new SiteDocumentError(path, 'is no field of the collection')
    if (typeof value === 'string' && Object.hasOwn(referenceFields, field))
      fieldReferences.set(field, referenceOf(value, path, references))
    else values.set(field, checked(fieldKinds[kind], value, path))
  }
  return {
    reference,
    values: Object.fromEntries(values),
    references: Object.fromEntries(fieldReferences),
  }
}

/** `post.hello`, `notes.3`: the kind before the first dot, the key after it. */
function referenceOf(text: string, path: string, references: References): Reference {
  const dot = text.indexOf('.')
  return references.find(text.slice(0, dot), text.slice(dot + 1), path)
}
