/** The tags of records: of the queries that read a collection, and of the rows that change in one. */
import type { Collection, Scalar, StoredRecord, Where } from '../../contract/storage.ts'
import { digest, plain, recordsTag } from './tag-names.ts'

/** A query with more values depends on the whole collection. */
const maxParts = 50
/** Longer texts are no part of a tag. */
const maxText = 200

type Equalities = ReadonlyMap<string, readonly Scalar[]>

/** Returns the tags of the records that a query may find: any change of one of them, and any that comes or goes, has one of these. */
export function tagsOfRecords(collection: Collection, where: Where | undefined): readonly string[] {
  const equal = equalitiesOf(where)
  const fields = [...partsOf(collection), ...singleFields(collection)].find(
    (names) => names.every((name) => equal.has(name)) && sizeOf(names, equal) <= maxParts,
  )
  if (!fields) return [recordsTag(collection.name)]
  return productOf(fields, equal).map((values) => recordsTag(collection.name, partText(collection, fields, values)))
}

/** Returns the tags of a row that has come, gone or changed: those of the row before and after. */
export function tagsOfRecordChange(collection: Collection, rows: readonly (StoredRecord | undefined)[]): Set<string> {
  const tags = new Set([recordsTag(collection.name)])
  const lists = [...partsOf(collection), ...singleFields(collection)]
  for (const row of rows) {
    if (!row) continue
    for (const fields of lists) {
      const values = fields.map((name) => (row[name] ?? null) as Scalar)
      if (values.every(isPart)) tags.add(recordsTag(collection.name, partText(collection, fields, values)))
    }
  }
  return tags
}

/** The long lists of a collection: they name one value of each field but the last. */
const partsOf = ({ orders = [] }: Collection): readonly (readonly string[])[] =>
  orders.map((fields) => fields.slice(0, -1)).filter(({ length }) => length > 1)

/** The id first, then numbers, which tell records apart better than choices and switches. */
const singleFields = ({ fields }: Collection): readonly (readonly string[])[] => {
  const ofKind = (kind: string) => Object.keys(fields).filter((name) => fields[name] === kind)
  return [['id'], ...[...ofKind('integer'), ...ofKind('text'), ...ofKind('boolean')].map((name) => [name])]
}

/** The values that a condition requires of fields. */
function equalitiesOf(where: Where | undefined): Equalities {
  const found = new Map<string, readonly Scalar[]>()
  const collect = (condition: Where) => {
    if ('every' in condition) for (const inner of condition.every) collect(inner)
    else if ('is' in condition) note(condition.field, [condition.is])
    else if ('in' in condition) note(condition.field, condition.in)
  }
  const note = (field: string, values: readonly Scalar[]) => {
    const known = found.get(field)
    if (values.every(isPart) && (known === undefined || values.length < known.length)) found.set(field, values)
  }
  if (where) collect(where)
  return found
}

const isPart = (value: Scalar): boolean => typeof value !== 'string' || value.length <= maxText

const sizeOf = (fields: readonly string[], equal: Equalities) =>
  fields.reduce((size, name) => size * (equal.get(name)?.length ?? 1), 1)

function productOf(fields: readonly string[], equal: Equalities): readonly (readonly Scalar[])[] {
  let lists: readonly (readonly Scalar[])[] = [[]]
  for (const name of fields) lists = lists.flatMap((list) => (equal.get(name) ?? []).map((value) => [...list, value]))
  return lists
}

const partText = (collection: Collection, fields: readonly string[], values: readonly Scalar[]): string =>
  fields.map((name, at) => `${name}=${valueText(collection, name, values[at] ?? null)}`).join('&')

/** A text may be secret, such as the digest of a password, or private, such as a name: tags leave the site. */
const valueText = ({ fields }: Collection, name: string, value: Scalar): string =>
  fields[name] === 'text' && value !== null ? digest(String(value)) : plain(String(value))
