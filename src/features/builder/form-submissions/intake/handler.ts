/**
 * A handler for the public forms of a site, from a web-standard Request to a Response. The host mounts it at the URL to
 * which its pages submit forms; it is not a route of the REST interface.
 */

import { ApiError, errorBody, isApiError } from '../../../../core/declare/errors.ts'
import { storageError } from '../../../../core/pipeline/errors/storage-failures.ts'
import { randomId } from '../../../../core/runtime/crypto.ts'
import { isStorageFailure } from '../../../../core/runtime/unit-of-work.ts'
import { networkOf, type RateLimit, tokenBuckets } from '../../../../services/rate-limit.ts'
import type { SiteSubmissions } from '../management.ts'
import type { Submission } from '../model.ts'
import type { DoneAction } from '../submitted-form.ts'
import { fieldOf, type ReceivedForm, readFormBody } from './body.ts'
import { builtInCaptcha, captchaUnavailable } from './challenge.ts'
import type { ChallengeGate, Sending } from './gate.ts'
import type { FormReceipt, SentForm, SiteForms } from './submit.ts'

/** An action after a submission, such as a mail: rejects when it failed. */
export interface FormAction {
  readonly name: string
  readonly label: string
  /** The returned text is stored in the log. A rejection is logged as a failure; the submission stays stored. */
  readonly run: (submission: Submission) => Promise<string | undefined> | string | undefined
}

/** A solved captcha, as its widget put it into the form. */
export interface CaptchaAnswer {
  /** Names the kind of the option `captcha`; without it the type of the field: `recaptcha`, `recaptcha_v3`, `hcaptcha`, `turnstile`, `captcha`. */
  readonly kind: string
  /** The address of the sender, where `addressOf` tells it. */
  readonly ip: string | undefined
}

/** A service of captchas, whose tokens `verify` judges. */
export interface CaptchaService {
  readonly kind: 'recaptcha' | 'recaptcha_v3' | 'hcaptcha' | 'turnstile'
  /** The public key that the service gave for the site. */
  readonly siteKey: string
}

/** The options of `submissionHandler`. */
export interface SubmissionHandlerOptions {
  /** The client address as your server or proxy received it. Default: none is known, and all senders share one limit. */
  readonly addressOf?: (request: Request) => string | undefined
  /** How many forms a network may send. Default: a burst of 5, then 5 per minute; without `addressOf` 60 per minute for all. */
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
  /** Asks the captcha's service about a token. Default: forms with a captcha are refused, 403 `form_captcha_unavailable`. */
  readonly verify?: (token: string, answer: CaptchaAnswer) => Promise<boolean> | boolean
  /** The service whose captcha the pages draw in forms with such a field. Default: the challenge of the pages. */
  readonly captcha?: CaptchaService
  /** Runs after a submission is stored, beside the actions of the form itself. */
  readonly actions?: readonly FormAction[]
  /** The size of all texts together. Default: 64 KiB. */
  readonly bodyBytes?: number
  /** The size of all files together; one file has at most 25 MiB. Default: 50 MiB. */
  readonly uploadsBytes?: number
  /** Called with internal errors and failed actions. Default: `console.error`. */
  readonly failed?: (error: unknown) => void
}

/** The parts of an api that the handler needs. */
interface FormsApi {
  readonly site: { readonly submissions: SiteSubmissions; readonly forms: SiteForms }
}

const megabyte = 1024 * 1024
const fileBytes = 25 * megabyte

/**
 * Creates the function that receives the forms of built pages. It accepts `post_id`, `element_id`, `fields[<id>]` and
 * optionally `referer_title` and `post_password`, as a form or as JSON with an object `fields`; it accepts `form_id` and `form_fields[<id>]` of rendered
 * forms too. It responds with `{ "success": true }`, with `message` and `redirect` where the form has them, or with the usual error
 * body, whose `data.params` has the problems of single fields. Submissions with the same `Idempotency-Key` count once.
 *
 * ```ts
 * const submit = submissionHandler(api, { addressOf: (request) => request.headers.get('x-real-ip') ?? undefined })
 * // POST /submit-form  ->  await submit(request)
 * ```
 */
export function submissionHandler(
  api: FormsApi,
  options: SubmissionHandlerOptions = {},
): (request: Request) => Promise<Response> {
  const intake = new FormIntake(api, options)
  return async (request) => {
    if (request.method !== 'POST') {
      return toErrorResponse(new ApiError('rest_no_route', 'A form is sent with POST.', 405))
    }
    try {
      await intake.admit(request)
      const form = await intake.read(request)
      return await intake.submit(form, request).finally(form.dispose)
    } catch (error) {
      return intake.refuse(error)
    }
  }
}

const report = (error: unknown) => console.error('site-api: a form was not taken', error)

/** A document whose password the sender has proved, as with the cookie of a page. */
export interface UnlockedForm {
  readonly post: number
  readonly password: string
}

/** Receives forms, also those whose bodies are read already. */
export class FormIntake {
  readonly #api: FormsApi
  readonly #options: SubmissionHandlerOptions
  readonly #limit: RateLimit
  readonly #failed: (error: unknown) => void
  readonly #gate: ChallengeGate | undefined

  /** `gate`: the challenge of the pages. */
  constructor(api: FormsApi, options: SubmissionHandlerOptions = {}, gate?: ChallengeGate) {
    if (options.limit !== undefined && typeof options.limit?.take !== 'function')
      throw new TypeError('the option limit of forms must have the method take, as tokenBuckets() returns it')
    const limit = options.addressOf ? { capacity: 5, perMinute: 5 } : { capacity: 60, perMinute: 60 }
    this.#api = api
    this.#options = options
    this.#limit = options.limit ?? tokenBuckets(limit)
    this.#failed = options.failed ?? report
    this.#gate = gate
  }

  /** Counts the request against the limit of its sender, and rejects with 429 beyond. */
  async admit(request: Request): Promise<void> {
    const address = this.#options.addressOf?.(request)
    const seconds = await this.#limit.take(address === undefined ? 'all' : networkOf(address))
    if (seconds > 0) {
      throw new ApiError('rest_too_many_requests', 'Too many forms were sent.', 429, { retry_after: seconds })
    }
  }

  read(request: Request): Promise<ReceivedForm> {
    const { bodyBytes = 64 * 1024, uploadsBytes = 50 * megabyte } = this.#options
    return readFormBody(request, { bodyBytes, uploadBytes: fileBytes, uploadsBytes })
  }

  /** Responds in any case. `unlocked`: the sender has proved the password of this document before. */
  async submit(form: ReceivedForm, request: Request, unlocked?: UnlockedForm): Promise<Response> {
    try {
      const { submission, message, redirect } = await this.#take(form, request, unlocked)
      if (submission) await this.#runActions(submission)
      return toJsonResponse(
        { success: true, ...(message === '' ? {} : { message }), ...(redirect === '' ? {} : { redirect }) },
        200,
      )
    } catch (error) {
      return this.refuse(error)
    }
  }

  /** The response to a request that `admit` or `read` have rejected. */
  refuse(error: unknown): Response {
    if (isApiError(error)) return toErrorResponse(error)
    this.#failed(error)
    return toErrorResponse(
      isStorageFailure(error)
        ? storageError(error, randomId())
        : new ApiError('internal_server_error', 'The form could not be taken.', 500),
    )
  }

  async #take(form: ReceivedForm, request: Request, unlocked: UnlockedForm | undefined): Promise<FormReceipt> {
    const input = toInput(form)
    const isTrap = isTrapped(input, this.#options.honeypot ?? 'leave_empty')
    const { postId, elementId, values, refererTitle, others } = input
    const sending = this.#sendingOf(input, request)
    const proved = isTrap ? undefined : await this.#gate?.admit(sending)
    const password = unlocked?.post === postId ? unlocked.password : others.get('post_password')
    const sent: SentForm = {
      ...{ postId, elementId, values, files: form.files, isTrapped: isTrap },
      ...(refererTitle === undefined ? {} : { refererTitle }),
      ...(password === undefined ? {} : { password }),
      sender: { header: (name) => request.headers.get(name) ?? undefined, native: request },
      ...this.#clientOf(request),
      ...(await this.#senderOf(request, others.get('submission_key'))),
      ...this.#captchaOf(input, request, proved === undefined ? sending : undefined),
      ...(proved === undefined ? {} : { key: `challenge ${proved}` }),
    }
    try {
      return await this.#api.site.forms.submit(sent)
    } catch (error) {
      const isUsed = proved !== undefined && isApiError(error) && error.code === 'rest_idempotency_key_reused'
      throw isUsed ? await this.#gate?.refusal('used', sending) : error
    }
  }

  #sendingOf({ postId, elementId, others }: FormInput, request: Request): Sending {
    return {
      target: { post: postId, form: elementId },
      token: others.get('challenge_token') ?? '',
      proof: others.get('challenge_proof') ?? '',
      address: this.#options.addressOf?.(request),
      way: wayOf(request),
    }
  }

  async #senderOf(request: Request, sentKey: string | undefined) {
    const { addressOf, keepsSender } = this.#options
    const { headers } = request
    const userId = await this.#options.userOf?.(request)
    const key = headers.get('idempotency-key') ?? sentKey
    return {
      referer: headers.get('referer') ?? '',
      ...(userId === undefined ? {} : { userId }),
      ...(keepsSender ? { userAgent: headers.get('user-agent') ?? '', userIp: addressOf?.(request) ?? '' } : {}),
      ...(key === undefined || key === '' ? {} : { key }),
    }
  }

  #clientOf(request: Request) {
    const address = this.#options.addressOf?.(request)
    return address === undefined ? {} : { client: networkOf(address) }
  }

  /** `unproved`: what was sent without a solved challenge. */
  #captchaOf({ others }: FormInput, request: Request, unproved: Sending | undefined): Pick<SentForm, 'verify'> {
    const { verify, addressOf, captcha } = this.#options
    const gate = this.#gate
    // A captcha without a service is the challenge of the pages.
    const isBuiltIn = (type: string) => type === builtInCaptcha || (!verify && !captcha)
    const ip = addressOf?.(request)
    return {
      verify: async (type) => {
        if (gate && isBuiltIn(type)) {
          if (unproved) throw await gate.refusal('required', unproved)
          return true
        }
        if (!verify || type === builtInCaptcha) throw captchaUnavailable(type)
        return verifyToken(others, (token) => verify(token, { kind: captcha?.kind ?? type, ip }))
      },
    }
  }

  async #runActions(submission: Submission): Promise<void> {
    const completed: DoneAction[] = []
    for (const { name, label, run } of this.#options.actions ?? []) {
      try {
        completed.push({ name, label, status: 'success', log: (await run(submission)) ?? '' })
      } catch (error) {
        this.#failed(error)
        completed.push({ name, label, status: 'failed', log: error instanceof Error ? error.message : '' })
      }
    }
    if (completed.length === 0) return
    // The submission is stored: its sender has to learn that, whether its log is stored or not.
    await this.#api.site.submissions.recordActions(submission.id, completed).catch(this.#failed)
  }
}

// ---------------------------------------------------------------- input

/** Whether a script sends the form: it can work, and people without one wait. */
export const wayOf = ({ headers }: Request): Sending['way'] =>
  /\bapplication\/json\b/.test(headers.get('accept') ?? '') ? 'work' : 'pause'

const isTrapped = ({ values, others }: FormInput, honeypot: string): boolean =>
  `${others.get(honeypot) ?? ''}${(values[honeypot] ?? []).join('')}` !== ''

/** The members in which the widgets of captchas put their tokens. */
const tokenNames = ['g-recaptcha-response', 'h-captcha-response', 'cf-turnstile-response', 'captcha']

async function verifyToken(
  others: ReadonlyMap<string, string>,
  verify: (token: string) => Promise<boolean> | boolean,
): Promise<boolean> {
  const token = tokenNames.map((name) => others.get(name) ?? '').find((text) => text !== '')
  return token !== undefined && verify(token)
}

interface FormInput {
  readonly postId: number
  readonly elementId: string
  readonly refererTitle: string | undefined
  readonly values: { readonly [field: string]: readonly string[] }
  /** The members outside the fields. */
  readonly others: ReadonlyMap<string, string>
}

function toInput({ pairs }: ReceivedForm): FormInput {
  const texts = new Map<string, string[]>()
  const others = new Map<string, string>()
  for (const [name, text] of pairs) {
    const field = fieldOf(name)
    if (field === undefined) others.set(name, text)
    else if (texts.get(field)?.push(text) === undefined) texts.set(field, [text])
  }
  const post = others.get('post_id') ?? ''
  return {
    postId: /^\d{1,15}$/.test(post) ? Number(post) : 0,
    elementId: others.get('element_id') ?? others.get('form_id') ?? '',
    refererTitle: others.get('referer_title'),
    values: Object.fromEntries(texts),
    others,
  }
}

// ---------------------------------------------------------------- responses

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
