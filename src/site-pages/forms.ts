/** Receives forms that a page submits without a script: it reads them, passes them to the intake, and answers with a page. */
import { collectBytes } from '../core/request/body.ts'
import { checkBodyHeaders } from '../core/request/incoming.ts'
import type { ReceivedForm } from '../features/builder/form-submissions/intake/body.ts'
import type { ChallengeGate } from '../features/builder/form-submissions/intake/gate.ts'
import {
  FormIntake,
  type SubmissionHandlerOptions,
  type UnlockedForm,
} from '../features/builder/form-submissions/intake/handler.ts'
import type { SiteForms } from '../features/builder/form-submissions/intake/submit.ts'
import type { SiteSubmissions } from '../features/builder/form-submissions/management.ts'
import type { PagesApi } from './api.ts'

/** Returns undefined when the profile stores no submissions, or the host receives its forms itself. */
export function createPageIntake(
  api: PagesApi,
  options: SubmissionHandlerOptions | false,
  gate: ChallengeGate,
): FormIntake | undefined {
  // The cast: profiles with the feature have the members.
  const { submissions, forms } = api.site as { readonly submissions?: SiteSubmissions; readonly forms?: SiteForms }
  return submissions && forms && options !== false
    ? new FormIntake({ site: { submissions, forms } }, options, gate)
    : undefined
}

const bodyBytes = 64 * 1024
const noFiles = { files: [], dispose: async () => undefined }

/**
 * Reads the form that a page has sent. Rejects with an ApiError for a body that is too large or broken; another body has no
 * fields.
 */
export async function readPageForm(request: Request, intake: FormIntake | undefined): Promise<ReceivedForm> {
  const { headers } = request
  const type = headers.get('content-type') ?? ''
  // Only forms of built pages contain files; such a form counts against the rate limit before its body is read.
  if (intake && isMultipart(request)) {
    await intake.admit(request)
    return intake.read(request)
  }
  checkBodyHeaders(headers.get('content-encoding'), headers.get('content-length'), bodyBytes)
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return { pairs: [], ...noFiles }
  // The cast: the DOM types have no async iterator for ReadableStream; Node has.
  const stream = request.body as unknown as AsyncIterable<Uint8Array> | null
  const bytes = stream ? await collectBytes(stream, bodyBytes) : new Uint8Array()
  return { pairs: [...new URLSearchParams(new TextDecoder().decode(bytes))], ...noFiles }
}

const isMultipart = ({ headers }: Request): boolean =>
  /^multipart\/form-data\b/i.test(headers.get('content-type') ?? '')

/** Returns the text fields. */
export function fieldsOf({ pairs }: ReceivedForm): FormData {
  const fields = new FormData()
  for (const [name, text] of pairs) fields.append(name, text)
  return fields
}

/** Passes the form to the intake and returns its response. */
export async function sendForm(
  received: ReceivedForm,
  request: Request,
  intake: FormIntake,
  unlocked: UnlockedForm | undefined,
): Promise<Response> {
  try {
    if (!isMultipart(request)) await intake.admit(request)
    return await intake.submit(received, request, unlocked)
  } catch (error) {
    return intake.refuse(error)
  }
}

/**
 * Returns the address to which a browser without a script is redirected after an accepted form; undefined when the form names
 * none.
 */
export async function redirectIn(response: Response): Promise<string | undefined> {
  // The cast: the intake wrote this response.
  const { redirect } = (await response.json()) as { readonly redirect?: string }
  return redirect
}

interface Problem {
  readonly message?: unknown
  readonly data?: {
    readonly challenge?: { readonly token?: unknown }
    readonly params?: { readonly [field: string]: unknown }
  }
}

/** Whether a storage that fails may have stored the form. The body stays readable. */
export async function isOutcomeUnknown(response: Response): Promise<boolean> {
  if (response.status !== 503) return false
  // The cast: error responses have this form.
  const { data } = (await response.clone().json()) as { readonly data?: { readonly written?: unknown } }
  return data?.written === 'perhaps'
}

/** Reads the problems of a refused form, as sentences for readers. */
export async function problemsOf(response: Response): Promise<readonly string[]> {
  // The cast: error responses have this form.
  const { message, data } = (await response.json()) as Problem
  const params = Object.values(data?.params ?? {}).filter((text) => typeof text === 'string')
  return params.length > 0 ? params : [String(message ?? '')]
}

/** Returns the token with which a reader who has no script may send the form once more. */
export async function challengeIn(response: Response): Promise<string | undefined> {
  // The cast: error responses have this form.
  const { data } = (await response.clone().json()) as Problem
  const token = data?.challenge?.token
  return typeof token === 'string' ? token : undefined
}
