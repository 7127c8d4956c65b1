/** Sends a file as the body of a request, and reports its progress. */
import { ClientError } from './result.ts'

/** How `client.upload` sends a file. */
export interface UploadOptions {
  /** The file name on the site. Default: that of a `File`. */
  readonly name?: string
  /** Called while the file is sent, with bytes. */
  readonly onProgress?: (sent: number, total: number) => void
  /** Headers in addition to those of the client. */
  readonly headers?: { readonly [name: string]: string }
  /** Aborts the upload. */
  readonly signal?: AbortSignal
  /** The time of the whole upload; 0: no timeout. Default: 0. */
  readonly timeoutMs?: number
}

/** A file as a transport sends it. */
export interface SentFile {
  readonly blob: Blob
  readonly headers: { readonly [name: string]: string }
  readonly onProgress: UploadOptions['onProgress']
}

/** Throws a ClientError for a file without a name. */
export function sentFile(blob: Blob, { name = nameOf(blob), onProgress }: UploadOptions): SentFile {
  if (!name) throw new ClientError('client_invalid_arguments', 'The file needs a name: give it as the option name.')
  // RFC 8187: names may have letters of all scripts.
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  const headers = {
    'Content-Type': blob.type || 'application/octet-stream',
    'Content-Disposition': `attachment; filename*=UTF-8''${encoded}`,
  }
  return { blob, headers, onProgress }
}

const nameOf = (blob: Blob) => (blob as Partial<File>).name

/**
 * Returns the body and the options of `fetch` for it. It is a stream only if the caller listens, because a stream cannot be
 * sent again.
 */
export function bodyOf({ blob, onProgress }: SentFile): RequestInit {
  if (!onProgress) return { body: blob }
  // The cast: TypeScript does not know `duplex`, which streams need.
  return { body: counted(blob, onProgress), duplex: 'half' } as RequestInit
}

const stepBytes = 64 * 1024

function counted(blob: Blob, onProgress: NonNullable<UploadOptions['onProgress']>): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent >= blob.size) return controller.close()
      const chunk = new Uint8Array(await blob.slice(sent, sent + stepBytes).arrayBuffer())
      sent += chunk.length
      controller.enqueue(chunk)
      onProgress(sent, blob.size)
    },
  })
}

/** Sends by XMLHttpRequest, which reports progress everywhere; browsers stream uploads over HTTP/2 only, if at all. */
export function sendByXhr(
  url: string,
  { blob, onProgress }: SentFile,
  { headers, signal, credentials }: RequestInit & { readonly headers: { readonly [name: string]: string } },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.withCredentials = credentials === 'include'
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress?.(Math.min(loaded, blob.size), blob.size)
    request.onload = () => {
      const lines = request
        .getAllResponseHeaders()
        .trim()
        .split(/[\r\n]+/)
      const pairs = lines.flatMap((line): [string, string][] => {
        const at = line.indexOf(':')
        return at > 0 ? [[line.slice(0, at), line.slice(at + 1).trim()]] : []
      })
      resolve(new Response(request.responseText, { status: request.status, headers: pairs }))
    }
    request.onerror = () => reject(new TypeError('the request failed'))
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', () => request.abort())
    request.send(blob)
  })
}
