/** Computes digests in plain JavaScript, for edge runtimes without `node:crypto`. Never loaded elsewhere. */
import { hmac } from '@noble/hashes/hmac.js'
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base64Of, base64urlOf } from './base64.ts'
import type { Digests } from './node-digests.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

export const webDigests: Digests = {
  sha256(text, encoding) {
    const digest = sha256(bytesOf(text))
    return encoding === 'hex' ? bytesToHex(digest) : base64Of(digest)
  },
  hmac: (text, key) => base64urlOf(hmac(sha256, bytesOf(key), bytesOf(text))),
  scrypt: (password, salt, { length, ...cost }) => scryptAsync(password, salt, { ...cost, dkLen: length }),
  isEqual(a, b) {
    const [left, right] = [bytesOf(a), bytesOf(b)]
    let difference = left.length ^ right.length
    for (let at = 0; at < left.length; at++) difference |= (left[at] as number) ^ (right[at] ?? 0)
    return difference === 0
  },
}
