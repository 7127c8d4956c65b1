/** The one place of core that digests secrets. Nothing here stores anything. */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 24 letters and digits, 142 bits: random enough that a fast digest is safe. */
export function newApplicationPassword(): string {
  let secret = ''
  for (let i = 0; i < 24; i++) secret += alphabet[randomInt(alphabet.length)]
  return secret
}

/** As shown to people: `abcd EFGH ...`. */
export const inGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')

/** Spaces and all other signs between the letters and digits do not count; case does. */
export const digestOf = (secret: string): string =>
  createHash('sha256')
    .update(secret.replace(/[^A-Za-z0-9]/g, ''))
    .digest('hex')

/** Takes the same time wherever two digests differ. */
export function sameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
