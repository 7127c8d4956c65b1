/** Presence as a stream of server-sent events: asks the storage each second, so that it tells what any process has written. */
import type { AppContext } from '../../../core/declare/app-context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { BackgroundWork } from '../../../core/declare/scheduled-task.ts'
import type { Presence } from './model.ts'

const askMs = 1000
/** Proxies close a connection on which nothing comes. */
const quietMs = 15_000
const maxStreams = 500

/** By api: each ends its streams when it is closed. */
const openStreams = new WeakMap<AppContext, Set<AbortController>>()

interface StreamOptions {
  readonly seconds: number
  readonly read: () => Promise<readonly Presence[]>
}

/** Asks nothing before it is read, and ends when its reader does. */
export function presenceStream(app: AppContext, { seconds, read }: StreamOptions): ReadableStream<Uint8Array> {
  const streams = openStreams.get(app) ?? new Set()
  openStreams.set(app, streams)
  if (streams.size >= maxStreams) {
    throw new ApiError('presence_too_many_streams', 'Too many streams are open: ask for the list.', 503)
  }
  const ended = new AbortController()
  const messages = messagesOf(read, performance.now() + seconds * 1000, ended.signal)
  const encoder = new TextEncoder()
  const end = () => {
    streams.delete(ended)
    ended.abort()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        streams.add(ended)
        const { done, value } = await messages.next().catch(() => ({ done: true, value: '' }))
        if (!done) return controller.enqueue(encoder.encode(value))
        end()
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

async function* messagesOf(
  read: StreamOptions['read'],
  until: number,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  let last = ''
  let lost: readonly string[] = []
  let spokenAt = performance.now()
  while (!signal.aborted && performance.now() < until) {
    const present = await read()
    const text = JSON.stringify(present)
    const nowLost = lostLocks(present)
    const told = nowLost.filter((one) => !lost.includes(one))
    if (text !== last)
      yield `event: presence\ndata: ${text}\n\n${told.map((one) => `event: lock_lost\ndata: ${one}\n\n`).join('')}`
    else if (performance.now() - spokenAt > quietMs) yield ': here\n\n'
    if (text !== last || performance.now() - spokenAt > quietMs) spokenAt = performance.now()
    last = text
    lost = nowLost
    await pause(Math.min(askMs, until - performance.now()), signal)
  }
  return undefined
}

/** The locks that others have taken from the caller. */
const lostLocks = (present: readonly Presence[]): readonly string[] => [
  ...new Set(
    present.flatMap(({ record, lock }) =>
      lock?.taken_over ? JSON.stringify({ record, user: lock.user, since: lock.since }) : [],
    ),
  ),
]

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, Math.max(ms, 0))
    timer.unref?.()
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })

const closing = new WeakSet<AbortSignal>()

/** Ends the streams of an api that is closed. */
export const endStreams: BackgroundWork = {
  name: 'presence',
  run: async ({ app, signal }) => {
    if (!closing.has(signal)) {
      closing.add(signal)
      signal.addEventListener('abort', () => {
        for (const stream of openStreams.get(app) ?? []) stream.abort()
      })
    }
    return Number.POSITIVE_INFINITY
  },
}
