/** Writes a response that may be a promise, through a framework's sender. Never throws. */
import type { ServerResponse } from 'node:http'
import { isPromise } from '../../src/contract/maybe-promise.ts'
import type { ResponseData } from '../../src/core/declare/result.ts'
import { internalErrorResponse, type MountedApi } from '../../src/core/pipeline/mount.ts'
import type { NodeIncoming } from './incoming.ts'

/** How a framework sends. */
export interface ResponseSender<Response> {
  /** Throws for a header that node would reject; nothing has been sent then. */
  write(response: Response, incoming: NodeIncoming, reply: ResponseData): void
  rawOf(response: Response): ServerResponse
  removeHeader(response: Response, name: string): void
}

interface Answering<Response> {
  answer(response: Response, incoming: NodeIncoming): void
  send(response: Response, incoming: NodeIncoming, reply: ResponseData): void
}

/** A failure is logged once, under the id in the response. */
export function createResponder<Response>(
  api: MountedApi,
  { write, rawOf, removeHeader }: ResponseSender<Response>,
  onFailure: (id: string, error: unknown) => void,
): Answering<Response> {
  function fail(response: Response, incoming: NodeIncoming, error: unknown, reply?: ResponseData): void {
    const id = crypto.randomUUID()
    onFailure(id, error)
    const raw = rawOf(response)
    if (raw.headersSent) return void raw.destroy()
    // The host's headers stay; ours that were set before the error are removed.
    for (const name in reply?.headers) removeHeader(response, name)
    write(response, incoming, internalErrorResponse(id))
  }

  function send(response: Response, incoming: NodeIncoming, reply: ResponseData): void {
    try {
      write(response, incoming, reply)
    } catch (error) {
      fail(response, incoming, error, reply)
    }
  }

  /** A hit of the response cache is sent at once: `handle` returns it without a promise. */
  function answer(response: Response, incoming: NodeIncoming): void {
    try {
      const reply = api.handle(incoming)
      if (isPromise(reply)) void answerLater(response, incoming, reply)
      else send(response, incoming, reply)
    } catch (error) {
      fail(response, incoming, error)
    }
  }

  async function answerLater(response: Response, incoming: NodeIncoming, reply: Promise<ResponseData>): Promise<void> {
    try {
      send(response, incoming, await reply)
    } catch (error) {
      fail(response, incoming, error)
    }
  }

  return { answer, send }
}
