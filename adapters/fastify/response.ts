/** Sends a response through Fastify's `reply.send`, so that the host's hooks run. */
import { validateHeaderName } from 'node:http'
import type { FastifyReply } from 'fastify'
import { headerText, type ResponseData, type ResponseHeaders } from '../../src/core/declare/result.ts'
import type { NodeIncoming } from '../node/incoming.ts'
import { isWithoutContent, mergeHeader } from '../node/response.ts'
import { dropRest, dropSome, leavesMuchUnread } from '../node/unread-body.ts'

/** Throws for a header that node would reject; nothing has been sent then. */
export function sendResponse(reply: FastifyReply, incoming: NodeIncoming, response: ResponseData): void {
  const { status, body } = response
  if (reply.sent || reply.raw.destroyed) {
    if (body instanceof ReadableStream) void body.cancel()
    return
  }
  setHeaders(reply, response.headers)
  reply.code(status)
  const isEmpty = isWithoutContent(status, incoming)
  if (isEmpty && body instanceof ReadableStream) void body.cancel()
  const content = isEmpty ? undefined : (body ?? '')
  if (leavesMuchUnread(incoming.raw)) sendSlowly(reply, incoming, content)
  else {
    reply.send(content)
    if (incoming.isBodyRead) dropRest(incoming.stream)
  }
}

/** Sends the response at once and ends it when enough of the body has been dropped. Without content it is sent then. */
function sendSlowly(
  reply: FastifyReply,
  { raw }: NodeIncoming,
  body: string | Uint8Array | ReadableStream<Uint8Array> | undefined,
): void {
  reply.header('Connection', 'close')
  if (body === undefined) {
    void dropSome(raw).then(() => reply.send())
    return
  }
  const isStream = body instanceof ReadableStream
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body
  if (!isStream) reply.header('Content-Length', String((content as Uint8Array).length))
  const whole = isStream ? body : new Blob([content as Uint8Array<ArrayBuffer>]).stream()
  reply.send(whole.pipeThrough(new TransformStream({ flush: () => dropSome(raw) })))
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
