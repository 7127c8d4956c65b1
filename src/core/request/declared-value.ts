/** Values of declared fields, outside of arguments: coerced and checked in the same way, and read in their type where the stored one has another. */
import { invalid } from '../../contract/scalars.ts'
import type { SchemaNode } from '../declare/args.ts'
import type { ErrorDetail } from '../declare/errors.ts'
import { checkOf, problemOf } from './check.ts'
import { coercer } from './coercion.ts'

export interface DeclaredValue {
  /** Returns the value in its declared type; `invalid` for one that breaks the declaration. */
  accept(sent: unknown): unknown
  /** The reason why a value is not accepted. The message begins with `name`. */
  problem(sent: unknown, name: string): ErrorDetail
  /**
   * Returns a stored value in its declared type; undefined for one that cannot be of it. Bounds and enums do not count: they may be younger
   * than the row.
   */
  read(stored: unknown): unknown
}

/** Created once per field. */
export function declaredValue(node: SchemaNode): DeclaredValue {
  const coerce = coercer(node)
  const isRight = checkOf({ node })
  return {
    accept(sent) {
      const value = coerce(sent)
      return value === invalid || (isRight !== undefined && !isRight(value)) ? invalid : value
    },
    problem: (sent, name) =>
      problemOf(node, sent, name) ?? { code: 'rest_invalid_type', message: `${name} has the wrong type.` },
    read(stored) {
      const value = coerce(stored)
      return value === invalid ? undefined : value
    },
  }
}
