/**
 * Sends a comment from the form of a page through the API, so that the same limits and the same moderation apply as for any
 * client.
 */

import type { Post } from '../../contract/storage.ts'
import { type ApiError, isApiError } from '../../core/declare/errors.ts'
import { commentForm } from '../../features/builder/form-submissions/intake/challenge.ts'
import type { ChallengeGate, Sending } from '../../features/builder/form-submissions/intake/gate.ts'
import { wayOf } from '../../features/builder/form-submissions/intake/handler.ts'
import { trapName } from '../../render/builder/blocks/comment-form.ts'
import { visitorsOf } from '../../services/visitors.ts'
import { isOutcomeUnknown, problemsOf } from '../forms.ts'
import type { Visit } from '../visit.ts'
import type { RefusedComment } from './draw.ts'

export const isComment = (fields: FormData): boolean => fields.has('comment_form')

interface SentComment {
  readonly id: number
  /** False: the comment waits for approval. */
  readonly isShown: boolean
}

type Sent =
  | { readonly sent: SentComment }
  /** The response of a storage that does not know whether the comment is stored. */
  | { readonly unknown: Response }
  | { readonly refused: RefusedComment; readonly status: number; readonly retryAfter: string | null }

const FIELDS = ['comment_text', 'comment_name', 'comment_email', 'comment_url', 'comment_parent']

interface CommentedPost {
  readonly post: Post
  readonly isUnlocked: boolean
  readonly gate: ChallengeGate
}

export async function sendComment(
  fields: FormData,
  { post, isUnlocked, gate }: CommentedPost,
  visit: Visit,
): Promise<Sent> {
  const text = (name: string): string => {
    const value = fields.get(name)
    return typeof value === 'string' ? value : ''
  }
  const values = Object.fromEntries(FIELDS.map((name) => [name, text(name)]))
  // A program learns nothing: its comment seems to wait for approval.
  if (text(trapName) !== '') return { sent: { id: 0, isShown: false } }
  const { request } = visit
  const sending: Sending = {
    target: { post: post.id, form: commentForm },
    ...{ token: text('challenge_token'), proof: text('challenge_proof'), way: wayOf(request) },
    address: visitorsOf(visit.app).addressOf({
      header: (name) => request.headers.get(name) ?? undefined,
      native: request,
    }),
  }
  try {
    const proved = await gate.admit(sending)
    const response = await visit.api.fetch(requestOf(values, isUnlocked ? post.password : '', post, proved, visit))
    if (proved !== undefined && response.status === 422) throw await gate.refusal('used', sending)
    return await sentOf(response, values)
  } catch (error) {
    if (!isApiError(error)) throw error
    return { refused: refusedBy(error, values, visit), status: error.status, retryAfter: retryAfterOf(error) }
  }
}

async function sentOf(response: Response, values: RefusedComment['values']): Promise<Sent> {
  if (await isOutcomeUnknown(response)) return { unknown: response }
  if (!response.ok) {
    const problems = await problemsOf(response)
    return { refused: { values, problems }, status: response.status, retryAfter: response.headers.get('retry-after') }
  }
  // The cast: the API returns a comment.
  const { id, status } = (await response.json()) as { readonly id: number; readonly status?: string }
  return { sent: { id, isShown: status === 'approved' } }
}

function refusedBy(
  { message, data }: ApiError,
  values: RefusedComment['values'],
  { options: { words } }: Visit,
): RefusedComment {
  // The cast: the gate has made the challenge.
  const challenge = data['challenge'] as { readonly token: string } | undefined
  if (!challenge) return { values, problems: [message] }
  return { values, problems: [words.challengeAgain], challenge: challenge.token }
}

const retryAfterOf = ({ data: { retry_after: seconds } }: ApiError): string | null =>
  seconds === undefined ? null : String(seconds)

function requestOf(
  values: { readonly [name: string]: string },
  password: string,
  post: Post,
  proved: string | undefined,
  { request, api, app }: Visit,
): Request {
  const parent = /^\d{1,15}$/.exec(values['comment_parent'] ?? '')?.[0] ?? '0'
  const url = values['comment_url'] ?? ''
  const body = JSON.stringify({
    ...{ post: post.id, parent: Number(parent), content: values['comment_text'] },
    ...{ author_name: values['comment_name'], author_email: values['comment_email'] },
    ...(url === '' ? {} : { author_url: url }),
    ...(password === '' ? {} : { password }),
  })
  // The headers identify the sender: limits and the protection against cross-site requests read them.
  const headers = new Headers(request.headers)
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding', 'if-none-match']) headers.delete(name)
  // Each solved challenge is good for one comment.
  if (proved !== undefined) headers.set('idempotency-key', `challenge-${proved}`)
  headers.set('content-type', 'application/json')
  headers.set('accept', 'application/json')
  const address = new URL(`${api.root}${app.names.toPublic('/cms/v2/comments')}`, request.url)
  return new Request(address, { method: 'POST', headers, body, signal: request.signal })
}
