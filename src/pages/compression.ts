/** Compression of texts that are built once and sent often. */
import { nodeModule } from '../core/runtime/node-module.ts'

/** Names of `Content-Encoding`, the shorter result first. */
export type Coding = 'br' | 'gzip'

/** Brotli where the runtime has it: the standard stream of the web does not name it. */
const zlib = nodeModule('node:zlib')
const offered: readonly Coding[] = zlib ? ['br', 'gzip'] : ['gzip']

/** The first offered coding that an `Accept-Encoding` header allows (RFC 9110); `q=0` forbids one. */
export function codingFor(header = ''): Coding | undefined {
  const codings = header.split(',').map((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((part) => part.startsWith('q='))
    return { name, isAllowed: quality === undefined || Number(quality.slice(2)) > 0 }
  })
  const named = (wanted: string) => codings.find(({ name }) => name === wanted)
  return offered.find((coding) => (named(coding) ?? named('*'))?.isAllowed)
}

export function compressed(text: string, coding: Coding): Promise<Uint8Array> {
  return coding === 'br' && zlib ? brotli(text, zlib) : gzip(text)
}

function brotli(text: string, { brotliCompress }: NonNullable<typeof zlib>): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    brotliCompress(text, (error, bytes) => (error ? reject(error) : resolve(bytes)))
  })
}

async function gzip(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
