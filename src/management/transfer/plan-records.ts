/** Plans the rows of collections. In a document, a field that refers to a row has the row's reference. */

import type { Collection, Json } from '../../contract/storage.ts'
import type { Args } from '../../core/declare/args.ts'
import type { PersistedCollection } from '../../core/declare/feature.ts'
import type { DeclaredFields } from '../declared-meta.ts'
import { checked, checkedMeta } from './check.ts'
import { fieldKinds, id as idSchema } from './document.ts'
import { SiteDocumentError } from './document-error.ts'
import { expandedRecords } from './expanded-entries.ts'
import { type GivenIds, idOf } from './given-ids.ts'
import { convertedRows, forEachRow, type Rows, rowsOf } from './planned-rows.ts'
import type { Reference, References } from './references.ts'
import type { SiteSource } from './site-source.ts'

export interface PlannedRecords {
  readonly collection: Collection
  readonly count: number
  readonly rows: Rows<PlannedRecord>
  /** Throws for references to nothing. */
  check(): Promise<void>
}

export interface PlannedRecord {
  readonly reference: Reference
  readonly id?: number
  readonly values: { readonly [field: string]: Json }
  readonly references: { readonly [field: string]: Reference }
}

export async function planRecords(
  source: SiteSource,
  references: References,
  givenIds: GivenIds,
  { collections, fields }: { readonly collections: readonly PersistedCollection[]; readonly fields: DeclaredFields },
): Promise<PlannedRecords[]> {
  const added = rowsOf(...source.parts.map((part) => expandedRecords(source, part)))
  const addedNames = new Set<string>()
  await forEachRow(added, ({ collection }) => addedNames.add(collection))
  const names = new Set([...source.parts.flatMap((part) => part.collections), ...addedNames])
  const planned: PlannedRecords[] = []
  for (const name of names) {
    const persisted = collections.find(({ collection }) => collection.name === name)
    if (!persisted) throw new SiteDocumentError(`records.${name}`, 'is no collection of this site')
    const expanded = convertedRows(added, ({ collection, kind, key, row }) =>
      collection === name ? [{ row, kind, key, path: `${kind}.${key}` }] : [],
    )
    const listed = rowsOf(listedRecords(source, name), expanded)
    let count = 0
    await forEachRow(listed, ({ kind, key, path, row }) => {
      references.add(kind, key, path)
      givenIds.add(`records.${name}`, givenId(row, path), path)
      count++
    })
    const rows = convertedRows(listed, (record) => [
      planRecord(persisted, record, { references, fields: fields.records(name) }),
    ])
    planned.push({ collection: persisted.collection, count, rows, check: () => forEachRow(rows, () => undefined) })
  }
  return planned
}

/** The rows of all documents have the key of their place. */
function listedRecords({ parts }: SiteSource, name: string): Rows<ListedRecord> {
  let before = 0
  return rowsOf(
    ...parts.map((part) => {
      const list = part.list(`records.${name}`)
      const first = before
      before += list.length
      return async function* () {
        let number = first
        for await (const window of list.windows<ListedRecord['row']>(first))
          yield window.map(({ entry, path }) => ({ row: entry, kind: name, key: String(++number), path }))
      }
    }),
  )
}

interface ListedRecord {
  readonly row: { readonly [field: string]: Json }
  readonly kind: string
  readonly key: string
  readonly path: string
}

function planRecord(
  { collection, references: referenceFields = {} }: PersistedCollection,
  { row, kind: recordKind, key, path: rowPath }: ListedRecord,
  { references, fields }: { readonly references: References; readonly fields: Args },
): PlannedRecord {
  const values = new Map<string, Json>()
  const fieldReferences = new Map<string, Reference>()
  for (const [field, value] of Object.entries(row)) {
    if (field === 'id') continue
    const path = `${rowPath}.${field}`
    const kind = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined
    if (kind === undefined) throw new SiteDocumentError(path, 'is no field of the collection')
    if (typeof value === 'string' && Object.hasOwn(referenceFields, field))
      fieldReferences.set(field, referenceOf(value, path, references))
    else {
      const stored = checked(fieldKinds[kind], value, path)
      values.set(field, field === 'meta' && isObject(stored) ? checkedMeta(fields, stored, rowPath) : stored)
    }
  }
  return {
    reference: `${recordKind}.${key}`,
    ...idOf({ id: givenId(row, rowPath) }),
    values: Object.fromEntries(values),
    references: Object.fromEntries(fieldReferences),
  }
}

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const givenId = ({ id }: ListedRecord['row'], path: string): number | undefined =>
  id === undefined ? undefined : checked(idSchema, id, `${path}.id`)

/** Splits `post.hello` or `notes.3` at the first dot, which follows the kind. */
function referenceOf(text: string, path: string, references: References): Reference {
  const dot = text.indexOf('.')
  return references.find(text.slice(0, dot), text.slice(dot + 1), path)
}
