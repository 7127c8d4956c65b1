/** Encrypts the secrets of a connection with keys of the host before they are stored. */

import { base64urlOf, bytesOfBase64url } from '../../core/runtime/base64.ts'
import { randomBytes } from '../../core/runtime/crypto.ts'
import { OAuthError } from './error.ts'

export interface Encryption {
  encrypt(text: string): Promise<string>
  /** Rejects with an OAuthError for a text that was encrypted with none of the keys. */
  decrypt(encrypted: string): Promise<string>
  /** The text encrypted with the first key; undefined if it is already, and if it can not be decrypted. */
  renew(encrypted: string): Promise<string | undefined>
}

const nonceBytes = 12

/** A key, and a name for it that does not reveal it. */
interface NamedKey {
  readonly name: string
  readonly key: CryptoKey
}

/**
 * AES-256-GCM with keys derived from secrets of the host: the first one encrypts, all decrypt. Without a secret, texts are
 * stored in clear with a `plain.` prefix.
 */
export function createEncryption(secrets: readonly string[]): Encryption {
  let derived: Promise<readonly NamedKey[]> | undefined
  const keys = () => {
    derived ??= Promise.all(secrets.map(namedKey))
    return derived
  }
  const encrypt = async (text: string) => {
    const [first] = await keys()
    return first === undefined ? `plain.${text}` : sealed(first, text)
  }
  const decrypt = async (encrypted: string) => {
    // Stored before the host set a secret.
    if (encrypted.startsWith('plain.')) return encrypted.slice('plain.'.length)
    return opened(await keys(), encrypted)
  }
  return {
    encrypt,
    decrypt,
    async renew(encrypted) {
      const [first] = await keys()
      if (first === undefined || encrypted.startsWith(`sealed.${first.name}.`)) return undefined
      const text = await decrypt(encrypted).catch(() => undefined)
      return text === undefined ? undefined : sealed(first, text)
    },
  }
}

async function sealed({ name, key }: NamedKey, text: string): Promise<string> {
  const nonce = randomBytes(nonceBytes)
  const bytes = new TextEncoder().encode(text)
  const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, bytes)
  return `sealed.${name}.${base64urlOf(nonce)}.${base64urlOf(new Uint8Array(ciphertext))}`
}

async function opened(keys: readonly NamedKey[], encrypted: string): Promise<string> {
  const parts = encrypted.split('.')
  // Older texts do not name their key.
  const [, name, nonce = '', ciphertext = ''] = parts.length === 3 ? [parts[0], undefined, parts[1], parts[2]] : parts
  for (const one of keys) {
    if (name !== undefined && one.name !== name) continue
    const bytes = await openedWith(one, nonce, ciphertext).catch(() => undefined)
    if (bytes !== undefined) return new TextDecoder().decode(bytes)
  }
  throw new OAuthError('failed', 'what is stored was encrypted with a secret that is not given any more')
}

const openedWith = async ({ key }: NamedKey, nonce: string, ciphertext: string): Promise<ArrayBuffer> =>
  crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytesOfBase64url(nonce) }, key, bytesOfBase64url(ciphertext))

const bytesOf = (text: string) => new TextEncoder().encode(text)

async function namedKey(secret: string): Promise<NamedKey> {
  const material = await crypto.subtle.importKey('raw', bytesOf(secret), 'HKDF', false, ['deriveKey', 'deriveBits'])
  const derivation = (info: string) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: bytesOf(info) })
  const [key, name] = await Promise.all([
    crypto.subtle.deriveKey(derivation('site-api connect'), material, { name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]),
    crypto.subtle.deriveBits(derivation('site-api connect key name'), material, 48),
  ])
  return { key, name: base64urlOf(new Uint8Array(name)) }
}
