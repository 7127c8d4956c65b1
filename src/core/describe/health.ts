/** Whether a site can answer requests. It is found out without the pipeline, which waits for the storage. */

import type { MaybePromise, Storage } from '../../contract/storage.ts'
import type { CheckHealth, Health } from '../declare/app-context.ts'
import { endpoint } from '../declare/endpoint.ts'
import { type Feature, feature } from '../declare/feature.ts'
import { anyone } from '../declare/permissions.ts'
import type { Incoming } from '../declare/request.ts'
import { type Result, result } from '../declare/result.ts'

interface HealthOptions {
  readonly storage: Storage
  readonly ready: () => MaybePromise<void>
  readonly isClosing: () => boolean
  readonly timeoutMs?: number
}

/** Checks that come while one waits share its answer: a storage that hangs gets one question at a time. */
export function createHealth({ storage, ready, isClosing, timeoutMs = 2000 }: HealthOptions): CheckHealth {
  let pending: Promise<Health['storage']> | undefined
  const ask = async () => {
    await ready()
    await storage.options.read(['url'])
    return 'ok' as const
  }
  return async () => {
    if (isClosing()) return { live: true, ready: false, storage: 'closed' }
    pending ??= ask()
      .catch(() => 'failed' as const)
      .finally(() => {
        pending = undefined
      })
    const state = await within(pending, timeoutMs)
    return { live: true, ready: state === 'ok', storage: state }
  }
}

function within(asked: Promise<Health['storage']>, timeoutMs: number): Promise<Health['storage']> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, 'slow')
    void asked.then((state) => {
      clearTimeout(timer)
      resolve(state)
    })
  })
}

const namespace = 'site-api/v1'
const path = '/health'

async function healthResult(check: CheckHealth): Promise<Result<Health>> {
  const health = await check()
  return result(health, { status: health.ready ? 200 : 503, headers: { 'Cache-Control': 'no-store' } })
}

/** For calls inside the process, and so that the path belongs to the api. */
export const healthFeature = (check: CheckHealth): Feature =>
  feature('health', namespace, [
    endpoint({
      path,
      summary: 'Ask whether requests can be answered',
      methods: ['GET'],
      args: {},
      unlisted: true,
      permission: anyone,
      handler: () => healthResult(check),
    }),
  ])

/** Answers the health route by itself; undefined for any other request. */
export const answerHealth =
  (check: CheckHealth) =>
  (incoming: Incoming): Promise<Result> | undefined =>
    incoming.path === `/${namespace}${path}` && (incoming.method === 'GET' || incoming.method === 'HEAD')
      ? healthResult(check)
      : undefined
