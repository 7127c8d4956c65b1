/** From the inner reply to node's response: one head with a length, one end. Nothing here throws. */
import type { ServerResponse } from 'node:http'
import { ApiError, errorBody, noRoute } from '../../src/core/errors.ts'
import { headerText, jsonReply, jsonType, type Reply } from '../../src/core/reply.ts'
import type { NodeIncoming } from './incoming.ts'

const errorHeaders = { 'Content-Type': jsonType, 'X-Content-Type-Options': 'nosniff' }

/** For a path that is not ours. */
export const notHere = (): Reply => jsonReply(errorBody(noRoute()), 404, errorHeaders)

/** For what nobody expected. The caller logs the failure under the same id. */
export const failed = (id: string): Reply =>
  jsonReply(
    errorBody(new ApiError('internal_server_error', 'The request could not be carried out.', 500, { id })),
    500,
    errorHeaders,
  )

/** Throws what node refuses to send, a header with a line break in its name for example; then nothing was sent yet. */
export function writeReply(response: ServerResponse, incoming: NodeIncoming, reply: Reply): void {
  const { status, body } = reply
  if (response.destroyed || response.headersSent) return
  const headers = headersOf(reply, response)
  if (status === 204 || status === 205 || status === 304 || incoming.method === 'HEAD') {
    if (body instanceof ReadableStream) void body.cancel()
    sendHead(response, status, headers)
    finish(response, incoming)
    return
  }
  if (body instanceof ReadableStream) {
    sendHead(response, status, headers)
    void pump(response, body)
    return
  }
  const content = body ?? ''
  const length = typeof content === 'string' ? Buffer.byteLength(content) : content.length
  headers.push('Content-Length', String(length))
  const isUnread = leavesMuchUnread(incoming)
  if (isUnread) headers.push('Connection', 'close')
  sendHead(response, status, headers)
  if (isUnread) linger(response, incoming, content)
  // Pure ASCII: Latin-1 is the same bytes, and node writes it without converting (measured on Node 24).
  else finish(response, incoming, content, length === content.length ? 'latin1' : 'utf8')
}

/** Name, value, name, value: node writes this form as it stands, repeated names too. */
function headersOf(reply: Reply, response: ServerResponse): string[] {
  const flat: string[] = []
  const { headers } = reply
  for (const name in headers) {
    const value = headers[name] as string | readonly string[]
    if (typeof value === 'string') flat.push(name, value)
    else for (const one of value) flat.push(name, one)
  }
  return response.getHeaderNames().length === 0 ? flat : besideThose(flat, response)
}

/** The host has set headers before us: its CORS headers stand, `Vary` is joined, of other names ours count. */
function besideThose(flat: readonly string[], response: ServerResponse): string[] {
  const merged: string[] = []
  for (let at = 0; at < flat.length; at += 2) {
    const name = flat[at] as string
    const value = flat[at + 1] as string
    const given = response.getHeader(name)
    if (given !== undefined && /^access-control-/i.test(name)) continue
    const isVary = given !== undefined && name.toLowerCase() === 'vary'
    merged.push(name, isVary ? `${String(given)}, ${value}` : value)
  }
  return merged
}

function sendHead(response: ServerResponse, status: number, headers: string[]): void {
  try {
    response.writeHead(status, headers)
  } catch {
    // Node sends Latin-1 without control characters; anything else it refuses as a whole.
    response.writeHead(
      status,
      headers.map((text, index) => (index % 2 === 0 ? text : headerText(text))),
    )
  }
}

function finish(
  response: ServerResponse,
  incoming: NodeIncoming,
  content?: string | Uint8Array,
  encoding: 'latin1' | 'utf8' = 'utf8',
): void {
  response.end(content, encoding)
  // Node drops an unread body by itself only as long as nobody has begun to read it.
  if (incoming.isBodyRead && !incoming.native.readableEnded) incoming.native.resume()
}

/** What is left of a small body is dropped, and the connection goes on. */
const dropBytes = 64 * 1024

function leavesMuchUnread({ native, mayHaveBody }: NodeIncoming): boolean {
  if (!mayHaveBody || native.complete || native.httpVersionMajor > 1) return false
  const length = native.headers['content-length']
  return length === undefined || Number(length) > dropBytes
}

const lingerBytes = 1024 * 1024
const lingerMs = 2000

/**
 * The client is still sending. Closing at once would reset the connection, and the answer would be lost on its way: so the
 * answer goes out whole, some more of the body is dropped, and only then the connection is closed.
 */
function linger(response: ServerResponse, { native }: NodeIncoming, content: string | Uint8Array): void {
  let dropped = 0
  const end = () => {
    clearTimeout(timer)
    native.off('data', onData).off('end', end).off('close', end)
    native.resume()
    response.end()
  }
  const onData = (part: Uint8Array) => {
    dropped += part.length
    if (dropped > lingerBytes) end()
  }
  const timer = setTimeout(end, lingerMs)
  timer.unref()
  response.write(content)
  native.on('data', onData).on('end', end).on('close', end)
  native.resume()
}

/** Reads on only when the socket has taken what came before, and stops when the client is gone. */
async function pump(response: ServerResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  const gone = new Promise<'gone'>((resolve) => void response.once('close', () => resolve('gone')))
  void gone.then(() => reader.cancel().catch(() => undefined))
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || response.destroyed) break
      if (!response.write(value)) await Promise.race([drained(response), gone])
    }
    response.end()
  } catch {
    // The head is out already: all that is left is to cut the answer off, so that nobody takes it for whole.
    response.destroy()
  }
}

const drained = (response: ServerResponse) => new Promise<void>((resolve) => void response.once('drain', resolve))
