/** Compression of texts that are built once and sent often. */

/** Whether an `Accept-Encoding` header allows gzip (RFC 9110); `q=0` forbids it. */
export function acceptsGzip(header = ''): boolean {
  const codings = header.split(',').map((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((part) => part.startsWith('q='))
    return { name, isAllowed: quality === undefined || Number(quality.slice(2)) > 0 }
  })
  const found = codings.find(({ name }) => name === 'gzip') ?? codings.find(({ name }) => name === '*')
  return found?.isAllowed ?? false
}

export async function gzip(text: string): Promise<Uint8Array> {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(compressed).arrayBuffer())
}
