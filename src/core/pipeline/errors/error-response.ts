/** From an error to its result: JSON for programs, a page on the paths of pages. */

import type { Names } from '../../../names/word-map.ts'
import type { Settings } from '../../../site/settings.ts'
import type { AppContext } from '../../declare/app-context.ts'
import { ApiError, type ErrorBody, errorBody, isApiError } from '../../declare/errors.ts'
import type { Incoming } from '../../declare/request.ts'
import { noHeaders, type ResponseHeaders, Result } from '../../declare/result.ts'
import type { Router } from '../../routing/router.ts'
import { randomId } from '../../runtime/crypto.ts'
import { isStorageFailure } from '../../runtime/unit-of-work.ts'
import { toEnvelope, wantsEnvelope } from '../response/options.ts'
import { createFailureLog, storageError } from './storage-failures.ts'

type ErrorResponder = (
  incoming: Incoming,
  error: unknown,
  settings: Settings | undefined,
  headers: ResponseHeaders,
) => Result

/** Errors on the path of a page are shown as that page, whatever threw them. */
export function createErrorResponder({ routes }: Router, app: AppContext): ErrorResponder {
  const pages = new Map(
    routes.flatMap(({ pattern, endpoints }) =>
      endpoints.flatMap(({ endpoint: { errorPage } }) =>
        errorPage ? [[pattern.key.toLowerCase(), errorPage] as const] : [],
      ),
    ),
  )
  const failures = createFailureLog(app.log)
  const resultOf = (error: unknown, incoming: Incoming) => {
    if (!isStorageFailure(error)) return errorResult(error, app, incoming)
    return errorResult(storageError(error, failures.add(error, incoming)), app, incoming)
  }
  return (incoming, error, settings, headers) => {
    const answer = withHeaders(resultOf(error, incoming), headers)
    const page = pages.get(normalizedPath(incoming.path))
    if (page) return page(answer.data, settings)
    return wantsEnvelope(envelopeArgument(incoming.query)) ? toEnvelope(answer) : answer
  }
}

const withHeaders = (answer: Result<ErrorBody>, more: ResponseHeaders): Result<ErrorBody> =>
  more === noHeaders ? answer : new Result(answer.data, answer.status, { ...answer.headers, ...more })

/** Read from the raw query, because an error may come before the arguments are parsed. */
function envelopeArgument(query: string): string | undefined {
  const found = query.includes('_envelope') ? /(?:^|&)_envelope(?:=([^&]*))?(?=&|$)/.exec(query) : null
  return found ? (found[1] ?? '') : undefined
}

/** Returns the path as the router compares it: in lower case, without trailing slashes. */
function normalizedPath(path: string): string {
  let end = path.length
  while (end > 1 && path.charCodeAt(end - 1) === 47) end--
  return path.slice(0, end).toLowerCase()
}

/** An error for the caller or a lost race; the service itself works. */
export function isClientError(error: unknown): boolean {
  return isApiError(error) || isConflict(error) || isTooLarge(error)
}

const isConflict = (error: unknown): error is { readonly field: string } =>
  (error as { code?: unknown } | undefined)?.code === 'storage_conflict'

const isTooLarge = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === 'storage_too_large'

const isBrokenUndo = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === 'broken_undo'
const brokenHistory = 'The history of a record has a gap: it was written while the history was not kept.'

/** The error that the caller sees, its code in public names; undefined for a failure of the service. */
export function toApiError(error: unknown, names: Names): ApiError | undefined {
  if (isConflict(error)) return new ApiError('rest_conflict', `Another record has this ${error.field}.`, 409)
  if (isTooLarge(error)) return new ApiError('rest_too_large', 'The storage can not hold a record of this size.', 413)
  if (isBrokenUndo(error)) return new ApiError('history_incomplete', brokenHistory, 409)
  if (!isApiError(error)) return undefined
  const code = names.toPublic(error.code)
  return code === error.code ? error : new ApiError(code, error.message, error.status, error.data)
}

/** A client that has to wait finds the seconds in the header too. */
function retryAfter({ data: { retry_after: seconds } }: ApiError): ResponseHeaders {
  return typeof seconds === 'number' ? { 'Retry-After': String(seconds) } : {}
}

export function errorResult(
  error: unknown,
  { log, names }: AppContext,
  { method, path }: Pick<Incoming, 'method' | 'path'>,
): Result<ErrorBody> {
  const refusal = toApiError(error, names)
  if (refusal) return new Result(errorBody(refusal), refusal.status, retryAfter(refusal))
  const id = randomId()
  log.error('a request failed', { id, error, method, path })
  const body = {
    code: 'internal_server_error',
    message: 'The request could not be carried out.',
    data: { status: 500, id },
  }
  return new Result(body, 500, {})
}
