/** The response envelope `{ success: true, data }` and its schema. */
import type { Arg } from '../../core/declare/args.ts'
import { exactly, fields } from '../../core/declare/response-schema.ts'

export const success = <T>(data: T) => ({ success: true, data })

export const successSchema = <T>(data: Arg<T>) => fields({ success: exactly(true), data })
