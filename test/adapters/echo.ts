/** Endpoints that say what arrived, and one that says what happened inside, for hosts in another process. */

import type { Logger } from '../../src/core/declare/app-context.ts'
import { bool, int, list, object, str } from '../../src/core/declare/args.ts'
import { EDITABLE, endpoint } from '../../src/core/declare/endpoint.ts'
import { feature } from '../../src/core/declare/feature.ts'
import { parameter } from '../../src/core/declare/pattern.ts'
import { anyone } from '../../src/core/declare/permissions.ts'
import { type Profile, profile } from '../../src/core/declare/profile.ts'
import { result, Stream } from '../../src/core/declare/result.ts'
import { toolFeatures } from '../../src/profiles/tools.ts'

interface Echo {
  readonly profile: Profile
  readonly log: Logger
}

/** The response of `/echo/v1/seen`. */
export interface Seen {
  /** The failures that were logged. */
  readonly failures: string[]
  /** How many chunks the stream gave out. */
  chunks: number
  isCancelled: boolean
  /** How many requests have asked for their signal, and how many of these were aborted. */
  watched: number
  aborted: number
}

export function createEcho(): Echo {
  const seen: Seen = { failures: [], chunks: 0, isCancelled: false, watched: 0, aborted: 0 }
  const echo = feature('echo', 'echo/v1', [
    endpoint({
      path: '/seen',
      methods: ['GET'],
      args: {},
      permission: anyone,
      handler: () => seen,
    }),
    endpoint({
      path: '/thing',
      methods: ['GET'],
      args: { text: str(), list: list(str()), terms: object({ a: str(), terms: str() }) },
      permission: anyone,
      handler: ({ args }) => args,
    }),
    endpoint({
      path: '/thing',
      methods: EDITABLE,
      args: { text: str(), number: int() },
      permission: anyone,
      handler: ({ args }) => args,
    }),
    endpoint({
      path: '/thing',
      methods: ['DELETE'],
      args: { text: str() },
      permission: anyone,
      handler: ({ args }) => args,
    }),
    endpoint({
      path: '/method',
      methods: ['GET'],
      args: {},
      permission: anyone,
      handler: ({ incoming }) => incoming.method,
    }),
    endpoint({
      path: '/method',
      methods: EDITABLE,
      args: {},
      permission: anyone,
      handler: ({ incoming }) => incoming.method,
    }),
    endpoint({
      path: `/path/${parameter('value', '[^/]+')}`,
      methods: ['GET'],
      args: { value: str() },
      permission: anyone,
      handler: ({ args }) => args.value,
    }),
    endpoint({
      path: '/small',
      methods: ['POST'],
      args: {},
      bodyLimitBytes: 100,
      permission: anyone,
      handler: () => 1,
    }),
    ...([['GET'], ['POST']] as const).map((methods) =>
      endpoint({
        path: '/watched',
        methods,
        args: { wait: bool({ default: false }) },
        permission: anyone,
        handler: ({ args, incoming: { signal } }) => {
          seen.watched++
          const lost = new Promise<string>((resolve) => {
            signal?.addEventListener('abort', () => {
              seen.aborted++
              resolve('nobody reads this')
            })
          })
          return args.wait ? lost : 'watched'
        },
      }),
    ),
    endpoint({
      path: '/later',
      methods: ['GET'],
      args: {},
      permission: anyone,
      handler: () => new Promise((resolve) => void setImmediate(() => resolve('later'))),
    }),
    endpoint({
      path: '/kept',
      methods: ['GET'],
      args: { text: str({ default: '' }) },
      permission: anyone,
      cacheable: true,
      handler: ({ args }) => result({ text: args.text }, { headers: { 'X-Value': 'kept' } }),
    }),
    endpoint({
      path: '/nothing',
      methods: ['GET'],
      args: {},
      permission: anyone,
      handler: () => result(undefined, { status: 204 }),
    }),
    endpoint({
      path: '/fails',
      methods: ['GET'],
      args: {},
      permission: anyone,
      handler: () => {
        throw new Error('a secret detail')
      },
    }),
    endpoint({
      path: '/header',
      methods: ['GET'],
      args: { value: str({ default: '' }), name: str({ default: 'X-Value' }) },
      permission: anyone,
      handler: ({ args }) => result('sent', { headers: { [args.name]: args.value } }),
    }),
    endpoint({
      path: '/cookies',
      methods: ['GET'],
      args: {},
      permission: anyone,
      handler: () => result('sent', { headers: { 'Set-Cookie': ['a=1', 'b=2'] } }),
    }),
    endpoint({
      path: '/bytes',
      methods: ['GET'],
      args: {},
      permission: anyone,
      handler: () => new Stream(Uint8Array.of(0, 255, 10), 'application/octet-stream'),
    }),
    endpoint({
      path: '/short-stream',
      methods: ['GET'],
      args: {},
      permission: anyone,
      handler: () => new Stream(new Blob(['one,', 'two']).stream(), 'text/csv; charset=UTF-8'),
    }),
    endpoint({
      path: '/stream',
      methods: ['GET'],
      args: {},
      permission: anyone,
      handler: () => new Stream(endless(seen), 'text/plain'),
    }),
  ])
  return {
    profile: profile({ name: 'echo', gmtOffset: 'text', features: [...toolFeatures, echo] }),
    log: { error: (message, { error }) => void seen.failures.push(`${message}: ${String(error)}`) },
  }
}

const endless = (seen: Seen) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.chunks++
      controller.enqueue(new Uint8Array(64 * 1024).fill(120))
    },
    cancel() {
      seen.isCancelled = true
    },
  })
