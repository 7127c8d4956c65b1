/**
 * Work that waits in a queue is started by the work before it. It runs in the asynchronous context of its caller all the same, as code
 * behind an `await` does: values of a host's `AsyncLocalStorage` are those of the request that writes.
 */

type Hooks = Pick<typeof import('node:async_hooks'), 'AsyncResource'>

let hooks: Hooks | undefined | 'unknown' = 'unknown'

function readHooks(): Hooks | undefined {
  try {
    // The cast: the method is typed for any name.
    return globalThis.process?.getBuiltinModule?.('node:async_hooks') as Hooks | undefined
  } catch {
    // Next's edge runtime has a `process` that throws for what it lacks.
    return undefined
  }
}

/** Returns the work unchanged where the runtime has no such contexts. */
export function inCallersContext<T>(work: () => T): () => T {
  if (hooks === 'unknown') hooks = readHooks()
  return hooks === undefined ? work : hooks.AsyncResource.bind(work)
}
