/** Forms of built pages, sent without a script: read, given to the intake, and answered with a page. */

import { collectBytes } from '../core/request/body.ts'
import { checkBodyHeaders } from '../core/request/incoming.ts'
import { type SubmissionHandlerOptions, submissionHandler } from '../features/builder/form-submissions/handler.ts'
import type { SiteSubmissions } from '../features/builder/form-submissions/management.ts'
import type { PagesApi } from './api.ts'

export type SubmitForm = (request: Request) => Promise<Response>

/** Undefined: the profile stores no submissions, or the host receives its forms itself. */
export function createSubmit(api: PagesApi, options: SubmissionHandlerOptions | false): SubmitForm | undefined {
  // The cast: profiles with the feature have the member.
  const { submissions } = api.site as { readonly submissions?: SiteSubmissions }
  return submissions && options !== false ? submissionHandler({ site: { submissions } }, options) : undefined
}

const bodyBytes = 64 * 1024

/** The fields of a form. Rejects with an ApiError for a body that is too large or no form. */
export async function readFields(request: Request, limit = bodyBytes): Promise<FormData> {
  const { headers } = request
  checkBodyHeaders(headers.get('content-encoding'), headers.get('content-length'), limit)
  const type = headers.get('content-type') ?? ''
  if (!/^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)) return new FormData()
  // The cast: the DOM types have no async iterator for ReadableStream; Node has.
  const stream = request.body as unknown as AsyncIterable<Uint8Array> | null
  const bytes = stream ? await collectBytes(stream, limit) : new Uint8Array()
  try {
    return await new Response(bytes as BodyInit, { headers: { 'content-type': type } }).formData()
  } catch {
    return new FormData()
  }
}

const fieldName = /^form_fields\[([^[\]]{1,60})\](?:\[\])?$/

/** What the pages call their fields, in the words of the intake. */
export function submissionOf(fields: FormData, request: Request): Request {
  // Maps: the sender chooses the names.
  const values = new Map<string, string[]>()
  const others = new Map<string, string>()
  for (const [name, value] of fields) {
    if (typeof value !== 'string') continue
    const field = fieldName.exec(name)?.[1]
    if (field === undefined) others.set(name, value)
    else if (values.get(field)?.push(value) === undefined) values.set(field, [value])
  }
  const body = JSON.stringify({
    ...Object.fromEntries(others),
    element_id: others.get('form_id') ?? '',
    fields: Object.fromEntries(values),
  })
  const headers = new Headers(request.headers)
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
  headers.set('content-type', 'application/json')
  return new Request(request.url, { method: 'POST', headers, body })
}

interface Problem {
  readonly message?: unknown
  readonly data?: { readonly params?: { readonly [field: string]: unknown } }
}

/** What was wrong, for readers. */
export async function problemsOf(response: Response): Promise<readonly string[]> {
  // The cast: the common form of errors.
  const { message, data } = (await response.json()) as Problem
  const params = Object.values(data?.params ?? {}).filter((text) => typeof text === 'string')
  return params.length > 0 ? params : [String(message ?? '')]
}
