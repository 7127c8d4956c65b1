/**
 * A worker: finds the number that gives the digest of a token enough leading zeros. It has its own SHA-256, because that of the
 * browser is missing on pages without TLS, and starts too slowly for many short texts.
 */
const roundConstants: number[] = []
const start: number[] = []
for (let candidate = 2; roundConstants.length < 64; candidate++) {
  if (isComposite(candidate)) continue
  if (start.length < 8) start.push((candidate ** (1 / 2) * 2 ** 32) | 0)
  roundConstants.push((candidate ** (1 / 3) * 2 ** 32) | 0)
}

function isComposite(value: number): boolean {
  for (let divisor = 2; divisor * divisor <= value; divisor++) if (value % divisor === 0) return true
  return false
}

const words = new Int32Array(64)
const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** Digests a block of 64 bytes into a state of eight words. */
function digested(state: readonly number[], bytes: Uint8Array, at: number): number[] {
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < 64; i++) {
    if (i < 16) words[i] = view.getInt32(at + i * 4)
    else {
      const [before, last] = [words[i - 15] as number, words[i - 2] as number]
      const small = turned(before, 7) ^ turned(before, 18) ^ (before >>> 3)
      const large = turned(last, 17) ^ turned(last, 19) ^ (last >>> 10)
      words[i] = (words[i - 16] as number) + small + (words[i - 7] as number) + large
    }
  }
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const first =
      h +
      (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
      ((e & f) ^ (~e & g)) +
      (roundConstants[i] as number) +
      (words[i] as number)
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + (state[index] as number)) | 0)
}

/** No token asks for more: a page that does gets no proof. */
const mostBits = 20
const mostTries = 2 ** 25

/** Returns -1 for a token that asks for too much. */
function proofOf(token: string, bits: number): number {
  const head = `${token}.`
  const shared = Math.floor(head.length / 64) * 64
  let state: readonly number[] = start
  for (let at = 0; at < shared; at += 64) state = digested(state, bytesOf(head), at)
  for (let proof = 0; bits <= mostBits && proof < mostTries; proof++) {
    const text = `${head}${proof}`
    const bytes = padded(text.slice(shared), text.length)
    let own = state
    for (let at = 0; at < bytes.length; at += 64) own = digested(own, bytes, at)
    if (Math.clz32(own[0] as number) >= bits) return proof
  }
  return -1
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

function padded(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length + 9) / 64) * 64)
  bytes.set(bytesOf(text))
  bytes[text.length] = 0x80
  new DataView(bytes.buffer).setUint32(bytes.length - 4, length * 8)
  return bytes
}

// The cast: the types are those of pages.
const worker = globalThis as unknown as Pick<Worker, 'onmessage' | 'postMessage'>
worker.onmessage = ({ data: [token, bits] }) => worker.postMessage(proofOf(token, bits))

export {}
