/** Tells a CDN which tags each commit has touched: in order, of all processes, also after failures and restarts. */
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { SiteApi } from 'site-api'

export interface PurgeOptions {
  /** The address that purges by tags. */
  readonly url: string
  readonly token: string
  /** A file with the number of the last event of which the CDN knows. */
  readonly cursorFile: string
  /** How many tags the CDN takes in one request. */
  readonly tagsPerRequest?: number
  /** An answer that was on its way may reach the CDN after the purge, so the tags are purged once more. Default: after 10 seconds. */
  readonly againAfterMs?: number
  /** The pause after a failed request. */
  readonly pauseMs?: (attempt: number) => number
}

const backoff = (attempt: number) => Math.min(60_000, 500 * 2 ** attempt)

export function purgeChanges(api: SiteApi, options: PurgeOptions) {
  const { url, token, cursorFile, tagsPerRequest = 30, againAfterMs = 10_000, pauseMs = backoff } = options
  const closing = new AbortController()
  let cursor: number | undefined
  let running: Promise<void> | undefined
  let isAskedAgain = false
  let again = Promise.resolve()

  async function send(tags: readonly string[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tags }),
        signal: AbortSignal.timeout(10_000),
      }).catch(() => undefined)
      if (response?.ok) return
      const isForNow = response === undefined || response.status === 429 || response.status >= 500
      if (!isForNow) throw new Error(`the CDN has answered ${response.status} to a purge`)
      const seconds = response?.headers.get('retry-after')
      const ms = seconds ? Number(seconds) * 1000 : pauseMs(attempt)
      await pause(ms, undefined, { signal: closing.signal })
    }
  }

  async function purge(tags: readonly string[]): Promise<void> {
    for (let at = 0; at < tags.length; at += tagsPerRequest) await send(tags.slice(at, at + tagsPerRequest))
  }

  /** A process that ends before the second purge reads these events again. */
  async function purgeAgain(tags: readonly string[], done: number): Promise<void> {
    await pause(againAfterMs, undefined, { signal: closing.signal })
    await purge(tags)
    await writeFile(cursorFile, String(done))
  }

  async function purgeNew(): Promise<void> {
    cursor ??= Number(await readFile(cursorFile, 'utf8').catch(() => 0))
    for (;;) {
      const { events, cursor: next, missed } = await api.events.since(cursor)
      if (next === cursor) return
      // The cast: this event has tags.
      const changed = events.flatMap(({ name, data }) => (name === 'tags.changed' ? (data.tags as string[]) : []))
      // Each answer has the tag `all`.
      const tags = missed ? ['all'] : [...new Set(changed)]
      await purge(tags)
      cursor = next
      again = again.then(() => purgeAgain(tags, next)).catch(report)
    }
  }

  const report = (error: unknown) => {
    if (!closing.signal.aborted) console.error('purges have stopped until the next change:', error)
  }

  async function runWhileAsked(): Promise<void> {
    while (isAskedAgain) {
      isAskedAgain = false
      await purgeNew().catch(report)
    }
    running = undefined
  }

  /** Resolves when the CDN knows of everything that was committed before the call. */
  const run = (): Promise<void> => {
    isAskedAgain = true
    running ??= runWhileAsked()
    return running
  }
  const stop = api.on('tags.changed', run)
  // Other processes commit, too.
  const timer = setInterval(run, 5000)
  return {
    run,
    close: () => {
      clearInterval(timer)
      stop()
      closing.abort()
    },
  }
}
