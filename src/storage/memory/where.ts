/** Conditions on records as tests. Fields and values are checked against the collection first. */

import type { Collection, Json, Where } from '../../contract/storage.ts'
import { compareText, fold } from '../../contract/text-fold.ts'
import { checkedKind, comparableKind, type Kind } from '../field-kinds.ts'
import type { RecordRow } from './state.ts'

type Test = (row: RecordRow) => boolean

export function whereTest(collection: Collection, where: Where): Test {
  if ('every' in where) {
    const tests = where.every.map((branch) => whereTest(collection, branch))
    return (row) => tests.every((test) => test(row))
  }
  if ('some' in where) {
    const tests = where.some.map((branch) => whereTest(collection, branch))
    return (row) => tests.some((test) => test(row))
  }
  if ('not' in where) {
    const test = whereTest(collection, where.not)
    return (row) => !test(row)
  }
  const kind = comparableKind(collection, where.field)
  const fieldValue = fieldReader(where.field)
  if ('in' in where) {
    const values = new Set<Json>(where.in.map((value) => checkedKind(where.field, kind, value)))
    return (row) => values.has(fieldValue(row))
  }
  if ('is' in where) {
    const value = checkedKind(where.field, kind, where.is)
    return (row) => fieldValue(row) === value
  }
  if ('holds' in where) {
    if (kind !== 'text') throw new TypeError(`only a text holds another; ${where.field} is no text`)
    const text = fold(where.holds)
    return (row) => {
      const value = fieldValue(row)
      return typeof value === 'string' && fold(value).includes(text)
    }
  }
  const bounds = [
    boundTest(where.field, kind, where.above, (order) => order > 0),
    boundTest(where.field, kind, where.from, (order) => order >= 0),
    boundTest(where.field, kind, where.below, (order) => order < 0),
    boundTest(where.field, kind, where.to, (order) => order <= 0),
  ].filter((test) => test !== undefined)
  return (row) => {
    const value = fieldValue(row)
    return value !== null && bounds.every((isInBound) => isInBound(value))
  }
}

export function fieldReader(field: string): (row: RecordRow) => Json {
  return field === 'id' ? (row) => row.id : (row) => row.values[field] ?? null
}

function boundTest(
  field: string,
  kind: Kind,
  limit: number | string | undefined,
  isInBound: (order: number) => boolean,
): ((value: Json) => boolean) | undefined {
  if (limit === undefined) return undefined
  checkedKind(field, kind, limit)
  return (value) => isInBound(compareScalars(value, limit))
}

/** Compares two values of one kind: null first, numbers by value, texts by code point, false before true. */
export function compareScalars(a: Json, b: Json): number {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  if (typeof a === 'string') return compareText(a, String(b))
  return Number(a) - Number(b)
}
