/** Sends the public forms of a site: the intake at an address of the host, which is no route of the REST interface. */
import type { FormValue } from '../site/form-schema.ts'
import { ClientError, type Failure, failure, resultOf } from './result.ts'
import type { Fetch } from './transport.ts'

/** A form of a built document with the entered values. */
export interface OutgoingForm {
  /** The document that has the form, and the element in it. */
  readonly postId: number
  readonly elementId: string
  readonly values: { readonly [field: string]: FormValue }
  /** The files of upload fields. */
  readonly files?: { readonly [field: string]: readonly File[] }
  /** The token of a captcha. */
  readonly captcha?: string
  /** The same key for each attempt to send this form: it is accepted once. Default: a new one. */
  readonly key?: string
}

/** A form that was accepted. */
export interface SentFormResult {
  readonly ok: true
  /** The sentence of the form's author, where there is one. */
  readonly message?: string
  /** The address to show next, if the form has one. */
  readonly redirect?: string
}

/** The options of `sendForm`. */
export interface SendFormOptions {
  /** Sends the request. Default: `fetch` of the runtime. */
  readonly fetch?: Fetch
}

/**
 * Sends a form to the intake of a site. Never rejects. Of a failure, `error.params` has a sentence for each wrong field.
 *
 * ```ts
 * const sent = await sendForm('/submit-form', { postId: 10, elementId: '476d0ce', values: { email: 'bob@mail.test' } })
 * if (!sent.ok) console.log(sent.error.params)
 * ```
 */
export async function sendForm(
  address: string,
  form: OutgoingForm,
  { fetch = (url, init) => globalThis.fetch(url, init) }: SendFormOptions = {},
): Promise<SentFormResult | Failure> {
  const { key = crypto.randomUUID() } = form
  const init = { method: 'POST', headers: { 'Idempotency-Key': key, Accept: 'application/json' }, body: bodyOf(form) }
  try {
    const response = await fetch(address, init)
    const received = { status: response.status, headers: response.headers, data: await response.json() }
    const result = resultOf(received, noTotals, Date.now())
    return result.ok ? { ok: true, ...membersOf(received.data) } : result
  } catch (cause) {
    return failure(new ClientError('client_network', 'The form could not be sent.', { cause }))
  }
}

/** Responses of the intake have no totals. */
const noTotals = { total: 'X-None', totalPages: 'X-None' }

function bodyOf({ postId, elementId, values, files = {}, captcha }: OutgoingForm): FormData {
  const body = new FormData()
  body.append('post_id', String(postId))
  body.append('element_id', elementId)
  if (captcha !== undefined) body.append('captcha', captcha)
  for (const [field, value] of Object.entries(values)) {
    for (const text of Array.isArray(value) ? value : [value]) body.append(`fields[${field}]`, String(text))
  }
  for (const [field, list] of Object.entries(files)) {
    for (const file of list) body.append(`fields[${field}]`, file, file.name)
  }
  return body
}

function membersOf(data: unknown): Omit<SentFormResult, 'ok'> {
  // The cast: the intake's own response.
  const { message, redirect } = data as { readonly message?: string; readonly redirect?: string }
  return { ...(message === undefined ? {} : { message }), ...(redirect === undefined ? {} : { redirect }) }
}
