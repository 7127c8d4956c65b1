/** Handles protected posts: the password form, and the cookie that proves a correct password. */

import type { Post } from '../../contract/storage.ts'
import { sameDigest, sha256Of, signatureOf } from '../../core/runtime/crypto.ts'
import type { RateLimit } from '../../services/rate-limit.ts'
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

/** Compares in constant time, whatever the lengths. */
export const isPasswordRight = (entered: string, { password }: Post): boolean =>
  password !== '' && sameDigest(sha256Of(entered), sha256Of(password))

/** Returns the seconds to wait; 0: the attempt may be made. Attempts are counted per post. */
export const waitOf = async (limit: RateLimit, { id }: Post): Promise<number> => limit.take(String(id))
