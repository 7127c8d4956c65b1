/** Encrypts the secrets of a connection with a key of the host before they are stored. */
import { base64urlOf, bytesOfBase64url } from '../../core/runtime/base64.ts'

export interface Encryption {
  encrypt(text: string): Promise<string>
  /** Rejects for a text that was not encrypted with this key. */
  decrypt(encrypted: string): Promise<string>
}

const nonceBytes = 12

/** AES-GCM with a key derived from the host's secret. Without a secret, texts are stored in clear with a `plain.` prefix. */
export function createEncryption(secret: string | undefined): Encryption {
  if (secret === undefined)
    return { encrypt: async (text) => `plain.${text}`, decrypt: async (text) => plainText(text) }
  let key: Promise<CryptoKey> | undefined
  const sharedKey = () => {
    key ??= keyFrom(secret)
    return key
  }
  return {
    async encrypt(text) {
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
      const bytes = new TextEncoder().encode(text)
      const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await sharedKey(), bytes)
      return `sealed.${base64urlOf(nonce)}.${base64urlOf(new Uint8Array(ciphertext))}`
    },
    async decrypt(encrypted) {
      // Stored before the host set a secret.
      if (encrypted.startsWith('plain.')) return plainText(encrypted)
      const [, nonce = '', ciphertext = ''] = encrypted.split('.')
      const algorithm = { name: 'AES-GCM', iv: bytesOfBase64url(nonce) }
      return new TextDecoder().decode(
        await crypto.subtle.decrypt(algorithm, await sharedKey(), bytesOfBase64url(ciphertext)),
      )
    },
  }
}

function plainText(stored: string): string {
  if (stored.startsWith('plain.')) return stored.slice('plain.'.length)
  throw new Error('it was closed with a secret that is not given any more')
}

async function keyFrom(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode('site-api connect')
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  return crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}
