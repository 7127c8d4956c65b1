/** Digests, signatures and random tokens. Stores nothing. */
import { base64urlOf, bytesOfBase64url } from './base64.ts'
import { digests } from './digests.ts'
import { HashQueue } from './hash-queue.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 24 letters and digits, 142 random bits: enough that a fast digest is safe. */
export function newApplicationPassword(): string {
  let secret = ''
  while (secret.length < 24) secret += randomLetter()
  return secret
}

/** Empty for the last bytes, which would make some letters likelier than others. */
function randomLetter(): string {
  const [byte = 0] = randomBytes(1)
  return byte < 256 - (256 % alphabet.length) ? (alphabet[byte % alphabet.length] as string) : ''
}

/** Draws random values for the service: a recording remembers ids, and a replay gives them again. */
export interface Draws {
  /** `secret`: no recording may hold it. */
  draw<T extends string | number | Uint8Array<ArrayBuffer>>(kind: 'id' | 'secret', make: () => T): T
}

let draws: Draws | undefined

/** All random values of the process are drawn through this from now on. */
export const drawThrough = (given: Draws): void => {
  draws = given
}

const drawn = <T extends string | number | Uint8Array<ArrayBuffer>>(kind: 'id' | 'secret', make: () => T): T =>
  draws ? draws.draw(kind, make) : make()

/** Returns random bytes of a secret: of a key, a salt, a token. */
export const randomBytes = (length: number): Uint8Array<ArrayBuffer> =>
  drawn('secret', () => crypto.getRandomValues(new Uint8Array(length)))

/** A UUID that is no secret. */
export const randomId = (): string => drawn('id', () => crypto.randomUUID())

/** Returns a number below 2 to the power of 32, for short ids. */
export const randomNumber = (): number => drawn('id', () => crypto.getRandomValues(new Uint32Array(1))[0] as number)

/** The form shown to users: `abcd EFGH ...`. */
export const formatApplicationPassword = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')

/** Ignores spaces and all characters but letters and digits; case counts. */
export const digestOf = (secret: string): string => digests().sha256(secret.replace(/[^A-Za-z0-9]/g, ''), 'hex')

/** Compares in constant time. */
export const sameDigest = (a: string, b: string): boolean => digests().isEqual(a, b)

/** The default of the option `passwordCost`. */
export const defaultPasswordCost = 15

const keyLength = 32

/** scrypt with 2^`passwordCost` rounds; memory and time grow with them. */
const scryptCost = (passwordCost: number) => ({ N: 2 ** passwordCost, r: 8, p: 1 })

/** Slow on purpose. The digest names its method, cost and salt: `scrypt$32768$8$1$salt$key`. */
export async function digestOfPassword(password: string, passwordCost: number): Promise<string> {
  const cost = scryptCost(passwordCost)
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, base64urlOf(salt), base64urlOf(key)].join('$')
}

const digestForm = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,64})\$([\w-]{43})$/

export const isPasswordDigest = (text: string): boolean => digestForm.test(text)

const comparisons = new HashQueue()

/** Whether so many comparisons wait that a request for one more should be refused. */
export const tooManyComparisons = (): boolean => comparisons.isFull

/**
 * False for an empty digest (a user without a password) and for an unknown method. Both take as long as a comparison,
 * so that the time does not reveal which logins exist. Comparisons of different clients take turns.
 */
export const isPasswordOf = (password: string, digest: string, passwordCost: number, client = ''): Promise<boolean> =>
  comparisons.run(client, () => compare(password, digest, passwordCost))

async function compare(password: string, digest: string, passwordCost: number): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = digestForm.exec(digest) ?? []
  if (N === undefined) {
    await deriveKey(password, randomBytes(16), scryptCost(passwordCost))
    return false
  }
  const derived = await deriveKey(password, bytesOfBase64url(salt), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return sameDigest(base64urlOf(derived), key)
}

const deriveKey = (password: string, salt: Uint8Array, cost: ReturnType<typeof scryptCost>): Promise<Uint8Array> =>
  digests().scrypt(password.normalize('NFKC'), salt, { ...cost, length: keyLength })

/** SHA-256 in hex, for text that is no secret. */
export const sha256Of = (text: string): string => digests().sha256(text, 'hex')

/** Returns the source expression of an inline style or script in a content security policy. */
export const integrityOf = (text: string): string => `sha256-${digests().sha256(text, 'base64')}`

/** 256 random bits, base64url: for keys and unguessable names. */
export const randomToken = (): string => base64urlOf(randomBytes(32))

/** HMAC-SHA-256, base64url. */
export const signatureOf = (text: string, key: string): string => digests().hmac(text, key)
