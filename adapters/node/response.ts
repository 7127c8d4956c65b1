/** Writes a response to node: one head with a length, one `end`. Never throws. */
import type { ServerResponse } from 'node:http'
import { headerText, type ResponseData } from '../../src/core/declare/result.ts'
import { utf8Length } from '../../src/core/runtime/bytes.ts'
import { isLast } from './closing.ts'
import type { NodeIncoming } from './incoming.ts'
import { dropRest, dropSome, leavesMuchUnread } from './unread-body.ts'

/** Throws for a header that node rejects, such as a line break in its name; nothing has been sent then. */
export function writeResponse(response: ServerResponse, incoming: NodeIncoming, reply: ResponseData): void {
  const { status, body } = reply
  if (response.destroyed || response.headersSent) {
    cancelStream(body)
    return
  }
  const headers = headersOf(reply, response)
  const isUnread = leavesMuchUnread(incoming.raw)
  if ((isUnread || isLast(response)) && !response.hasHeader('Connection')) headers.push('Connection', 'close')
  if (isWithoutContent(status, incoming)) {
    cancelStream(body)
    sendHead(response, incoming, status, headers)
    if (isUnread) response.flushHeaders()
    finish(response, incoming, isUnread)
  } else if (body instanceof ReadableStream) {
    sendHead(response, incoming, status, headers)
    void pump(response, body, incoming)
  } else {
    const content = body ?? ''
    sendContent(response, incoming, { status, headers, content, length: reply.length ?? lengthOf(content) }, isUnread)
  }
}

export const isWithoutContent = (status: number, { method }: NodeIncoming): boolean =>
  status === 204 || status === 205 || status === 304 || method === 'HEAD'

function cancelStream(body: ResponseData['body']): void {
  if (body instanceof ReadableStream) void body.cancel()
}

interface Content {
  readonly status: number
  readonly headers: string[]
  readonly content: string | Uint8Array
  readonly length: number
}

const lengthOf = (content: string | Uint8Array): number =>
  typeof content === 'string' ? utf8Length(content) : content.length

function sendContent(
  response: ServerResponse,
  incoming: NodeIncoming,
  { status, headers, content, length }: Content,
  isUnread: boolean,
): void {
  headers.push('Content-Length', String(length))
  sendHead(response, incoming, status, headers)
  // ASCII: node writes Latin-1 without converting, and the bytes are equal (measured on Node 24).
  const encoding = length === content.length ? 'latin1' : 'utf8'
  if (isUnread) {
    response.write(content, encoding)
    finish(response, incoming, true)
  } else {
    response.end(content, encoding)
    finish(response, incoming, false)
  }
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

/** Ends a response whose content is written; while much of the body is unread, the client gets the time to read it. */
function finish(response: ServerResponse, { raw, stream, isBodyRead }: NodeIncoming, isUnread: boolean): void {
  if (isUnread) void dropSome(raw).then(() => response.end())
  else {
    if (!response.writableEnded) response.end()
    if (isBodyRead) dropRest(stream)
  }
}

/** Reads on when the socket has drained, and stops when the client has disconnected. */
async function pump(response: ServerResponse, body: ReadableStream<Uint8Array>, incoming: NodeIncoming): Promise<void> {
  const reader = body.getReader()
  const gone = new Promise<'gone'>((resolve) => void response.once('close', () => resolve('gone')))
  void gone.then(() => reader.cancel().catch(() => undefined))
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || response.destroyed) break
      if (!response.write(value)) await Promise.race([drained(response), gone])
    }
    finish(response, incoming, leavesMuchUnread(incoming.raw))
  } catch {
    // The head is out already: cutting the connection marks the response as incomplete.
    response.destroy()
  }
}

const drained = (response: ServerResponse) => new Promise<void>((resolve) => void response.once('drain', resolve))
