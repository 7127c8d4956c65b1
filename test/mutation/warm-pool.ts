/**
 * A pool whose threads outlive a run: a run for one mutant then costs its tests, and not the start of a thread that loads
 * hundreds of modules. Vitest starts and stops its workers for each run; both are answered here for a thread that stays.
 */
import { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Plugin } from 'vitest/config'
import type { PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node'

type Start = Extract<WorkerRequest, { type: 'start' }>

interface Thread {
  readonly worker: Worker
  /** The messages of the thread to its current run. */
  events: EventEmitter
}

const entry = fileURLToPath(new URL('warm-worker.ts', import.meta.url))
const waiting = new Map<string, Thread>()

function startThread(env: Partial<NodeJS.ProcessEnv>, execArgv: string[]): Thread {
  const thread: Thread = {
    worker: new Worker(entry, { env: env as NodeJS.ProcessEnv, execArgv }),
    events: new EventEmitter(),
  }
  for (const event of ['message', 'error', 'exit']) {
    thread.worker.on(event, (...values) => void thread.events.emit(event, ...values))
  }
  return thread
}

const warmPool: PoolRunnerInitializer = {
  name: 'warm',
  createPoolWorker: ({ project, env, execArgv }): PoolWorker => {
    const kept = waiting.get(project.name)
    waiting.delete(project.name)
    const thread = kept ?? startThread(env, execArgv)
    const events = new EventEmitter()
    thread.events = events
    thread.worker.ref()
    let config: Start['context']['config'] | undefined
    const answer = (type: 'started' | 'stopped') =>
      setImmediate(() => events.emit('message', { type, __vitest_worker_response__: true }))
    return {
      name: 'warm',
      on: (event, callback) => void events.on(event, callback),
      off: (event, callback) => void events.off(event, callback),
      send: (request) => {
        if (request.type === 'start') config = request.context.config
        if (request.type === 'stop') answer('stopped')
        else if (request.type === 'start' && kept) answer('started')
        // The thread has the configuration of its first run: which tests to run is another's.
        else if (request.type === 'run')
          thread.worker.postMessage({ ...request, context: { ...request.context, config } })
        else thread.worker.postMessage(request)
      },
      deserialize: (message) => message,
      start: async () => undefined,
      stop: async () => {
        thread.worker.unref()
        waiting.set(project.name, thread)
      },
    }
  },
}

/**
 * Sets the pool of a project: the runner names another one on the command line, which has precedence over a
 * configuration.
 */
export const warmThreads: Plugin = {
  name: 'warm-threads',
  configureVitest: ({ project }) => {
    project.config.pool = warmPool.name
    project.config.poolRunner = warmPool
  },
}
