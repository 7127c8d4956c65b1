/** One api per process, although Next loads a module several times; in development, one that follows its options. */

/** An api, or any other value that has to be closed. */
export interface Closable {
  close(): Promise<void>
}

interface Kept {
  readonly shown: Closable
  /** Replaces the api where the options have changed. */
  update(options: string, create: () => Closable): void
}

/** Shared by all copies of this module: Next bundles one for pages and one for route handlers. */
const registry = Symbol.for('site-api.kept')

/**
 * The api of this process: made by the first call and returned by each further one. Next loads the module of an api once for
 * pages, once for route handlers, and again after a change of a file.
 *
 * In development, a call with other options replaces the api wherever it is used, and closes the one before. Functions and
 * the storage are not compared: restart Next after a change of these. `name` tells several apis of a process apart.
 *
 * ```ts
 * export const api = keepApi({ storage: sqliteStorage('site.db'), profile: d1, docs: true }, createSiteApi)
 * ```
 */
export function keepApi<O extends object, A extends Closable>(options: O, create: (options: O) => A, name = 'api'): A {
  // The cast: the global object has this member once an api is kept.
  const holder = globalThis as typeof globalThis & { [registry]?: Map<string, Kept> }
  holder[registry] ??= new Map()
  const known = holder[registry].get(name)
  const kept = known ?? keep(options, create)
  if (!known) holder[registry].set(name, kept)
  else if (isDevelopment()) known.update(textOf(options), () => create(options))
  // The cast: under one name a process keeps apis of one kind.
  return kept.shown as A
}

function keep<O extends object>(options: O, create: (options: O) => Closable): Kept {
  let current = create(options)
  if (!isDevelopment()) return { shown: current, update: () => {} }
  let text = textOf(options)
  return {
    // Code that has the api keeps it: what it reaches is the api of the latest options.
    shown: new Proxy(current, { get: (_, member) => Reflect.get(current, member) }),
    update: (latest, createLatest) => {
      if (latest === text) return
      const outdated = current
      // First the new one: wrong options throw here, and the api stays as it was.
      current = createLatest()
      text = latest
      console.info('site-api: the options changed, so the api was made anew')
      outdated.close().catch((error: unknown) => console.error('site-api: the api before could not be closed', error))
    },
  }
}

/** Other runtimes have no `process`. */
const isDevelopment = () => globalThis.process?.env?.NODE_ENV === 'development'

/** The plain data of options, to compare. What occurs again, as in a circle, is written once. */
function textOf(options: object): string {
  const seen = new Set<unknown>()
  return JSON.stringify({ ...options, storage: undefined }, (_, value: unknown) => {
    if (typeof value === 'bigint' || value instanceof RegExp) return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (seen.has(value)) return undefined
    seen.add(value)
    return value
  })
}
