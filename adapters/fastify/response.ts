/** Sends a response through Fastify's `reply.send`, so that the host's hooks run. */
import { validateHeaderName } from 'node:http'
import type { FastifyReply } from 'fastify'
import { headerText, type ResponseData, type ResponseHeaders } from '../../src/core/declare/result.ts'
import type { NodeIncoming } from '../node/incoming.ts'
import { dropSome, leavesMuchUnread, mergeHeader } from '../node/response.ts'

/** Throws for a header that node would reject; nothing has been sent then. */
export function sendResponse(reply: FastifyReply, incoming: NodeIncoming, response: ResponseData): void {
  const { status, body } = response
  if (reply.sent || reply.raw.destroyed) {
    if (body instanceof ReadableStream) void body.cancel()
    return
  }
  setHeaders(reply, response.headers)
  reply.code(status)
  if (status === 204 || status === 205 || status === 304 || incoming.method === 'HEAD') {
    if (body instanceof ReadableStream) void body.cancel()
    reply.send()
  } else if (!(body instanceof ReadableStream) && leavesMuchUnread(incoming)) sendSlowly(reply, incoming, body ?? '')
  else reply.send(body ?? '')
  // Node drops an unread body by itself only while no reader is attached.
  if (incoming.isBodyRead && !incoming.stream.readableEnded) incoming.stream.resume()
}

/** Sends the response at once and ends it when enough of the body has been dropped. */
function sendSlowly(reply: FastifyReply, incoming: NodeIncoming, body: string | Uint8Array): void {
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body
  reply.header('Content-Length', String(content.length)).header('Connection', 'close')
  reply.send(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(content)
        await dropSome(incoming)
        controller.close()
      },
    }),
  )
}

/** Header objects shared by many responses are checked once. */
const sound = new WeakMap<ResponseHeaders, ResponseHeaders>()

function setHeaders(reply: FastifyReply, headers: ResponseHeaders): void {
  const checked = Object.isFrozen(headers) ? (sound.get(headers) ?? remember(headers)) : soundHeaders(headers)
  for (const name in checked) {
    const value = checked[name] as string | string[]
    const given = reply.getHeader(name)
    if (given === undefined) reply.header(name, value)
    else {
      const merged = mergeHeader(name, value, given)
      if (merged !== undefined) reply.removeHeader(name).header(name, merged)
    }
  }
}

function remember(headers: ResponseHeaders): ResponseHeaders {
  const checked = soundHeaders(headers)
  sound.set(headers, checked)
  return checked
}

/**
 * Node checks headers when it writes the head, possibly after a hook of the host, where the error would be uncaught.
 */
function soundHeaders(headers: ResponseHeaders): ResponseHeaders {
  const checked: ResponseHeaders = {}
  for (const name in headers) {
    const value = headers[name] as string | readonly string[]
    validateHeaderName(name)
    checked[name] = typeof value === 'string' ? soundValue(value) : value.map(soundValue)
  }
  return checked
}

const soundValue = (value: string) => (/[^\t\x20-\x7e\x80-\xff]/.test(value) ? headerText(value) : value)
