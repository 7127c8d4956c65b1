/**
 * Sends a comment from the form of a page through the API, so that the same limits and the same moderation apply as for any
 * client.
 */

import type { Post } from '../../contract/storage.ts'
import { isOutcomeUnknown, problemsOf } from '../forms.ts'
import type { Visit } from '../visit.ts'
import type { RefusedComment } from './draw.ts'

export const isComment = (fields: FormData): boolean => fields.has('comment_form')

interface SentComment {
  readonly id: number
  /** False: the comment waits for approval. */
  readonly isShown: boolean
}

type Sending =
  | { readonly sent: SentComment }
  /** The response of a storage that does not know whether the comment is stored. */
  | { readonly unknown: Response }
  | { readonly refused: RefusedComment; readonly status: number; readonly retryAfter: string | null }

const FIELDS = ['comment_text', 'comment_name', 'comment_email', 'comment_url', 'comment_parent']

export async function sendComment(
  fields: FormData,
  { post, isUnlocked }: { readonly post: Post; readonly isUnlocked: boolean },
  visit: Visit,
): Promise<Sending> {
  const values: { [name: string]: string } = {}
  for (const name of FIELDS) {
    const value = fields.get(name)
    values[name] = typeof value === 'string' ? value : ''
  }
  const response = await visit.api.fetch(requestOf(values, isUnlocked ? post.password : '', post, visit))
  if (await isOutcomeUnknown(response)) return { unknown: response }
  if (!response.ok) {
    const problems = await problemsOf(response)
    return { refused: { values, problems }, status: response.status, retryAfter: response.headers.get('retry-after') }
  }
  // The cast: the API returns a comment.
  const { id, status } = (await response.json()) as { readonly id: number; readonly status?: string }
  return { sent: { id, isShown: status === 'approved' } }
}

function requestOf(
  values: { readonly [name: string]: string },
  password: string,
  post: Post,
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
  headers.set('content-type', 'application/json')
  headers.set('accept', 'application/json')
  const address = new URL(`${api.root}${app.names.toPublic('/cms/v2/comments')}`, request.url)
  return new Request(address, { method: 'POST', headers, body, signal: request.signal })
}
