/** Secrets of a connection, closed with a key of the host before they are stored. */

export interface Encryption {
  close(text: string): Promise<string>
  /** Throws for what was not closed with this key. */
  open(sealed: string): Promise<string>
}

const nonceBytes = 12

/** AES-GCM with a key made from the host's secret. Without a secret the text is kept as it is. */
export function createEncryption(secret: string | undefined): Encryption {
  if (secret === undefined) return { close: async (text) => `plain.${text}`, open: async (sealed) => opened(sealed) }
  let key: Promise<CryptoKey> | undefined
  const keyOnce = () => {
    key ??= keyFrom(secret)
    return key
  }
  return {
    async close(text) {
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
      const bytes = new TextEncoder().encode(text)
      const closed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await keyOnce(), bytes)
      return `sealed.${base64url(nonce)}.${base64url(new Uint8Array(closed))}`
    },
    async open(sealed) {
      // Stored before the host had a secret.
      if (sealed.startsWith('plain.')) return opened(sealed)
      const [, nonce = '', closed = ''] = sealed.split('.')
      const algorithm = { name: 'AES-GCM', iv: bytesOf(nonce) }
      return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, await keyOnce(), bytesOf(closed)))
    },
  }
}

function opened(sealed: string): string {
  if (sealed.startsWith('plain.')) return sealed.slice('plain.'.length)
  throw new Error('it was closed with a secret that is not given any more')
}

async function keyFrom(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode('site-api connect')
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  return crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

export function base64url(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (sign) => sign.charCodeAt(0))
