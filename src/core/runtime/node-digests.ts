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

type Crypto = NonNullable<ReturnType<typeof nodeModule<'node:crypto'>>>

/** Undefined where the runtime has no `node:crypto`. */
export function nodeDigests(): Digests | undefined {
  // The cast: the runtime says that it has the module.
  if (hasCrypto()) return digestsOf(() => nodeModule('node:crypto') as Crypto)
  const crypto = nodeModule('node:crypto')
  return crypto && digestsOf(() => crypto)
}

function digestsOf(load: () => Crypto): Digests {
  let loaded: Crypto | undefined
  const crypto = () => {
    loaded ??= load()
    return loaded
  }
  return {
    sha256: (text, encoding) => crypto().hash('sha256', text, encoding),
    hmac: (text, key) => crypto().createHmac('sha256', key).update(text).digest('base64url'),
    isEqual(a, b) {
      const [left, right] = [a, b].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array]
      return left.length === right.length && crypto().timingSafeEqual(left, right)
    },
    scrypt: (password, salt, { length, ...cost }) =>
      new Promise((resolve, reject) => {
        // Twice what scrypt needs; Node's default limit is too low for this cost.
        const maxmem = 256 * cost.N * cost.r
        crypto().scrypt(password, salt, length, { ...cost, maxmem }, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  }
}

/**
 * Whether the module is known to be there without loading it, which takes Node 24 about five milliseconds: a visitor's first read
 * needs no digest.
 */
function hasCrypto(): boolean {
  try {
    const { process } = globalThis
    return typeof process?.getBuiltinModule === 'function' && process.versions?.openssl !== undefined
  } catch {
    // Next's edge runtime has a `process` that throws for what it lacks.
    return false
  }
}
