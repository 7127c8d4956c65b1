/** The `{ data, meta }` envelope that several builder routes use, for responses and for errors. */
import { ApiError, type ErrorData } from '../../core/declare/errors.ts'
import { emptyList, fields, type ResponseSchema } from '../../core/declare/response-schema.ts'

/** Interface: `meta` is an empty list when it has no members. */
export const enveloped = <T>(data: T) => ({ data, meta: [] as readonly never[] })

export const envelopedSchema = <T>(data: ResponseSchema<T>) => fields({ data, meta: emptyList() })

/** Interface: errors of these routes always have `meta`; without members it is an empty list. */
export const failure = (code: string, message: string, status: number, meta: ErrorData | readonly [] = []) =>
  new ApiError(code, message, status, { meta })
