/** Declares one behaviour that every host shows, as a sentence and a test. */
import { expect } from 'vitest'
import type { Parsed } from '../../support/parsed.ts'
import type { Ability, HostSetup, RunningHost } from '../hosts/host.ts'
import { open, type RawAnswer, type RawConnection, send } from '../raw.ts'

export interface Behaviour {
  readonly name: string
  /** A host that cannot do one of these skips it, with the reason that it gives. */
  readonly needs?: readonly Ability[]
  /** Default: the echo site below `/api`. Behaviours with the same setup share a running host. */
  readonly setup?: Partial<HostSetup>
  /** True: the behaviour looks at what happened inside, so it needs a separate host. */
  readonly alone?: true
  run(host: RunningHost): Promise<void>
}

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: Parsed
}

export async function ask(host: RunningHost, target: string, init: RequestInit = {}): Promise<Answered> {
  const response = await host.fetch(target, init)
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

export const asJson = (body: unknown, method = 'POST'): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

// ---------------------------------------------------------------- bytes on a socket, for hosts that have one

export const connectTo = ({ origin = '' }: RunningHost): RawConnection => open(origin)

export const sendTo = (
  { origin = '' }: RunningHost,
  text: string,
  options?: { isHead?: boolean },
): Promise<RawAnswer> => send(origin, text, options)

export const getText = (target: string, headers: readonly string[] = []) =>
  [`GET ${target} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')

/** As JSON with its length, unless the headers say otherwise. */
export function postText(target: string, body: string, headers: readonly string[] = []): string {
  const has = (name: RegExp) => headers.some((line) => name.test(line))
  return [
    `POST ${target} HTTP/1.1`,
    'Host: x',
    ...(has(/^content-type/i) ? [] : ['Content-Type: application/json']),
    ...(has(/^(?:content-length|transfer-encoding)/i) ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
    '',
    body,
  ].join('\r\n')
}

/** A chunked body of parts of 64 kB. */
export function chunkedText(body: string): string {
  const parts = body.match(/.{1,65536}/gs) ?? []
  return `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`
}

/**
 * Sends a request and, when it is answered, another one on the same connection: it is answered too, unless the first answer said that the
 * connection ends.
 */
export async function expectNextAnswer(
  host: RunningHost,
  first: string,
  { isHead = false, next = getText('/api/echo/v1/later') } = {},
): Promise<void> {
  const connection = connectTo(host)
  connection.write(first)
  const answer = await connection.answer({ isHead })
  expect(answer?.status).toBeGreaterThanOrEqual(200)
  if (answer?.headers.connection?.toLowerCase() !== 'close') {
    connection.write(next)
    expect((await connection.answer())?.status, `after ${first.slice(0, 40)}`).toBe(200)
  }
  connection.end()
}

/** Asks until the answer is as wanted: what happens inside a host is seen from outside only with time. */
export async function until<T>(ask: () => Promise<T>, isWanted: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await ask()
    if (isWanted(found)) return found
  }
}
