/** Digests of `node:crypto`, and what every implementation of them does. */
import { nodeModule } from './node-module.ts'

export interface Digests {
  sha256(text: string, encoding: 'hex' | 'base64'): string
  /** HMAC-SHA-256, base64url. */
  hmac(text: string, key: string): string
  scrypt(password: string, salt: Uint8Array, cost: ScryptCost): Promise<Uint8Array>
  /** Compares in constant time. */
  isEqual(a: string, b: string): boolean
}

interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
  /** Bytes of the derived key. */
  readonly length: number
}

/** Undefined where the runtime has no `node:crypto`. */
export function nodeDigests(): Digests | undefined {
  const crypto = nodeModule('node:crypto')
  if (crypto === undefined) return undefined
  return {
    sha256: (text, encoding) => crypto.hash('sha256', text, encoding),
    hmac: (text, key) => crypto.createHmac('sha256', key).update(text).digest('base64url'),
    isEqual(a, b) {
      const [left, right] = [a, b].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array]
      return left.length === right.length && crypto.timingSafeEqual(left, right)
    },
    scrypt: (password, salt, { length, ...cost }) =>
      new Promise((resolve, reject) => {
        // Twice what scrypt needs; Node's default limit is too low for this cost.
        const maxmem = 256 * cost.N * cost.r
        crypto.scrypt(password, salt, length, { ...cost, maxmem }, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  }
}
