/**
 * Shares the event loop of Bun among connections. Bun calls the handler for all requests that have arrived, pipelined ones included,
 * before it does anything else. A promise is what stops it: it closes a connection that sends a request before the promised answer to
 * the one before it.
 */

/** How long the requests of one turn of the event loop are answered without a promise. */
const turnMs = 20

let started: number | undefined
const waiting: (() => void)[] = []

/** Runs at once, or in a later turn of the event loop when this one took long; not at all when the connection ends before. */
export function schedule(request: Request, run: () => Response | Promise<Response>): Response | Promise<Response> {
  if (started === undefined) {
    started = performance.now()
    setImmediate(endTurn)
  }
  if (waiting.length === 0 && performance.now() - started < turnMs) return run()
  const { signal } = request
  return new Promise((resolve) => {
    waiting.push(() => resolve(signal.aborted ? new Response() : run()))
  })
}

function endTurn(): void {
  started = undefined
  if (waiting.length === 0) return
  started = performance.now()
  setImmediate(endTurn)
  while (waiting.length > 0 && performance.now() - started < turnMs) waiting.shift()?.()
}
