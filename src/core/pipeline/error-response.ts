/** What is answered when a request was refused, or when something failed: JSON for programs, a page for people. */

import type { Names } from '../../names/word-map.ts'
import type { Settings } from '../../site/settings.ts'
import type { Site } from '../declare/app-context.ts'
import { ApiError, type ErrorBody, errorBody, isApiError } from '../declare/errors.ts'
import { Answer } from '../declare/result.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Router } from '../routing/router.ts'
import { asksForEnvelope, enveloped } from './response-options.ts'

export type RefusalFor = (incoming: Incoming, error: unknown, settings: Settings | undefined) => Answer

/** On the path of a page people read what was refused, whoever refused it. */
export function createRefusals({ routes }: Router, site: Site): RefusalFor {
  const pages = new Map(
    routes.flatMap(({ pattern, bounds }) =>
      bounds.flatMap(({ endpoint: { refusalPage } }) =>
        refusalPage ? [[pattern.key.toLowerCase(), refusalPage] as const] : [],
      ),
    ),
  )
  return (incoming, error, settings) => {
    const answer = errorAnswer(error, site)
    const page = pages.get(bareOf(incoming.path))
    if (page) return page(answer.data, settings)
    return asksForEnvelope(envelopeIn(incoming.query)) ? enveloped(answer) : answer
  }
}

/** A refusal may come before the arguments are read. */
function envelopeIn(query: string): string | undefined {
  const found = query.includes('_envelope') ? /(?:^|&)_envelope(?:=([^&]*))?(?=&|$)/.exec(query) : null
  return found ? (found[1] ?? '') : undefined
}

/** As the router compares it: without case, and without the slashes at the end. */
function bareOf(path: string): string {
  let end = path.length
  while (end > 1 && path.charCodeAt(end - 1) === 47) end--
  return path.slice(0, end).toLowerCase()
}

/** A refusal or a lost race: nothing is wrong with the service itself. */
export function isRefusal(error: unknown): boolean {
  return isApiError(error) || isConflict(error)
}

const isConflict = (error: unknown): error is { readonly field: string } =>
  (error as { code?: unknown } | undefined)?.code === 'storage_conflict'

/** What a caller is told of a refusal or a lost race, its code in outer words; nothing for a failure. */
export function refusalOf(error: unknown, names: Names): ApiError | undefined {
  if (isConflict(error)) return new ApiError('rest_conflict', `Another record has this ${error.field}.`, 409)
  if (!isApiError(error)) return undefined
  const code = names.word(error.code)
  return code === error.code ? error : new ApiError(code, error.message, error.status, error.data)
}

export function errorAnswer(error: unknown, { log, names }: Site): Answer<ErrorBody> {
  const refusal = refusalOf(error, names)
  if (refusal) return new Answer(errorBody(refusal), refusal.status, {})
  const id = crypto.randomUUID()
  log.error('a request failed', { id, error })
  const body = {
    code: 'internal_server_error',
    message: 'The request could not be carried out.',
    data: { status: 500, id },
  }
  return new Answer(body, 500, {})
}
