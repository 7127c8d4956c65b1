/** Digests long texts once: a change of another column of a row then does not digest its text again. */
import { sha256Of } from './crypto.ts'
import { createLru } from './lru.ts'

/** The bound of the texts that are kept, in characters. */
const maxCharacters = 16 * 1024 * 1024
const digests = createLru<string>(maxCharacters)

/** SHA-256 in hex. V8 compares texts of one length, and hashes none that is so long. */
export function textDigest(text: string): string {
  const known = digests.get(text)
  if (known !== undefined) return known
  const digest = sha256Of(text)
  digests.set(text, digest, text.length)
  return digest
}
