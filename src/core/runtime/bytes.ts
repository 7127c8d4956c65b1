/** Joins byte arrays, and counts the bytes of texts. */

/** `length` is the sum of all parts, in bytes. */
export function joinBytes(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const encoder = new TextEncoder()
/** A character of a string takes at most three bytes. */
const maxCharacters = 64 * 1024
let scratch: Uint8Array | undefined

/**
 * Returns the number of bytes of a text in UTF-8. It encodes into one buffer that is used again: an answer of 50 KB takes 2 µs so, 10 µs
 * with `Buffer.byteLength`, and 24 µs where memory is allocated for the bytes (measured on Node 24). A lone surrogate counts as the
 * replacement that is sent for it.
 */
export function utf8Length(text: string): number {
  if (text.length > maxCharacters) return encoder.encode(text).length
  scratch ??= new Uint8Array(3 * maxCharacters)
  return encoder.encodeInto(text, scratch).written
}
