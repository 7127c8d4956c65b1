/**
 * A handler for the public forms of a site, from a web-standard Request to a Response. The host mounts it at the URL to
 * which its pages submit forms; it is not a route of the REST interface.
 */

import { ApiError, errorBody, isApiError } from '../../../core/declare/errors.ts'
import { checkedJson, collectBytes } from '../../../core/request/body.ts'
import { checkBodyHeaders } from '../../../core/request/incoming.ts'
import { networkOf, type RateLimit, tokenBuckets } from '../../../services/rate-limit.ts'
import { type Form, noSuchForm, type SubmittedTexts, validateValues } from './form.ts'
import type { DoneAction, SiteSubmissions, SubmittedField } from './management.ts'
import type { Submission } from './model.ts'

/** An action after a submission, such as a mail: rejects when it failed. */
export interface FormAction {
  readonly name: string
  readonly label: string
  /** The returned text is stored in the log. A rejection is logged as a failure; the submission stays stored. */
  readonly run: (submission: Submission) => Promise<string | undefined> | string | undefined
}

/** The options of `submissionHandler`. */
export interface SubmissionHandlerOptions {
  /** The client address as your server or proxy received it. Without this option all senders share one limit. */
  readonly addressOf?: (request: Request) => string | undefined
  /** Applied to each network. Default: a burst of 5, then 5 per minute; without `addressOf` 60 per minute for all. */
  readonly limit?: RateLimit
  /** The id of the signed-in user. Default: every sender is a guest. */
  readonly userOf?: (request: Request) => Promise<number | undefined> | number | undefined
  /** True: client address and user agent are stored with the submission. */
  readonly keepsSender?: boolean
  /**
   * A field that your pages hide from people. Forms that fill it get a success and are discarded. Default:
   * `leave_empty`.
   */
  readonly honeypot?: string
  /** Runs after a submission is stored, such as sending a mail. */
  readonly actions?: readonly FormAction[]
  /** Default: 64 KiB. */
  readonly bodyBytes?: number
  /** Called with internal errors and failed actions. Default: `console.error`. */
  readonly failed?: (error: unknown) => void
}

/**
 * Accepts `post_id`, `element_id`, `fields[<id>]` and optionally `referer_title`, as a form or as JSON with an object
 * `fields`. Responds with `{ "success": true }` or with the usual error body; problems of single fields are in
 * `data.params`.
 *
 * ```ts
 * const submit = submissionHandler(api, { addressOf: (request) => request.headers.get('x-real-ip') ?? undefined })
 * // POST /submit-form  ->  await submit(request)
 * ```
 */
export function submissionHandler(
  api: { readonly site: { readonly submissions: SiteSubmissions } },
  options: SubmissionHandlerOptions = {},
): (request: Request) => Promise<Response> {
  const { addressOf, failed = (error) => console.error('site-api: a form was not taken', error) } = options
  const limit =
    options.limit ?? tokenBuckets(addressOf ? { capacity: 5, perMinute: 5 } : { capacity: 60, perMinute: 60 })

  async function submit(request: Request): Promise<void> {
    if (request.method !== 'POST') throw new ApiError('rest_no_route', 'A form is sent with POST.', 405)
    const address = addressOf?.(request)
    await checkLimit(address)
    const input = await readInput(request, options.bodyBytes ?? 64 * 1024)
    const form = await api.site.submissions.form(input.postId, input.elementId)
    if (!form) throw noSuchForm()
    if (isFilledByBot(form, input, options.honeypot ?? 'leave_empty')) return
    const fields = toSubmittedFields(form, input.texts)
    const userId = await options.userOf?.(request)
    const submission = await api.site.submissions.add({
      postId: form.postId,
      elementId: form.elementId,
      formName: form.name,
      fields,
      referer: request.headers.get('referer') ?? '',
      ...(input.refererTitle === undefined ? {} : { refererTitle: input.refererTitle }),
      ...(userId === undefined ? {} : { userId }),
      ...(options.keepsSender ? senderOf(request, address) : {}),
    })
    await runActions(submission)
  }

  async function checkLimit(address: string | undefined): Promise<void> {
    const seconds = await limit.take(address === undefined ? 'all' : networkOf(address))
    if (seconds <= 0) return
    throw new ApiError('rest_too_many_requests', 'Too many forms were sent.', 429, { retry_after: seconds })
  }

  async function runActions(submission: Submission): Promise<void> {
    const completed: DoneAction[] = []
    for (const { name, label, run } of options.actions ?? []) {
      try {
        completed.push({ name, label, status: 'success', log: (await run(submission)) ?? '' })
      } catch (error) {
        failed(error)
        completed.push({ name, label, status: 'failed', log: error instanceof Error ? error.message : '' })
      }
    }
    if (completed.length > 0) await api.site.submissions.recordActions(submission.id, completed)
  }

  return async (request) => {
    try {
      await submit(request)
      return toJsonResponse({ success: true }, 200)
    } catch (error) {
      if (isApiError(error)) return toErrorResponse(error)
      failed(error)
      return toErrorResponse(new ApiError('internal_server_error', 'The form could not be taken.', 500))
    }
  }
}

const senderOf = (request: Request, address = '') => ({
  userAgent: request.headers.get('user-agent') ?? '',
  userIp: address,
})

/** The fields of the form with the submitted values. Throws 400 for invalid values. */
function toSubmittedFields(form: Form, texts: SubmittedTexts): SubmittedField[] {
  const values = new Map(validateValues(form, texts).map(({ key, value }) => [key, value]))
  return form.fields.map(({ id, type, label, options, isMultiple }) => ({
    id,
    type,
    label,
    value: values.get(id) ?? '',
    ...(options ? { options } : {}),
    ...(isMultiple === undefined ? {} : { isMultiple }),
  }))
}

const toJsonResponse = (body: unknown, status: number, headers: { readonly [name: string]: string } = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      'Content-Type': 'application/json; charset=UTF-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      ...headers,
    },
  })

function toErrorResponse(error: ApiError): Response {
  if (error.status === 405) return toJsonResponse(errorBody(error), 405, { Allow: 'POST' })
  const { retry_after: seconds } = error.data
  return toJsonResponse(errorBody(error), error.status, seconds === undefined ? {} : { 'Retry-After': String(seconds) })
}

// ---------------------------------------------------------------- input

interface FormInput {
  readonly postId: number
  readonly elementId: string
  readonly refererTitle: string | undefined
  /** The texts of `fields`, by field id. */
  readonly texts: SubmittedTexts
  /** The members outside `fields`. */
  readonly otherTexts: ReadonlyMap<string, string>
}

const isFilledByBot = ({ honeypots }: Form, { texts, otherTexts }: FormInput, honeypot: string): boolean =>
  (otherTexts.get(honeypot) ?? '') !== '' ||
  [...honeypots, honeypot].some((name) => (texts.get(name) ?? []).some((text) => text !== ''))

async function readInput(request: Request, bodyBytes: number): Promise<FormInput> {
  checkBodyHeaders(request.headers.get('content-encoding'), request.headers.get('content-length'), bodyBytes)
  const type = request.headers.get('content-type') ?? ''
  const mediaType = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isForm = mediaType === 'multipart/form-data' || mediaType === 'application/x-www-form-urlencoded'
  if (!isForm && mediaType !== 'application/json') {
    throw new ApiError('rest_unsupported_media_type', 'A form is sent as a form or as JSON.', 415)
  }
  // The cast: the DOM types have no async iterator for ReadableStream; Node has.
  const stream = request.body as unknown as AsyncIterable<Uint8Array> | null
  const bytes = stream ? await collectBytes(stream, bodyBytes) : new Uint8Array()
  return toInput(isForm ? await formPairs(bytes, type) : jsonPairs(bytes))
}

type Pairs = readonly (readonly [name: string, text: string])[]

async function formPairs(bytes: Uint8Array, type: string): Promise<Pairs> {
  try {
    const form = await new Response(bytes as BodyInit, { headers: { 'content-type': type } }).formData()
    return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  } catch {
    throw new ApiError('rest_invalid_form', 'The form can not be read.', 400)
  }
}

function jsonPairs(bytes: Uint8Array): Pairs {
  let value: unknown
  try {
    value = checkedJson(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch (error) {
    if (isApiError(error)) throw error
    throw new ApiError('rest_invalid_json', 'The body is not valid JSON.', 400)
  }
  if (typeof value !== 'object' || value === null) return []
  const { fields = {}, ...others } = value as { readonly [name: string]: unknown }
  const fieldEntries = Object.entries(typeof fields === 'object' && fields !== null ? fields : {})
  return [
    ...Object.entries(others).flatMap(([name, member]) => textsOf(member).map((text) => [name, text] as const)),
    ...fieldEntries.flatMap(([name, member]) => textsOf(member).map((text) => [`fields[${name}]`, text] as const)),
  ]
}

const textsOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap((entry) => (Array.isArray(entry) ? [] : textsOf(entry)))
  return ['string', 'number', 'boolean'].includes(typeof value) ? [String(value)] : []
}

const fieldName = /^fields\[([^[\]]{1,60})\](?:\[\])?$/

function toInput(pairs: Pairs): FormInput {
  const texts = new Map<string, string[]>()
  const otherTexts = new Map<string, string>()
  for (const [name, text] of pairs) {
    const field = fieldName.exec(name)?.[1]
    if (field === undefined) otherTexts.set(name, text)
    else if (texts.get(field)?.push(text) === undefined) texts.set(field, [text])
  }
  const post = otherTexts.get('post_id') ?? ''
  return {
    postId: /^\d{1,15}$/.test(post) ? Number(post) : 0,
    elementId: otherTexts.get('element_id') ?? '',
    refererTitle: otherTexts.get('referer_title'),
    texts,
    otherTexts,
  }
}
