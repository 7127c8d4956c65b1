/**
 * A ready handler for the public forms of a site, from a web-standard Request to a Response. The host mounts it where its
 * pages send their forms; it is no part of the REST interface.
 */

import { ApiError, errorBody, isApiError } from '../../../core/declare/errors.ts'
import { checkedJson, collectBytes } from '../../../core/request/body.ts'
import { checkBodyHeaders } from '../../../core/request/incoming.ts'
import { networkOf, type RateLimit, tokenBuckets } from '../../../services/rate-limit.ts'
import { checkedValues, type Form, noSuchForm, type SentValues } from './form.ts'
import type { DoneAction, SiteSubmissions } from './management.ts'
import type { Submission } from './model.ts'

export interface FormAction {
  readonly name: string
  readonly label: string
  /** Its text is kept in the log. A rejection is logged as a failure; the submission stays. */
  readonly run: (submission: Submission) => Promise<string | undefined> | string | undefined
}

export interface SubmissionHandlerOptions {
  /** Where a request comes from: the address that your server or proxy saw. Without it all senders share one limit. */
  readonly addressOf?: (request: Request) => string | undefined
  /** By the network of the sender. Default: 5 at once, then 5 a minute; without `addressOf` 60 for all. */
  readonly limit?: RateLimit
  /** Who is signed in, by id. Default: everybody is a guest. */
  readonly userOf?: (request: Request) => Promise<number | undefined> | number | undefined
  /** True: address and browser of the sender are kept with the submission. */
  readonly keepsSender?: boolean
  /** A field that your pages hide from people; who fills it is thanked, and nothing is kept. Default: `leave_empty`. */
  readonly honeypot?: string
  /** What follows a submission, e.g. a mail. */
  readonly actions?: readonly FormAction[]
  /** Default: 64 KiB. */
  readonly bodyBytes?: number
  /** Told of failures that are nobody's mistake. Default: `console.error`. */
  readonly failed?: (error: unknown) => void
}

/**
 * Takes `post_id`, `element_id`, `fields[<id>]` and optionally `referer_title`, as a form or as JSON with an object
 * `fields`. Answers `{ "success": true }`, or an error of the usual form; what is wrong with single fields stands in
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

  async function take(request: Request): Promise<void> {
    if (request.method !== 'POST') throw new ApiError('rest_no_route', 'A form is sent with POST.', 405)
    const address = addressOf?.(request)
    const seconds = await limit.take(address === undefined ? 'all' : networkOf(address))
    if (seconds > 0) {
      throw new ApiError('rest_too_many_requests', 'Too many forms were sent.', 429, { retry_after: seconds })
    }
    const sent = await readSent(request, options.bodyBytes ?? 64 * 1024)
    const form = await api.site.submissions.form(sent.postId, sent.elementId)
    if (!form) throw noSuchForm()
    if (isMachine(form, sent, options.honeypot ?? 'leave_empty')) return
    const values = new Map(checkedValues(form, sent.values).map(({ key, value }) => [key, value]))
    const userId = await options.userOf?.(request)
    const submission = await api.site.submissions.add({
      postId: form.postId,
      elementId: form.elementId,
      formName: form.name,
      fields: form.fields.map(({ id, type, label, options: choices, isMultiple }) => ({
        ...{ id, type, label, value: values.get(id) ?? '' },
        ...(choices ? { options: choices } : {}),
        ...(isMultiple === undefined ? {} : { isMultiple }),
      })),
      referer: request.headers.get('referer') ?? '',
      ...(sent.refererTitle === undefined ? {} : { refererTitle: sent.refererTitle }),
      ...(userId === undefined ? {} : { userId }),
      ...(options.keepsSender ? { userAgent: request.headers.get('user-agent') ?? '', userIp: address ?? '' } : {}),
    })
    await runActions(submission)
  }

  async function runActions(submission: Submission): Promise<void> {
    const done: DoneAction[] = []
    for (const { name, label, run } of options.actions ?? []) {
      try {
        done.push({ name, label, status: 'success', log: (await run(submission)) ?? '' })
      } catch (error) {
        failed(error)
        done.push({ name, label, status: 'failed', log: error instanceof Error ? error.message : '' })
      }
    }
    if (done.length > 0) await api.site.submissions.recordActions(submission.id, done)
  }

  return async (request) => {
    try {
      await take(request)
      return answer({ success: true }, 200)
    } catch (error) {
      if (isApiError(error)) return refusal(error)
      failed(error)
      return refusal(new ApiError('internal_server_error', 'The form could not be taken.', 500))
    }
  }
}

const answer = (body: unknown, status: number, headers: { readonly [name: string]: string } = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      'Content-Type': 'application/json; charset=UTF-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      ...headers,
    },
  })

function refusal(error: ApiError): Response {
  if (error.status === 405) return answer(errorBody(error), 405, { Allow: 'POST' })
  const { retry_after: seconds } = error.data
  return answer(errorBody(error), error.status, seconds === undefined ? {} : { 'Retry-After': String(seconds) })
}

// ---------------------------------------------------------------- what was sent

interface Sent {
  readonly postId: number
  readonly elementId: string
  readonly refererTitle: string | undefined
  readonly values: SentValues
  /** Texts outside `fields`. */
  readonly around: ReadonlyMap<string, string>
}

const isMachine = ({ honeypots }: Form, { values, around }: Sent, honeypot: string): boolean =>
  (around.get(honeypot) ?? '') !== '' ||
  [...honeypots, honeypot].some((name) => (values.get(name) ?? []).some((text) => text !== ''))

async function readSent(request: Request, bodyBytes: number): Promise<Sent> {
  checkBodyHeaders(request.headers.get('content-encoding'), request.headers.get('content-length'), bodyBytes)
  const type = request.headers.get('content-type') ?? ''
  const media = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isForm = media === 'multipart/form-data' || media === 'application/x-www-form-urlencoded'
  if (!isForm && media !== 'application/json') {
    throw new ApiError('rest_unsupported_media_type', 'A form is sent as a form or as JSON.', 415)
  }
  // The cast: Node's stream can be read as it arrives.
  const stream = request.body as unknown as AsyncIterable<Uint8Array> | null
  const bytes = stream ? await collectBytes(stream, bodyBytes) : new Uint8Array()
  return toSent(isForm ? await formPairs(bytes, type) : jsonPairs(bytes))
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
  const { fields = {}, ...around } = value as { readonly [name: string]: unknown }
  const inner = Object.entries(typeof fields === 'object' && fields !== null ? fields : {})
  return [
    ...Object.entries(around).flatMap(([name, one]) => textsOf(one).map((text) => [name, text] as const)),
    ...inner.flatMap(([name, one]) => textsOf(one).map((text) => [`fields[${name}]`, text] as const)),
  ]
}

const textsOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => (Array.isArray(one) ? [] : textsOf(one)))
  return ['string', 'number', 'boolean'].includes(typeof value) ? [String(value)] : []
}

const fieldName = /^fields\[([^[\]]{1,60})\](?:\[\])?$/

function toSent(pairs: Pairs): Sent {
  const values = new Map<string, string[]>()
  const around = new Map<string, string>()
  for (const [name, text] of pairs) {
    const field = fieldName.exec(name)?.[1]
    if (field === undefined) around.set(name, text)
    else if (values.get(field)?.push(text) === undefined) values.set(field, [text])
  }
  const post = around.get('post_id') ?? ''
  return {
    postId: /^\d{1,15}$/.test(post) ? Number(post) : 0,
    elementId: around.get('element_id') ?? '',
    refererTitle: around.get('referer_title'),
    values,
    around,
  }
}
