/** Handles protected posts: the password form, and the cookie that proves a correct password. */

import type { Post } from '../../contract/storage.ts'
import { sameDigest, signatureOf } from '../../core/runtime/crypto.ts'
import { networkOf } from '../../services/rate-limit.ts'
import { clientOf, passwordAttemptsOf } from '../../services/visitors.ts'
import type { Visit } from '../visit.ts'

const cookieOf = ({ id }: Post): string => `site_unlock_${id}`

/** The proof contains the password, so a new password locks the post again. */
const proofOf = ({ id, password }: Post, secret: string): string => signatureOf(`unlock ${id} ${password}`, secret)

export async function isUnlocked(post: Post, { request, secret }: Visit): Promise<boolean> {
  if (post.password === '') return true
  const sent = cookieIn(request.headers.get('cookie') ?? '', cookieOf(post))
  return sent !== undefined && sameDigest(sent, proofOf(post, await secret()))
}

function cookieIn(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

const days = 10

export async function unlockCookie(post: Post, { settings, secret }: Visit): Promise<string> {
  const home = new URL(settings.home)
  const path = home.pathname === '' ? '/' : home.pathname
  const security = home.protocol === 'https:' ? '; Secure' : ''
  const proof = proofOf(post, await secret())
  return `${cookieOf(post)}=${proof}; Path=${path}; Max-Age=${days * 86_400}; HttpOnly; SameSite=Lax${security}`
}

/** Throws 429 for a client that has guessed too often: here, through the API or with forms. */
export const opensPost = (entered: string, post: Post, { app, request, options }: Visit): boolean =>
  passwordAttemptsOf(app).opens(post, entered, pageClient(request, { app, options }))

/** The network of the client, by the same addresses as in the API, or by those that the forms of the pages have. */
function pageClient(request: Request, { app, options }: Pick<Visit, 'app' | 'options'>): string | undefined {
  const header = (name: string) => request.headers.get(name) ?? undefined
  const known = clientOf(app, { header, native: request })
  if (known !== undefined || options.forms === false) return known
  const address = options.forms.addressOf?.(request)
  return address === undefined ? undefined : networkOf(address)
}
