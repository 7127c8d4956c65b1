/** Writes a response to node: one head with a length, one `end`. Never throws. */
import type { ServerResponse } from 'node:http'
import { headerText, type ResponseData } from '../../src/core/declare/result.ts'
import { isLast } from './closing.ts'
import type { NodeIncoming } from './incoming.ts'

/** Throws for a header that node rejects, such as a line break in its name; nothing has been sent then. */
export function writeResponse(response: ServerResponse, incoming: NodeIncoming, reply: ResponseData): void {
  const { status, body } = reply
  if (response.destroyed || response.headersSent) {
    cancelStream(body)
    return
  }
  const headers = headersOf(reply, response)
  const isClosing = isLast(response) && !response.hasHeader('Connection')
  if (isClosing) headers.push('Connection', 'close')
  if (status === 204 || status === 205 || status === 304 || incoming.method === 'HEAD') {
    cancelStream(body)
    sendHead(response, incoming, status, headers)
    finish(response, incoming)
  } else if (body instanceof ReadableStream) {
    sendHead(response, incoming, status, headers)
    void pump(response, body)
  } else sendContent(response, incoming, status, headers, body ?? '', isClosing)
}

function cancelStream(body: ResponseData['body']): void {
  if (body instanceof ReadableStream) void body.cancel()
}

function sendContent(
  response: ServerResponse,
  incoming: NodeIncoming,
  status: number,
  headers: string[],
  content: string | Uint8Array,
  isClosing: boolean,
): void {
  const length = typeof content === 'string' ? Buffer.byteLength(content) : content.length
  headers.push('Content-Length', String(length))
  const isUnread = leavesMuchUnread(incoming)
  if (isUnread && !isClosing) headers.push('Connection', 'close')
  sendHead(response, incoming, status, headers)
  if (isUnread) {
    response.write(content)
    void dropSome(incoming).then(() => response.end())
  }
  // ASCII: node writes Latin-1 without converting, and the bytes are equal (measured on Node 24).
  else finish(response, incoming, content, length === content.length ? 'latin1' : 'utf8')
}

/** A flat list of names and values: node writes it unchanged, repeated names included. */
function headersOf({ headers }: ResponseData, response: ServerResponse): string[] {
  const flat: string[] = []
  const isAlone = response.getHeaderNames().length === 0
  for (const name in headers) {
    const value = headers[name] as string | readonly string[]
    const given = isAlone ? undefined : response.getHeader(name)
    const merged = given === undefined ? value : mergeHeader(name, value, given)
    if (typeof merged === 'string') flat.push(name, merged)
    else if (merged !== undefined) for (const one of merged) flat.push(name, one)
  }
  return flat
}

/**
 * Merges with a header that the host has set. Undefined: the host's value stays, such as its CORS headers; `Vary` is
 * joined, cookies are sent side by side, other headers are replaced.
 */
export function mergeHeader(
  name: string,
  value: string | readonly string[],
  given: number | string | readonly string[],
): string | readonly string[] | undefined {
  const lowerCase = name.toLowerCase()
  if (lowerCase.startsWith('access-control-')) return undefined
  if (lowerCase === 'vary') return [given, value].flat().join(', ')
  if (lowerCase === 'set-cookie') return [given, value].flat().map(String)
  return value
}

/**
 * Node sends Latin-1 without control characters and other text is encoded here: HTTP/2 would drop it silently, HTTP/1
 * would reject the whole head.
 */
function sendHead(response: ServerResponse, { raw }: NodeIncoming, status: number, headers: string[]): void {
  if (raw.httpVersionMajor > 1) return void response.writeHead(status, encoded(headers))
  if (Object.hasOwn(response, 'writeHead')) return void sendWatchedHead(response, status, encoded(headers))
  try {
    response.writeHead(status, headers)
  } catch {
    response.writeHead(status, encoded(headers))
  }
}

/**
 * Session, log and compression layers replace `writeHead`, and many misread its flat form (on-headers before 1.1). They
 * get headers set one by one.
 */
function sendWatchedHead(response: ServerResponse, status: number, headers: readonly string[]): void {
  const values = new Map<string, string[]>()
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2)
    values.set(name, [...(values.get(name) ?? []), value])
  }
  for (const [name, all] of values) response.setHeader(name, all.length === 1 ? (all[0] as string) : all)
  response.writeHead(status)
}

const encoded = (headers: readonly string[]) =>
  headers.map((text, index) => (index % 2 === 0 ? text : headerText(text)))

function finish(
  response: ServerResponse,
  incoming: NodeIncoming,
  content?: string | Uint8Array,
  encoding: 'latin1' | 'utf8' = 'utf8',
): void {
  response.end(content, encoding)
  // Node drops an unread body by itself only while no reader is attached.
  if (incoming.isBodyRead && !incoming.stream.readableEnded) incoming.stream.resume()
}

/** The rest of a small body is dropped, and the connection stays open. */
const dropBytes = 64 * 1024

export function leavesMuchUnread({ raw, mayHaveBody }: NodeIncoming): boolean {
  if (!mayHaveBody || raw.complete || raw.httpVersionMajor > 1) return false
  const length = raw.headers['content-length']
  return length === undefined || Number(length) > dropBytes
}

const lingerBytes = 1024 * 1024
const lingerMs = 2000

/**
 * The client is still sending. Closing at once would reset the connection and lose the response. So the response is
 * sent whole, some of the body is dropped, and when this resolves the connection is closed.
 */
export function dropSome({ raw }: NodeIncoming): Promise<void> {
  return new Promise((resolve) => {
    let dropped = 0
    const end = () => {
      clearTimeout(timer)
      raw.off('data', onData).off('end', end).off('close', end)
      raw.resume()
      resolve()
    }
    const onData = (part: Uint8Array) => {
      dropped += part.length
      if (dropped > lingerBytes) end()
    }
    const timer = setTimeout(end, lingerMs)
    timer.unref()
    raw.on('data', onData).on('end', end).on('close', end)
    raw.resume()
  })
}

/** Reads on when the socket has drained, and stops when the client has disconnected. */
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
    // The head is out already: cutting the connection marks the response as incomplete.
    response.destroy()
  }
}

const drained = (response: ServerResponse) => new Promise<void>((resolve) => void response.once('drain', resolve))
