/** Keeps sessions in a signed cookie, which has the id of a user and the end of the session. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const cookieName = 'session'
export const lifeSeconds = 8 * 60 * 60

function signatureOf(text: string): Buffer {
  const { SESSION_SECRET } = process.env
  if (SESSION_SECRET === undefined) throw new Error('SESSION_SECRET is missing: set it to a long random text')
  return createHmac('sha256', SESSION_SECRET).update(text).digest()
}

export function sessionOf(userId: number): string {
  const text = `${userId}.${Date.now() + lifeSeconds * 1000}`
  return `${text}.${signatureOf(text).toString('base64url')}`
}

/** The user of a session that this application signed and that has not ended; null for anything else. */
export function userOf(session = ''): number | null {
  const [userId, end, signature = ''] = session.split('.')
  if (signature === '') return null
  const given = Buffer.from(signature, 'base64url')
  const expected = signatureOf(`${userId}.${end}`)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return Number(end) > Date.now() ? Number(userId) : null
}
