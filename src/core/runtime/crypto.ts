/** Digests, signatures and random tokens: the only file of core that uses `node:crypto`. Stores nothing. */
import { createHash, createHmac, hash, randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 24 letters and digits, 142 random bits: enough that a fast digest is safe. */
export function newApplicationPassword(): string {
  let secret = ''
  for (let i = 0; i < 24; i++) secret += alphabet[randomInt(alphabet.length)]
  return secret
}

/** The form shown to users: `abcd EFGH ...`. */
export const formatApplicationPassword = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')

/** Ignores spaces and all characters but letters and digits; case counts. */
export const digestOf = (secret: string): string =>
  createHash('sha256')
    .update(secret.replace(/[^A-Za-z0-9]/g, ''))
    .digest('hex')

/** Compares in constant time. */
export function sameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const cost = { N: 32_768, r: 8, p: 1 }
const keyLength = 32

/** Slow on purpose. The digest names its method, cost and salt: `scrypt$32768$8$1$salt$key`. */
export async function digestOfPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

const digestForm = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,64})\$([\w-]{43})$/

export const isPasswordDigest = (text: string): boolean => digestForm.test(text)

/**
 * False for an empty digest (a user without a password) and for an unknown method. Both take as long as a comparison,
 * so that the time does not reveal which logins exist.
 */
export async function isPasswordOf(password: string, digest: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = digestForm.exec(digest) ?? []
  if (N === undefined) {
    await deriveKey(password, randomBytes(16), cost)
    return false
  }
  const derived = await deriveKey(password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return sameDigest(derived.toString('base64url'), key)
}

function deriveKey(password: string, salt: Uint8Array, { N, r, p }: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Twice what scrypt needs; Node's default limit is too low for this cost.
    const maxmem = 256 * N * r
    scrypt(password.normalize('NFKC'), salt, keyLength, { N, r, p, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

/** SHA-256 in hex, for text that is no secret. */
export const sha256Of = (text: string): string => hash('sha256', text, 'hex')

/** The source expression of an inline style or script in a content security policy. */
export const integrityOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** 256 random bits, base64url: for keys and unguessable names. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** HMAC-SHA-256, base64url. */
export const signatureOf = (text: string, key: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')
