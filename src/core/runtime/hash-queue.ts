/**
 * Bounds how many slow digests of passwords are computed at a time. Each takes a thread and 32 MB for a tenth of a second: a flood of
 * sign-ins would take all threads, which read files too, and all processors from other requests.
 */

/** Half of the processors, and at most two of the four threads that Node has for such work and for files. */
const atATime = () => Math.max(1, Math.min(2, Math.floor((globalThis.navigator?.hardwareConcurrency ?? 2) / 2)))

/** With a tenth of a second for each, the last one waits for about ten seconds. */
const mostWaiting = 128

/** Clients take turns: one client with many attempts delays another one by one attempt. */
export class HashQueue {
  readonly #waiting = new Map<string, (() => void)[]>()
  #waitingCount = 0
  #running = 0

  /** True: a request that a client could repeat should be refused for now. */
  get isFull(): boolean {
    return this.#waitingCount >= mostWaiting
  }

  /** Runs the work when its turn has come. `client`: its requests wait for each other only. */
  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= atATime()) await this.#turnOf(client)
    else this.#running++
    try {
      return await work()
    } finally {
      this.#passOn()
    }
  }

  #turnOf(client: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waitingCount++
      const before = this.#waiting.get(client)
      if (before) before.push(resolve)
      else this.#waiting.set(client, [resolve])
    })
  }

  /** Hands the place to the next client, which goes to the end of the line with its other requests. */
  #passOn(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#running--
      return
    }
    const [client, [first, ...rest]] = next
    this.#waiting.delete(client)
    if (rest.length > 0) this.#waiting.set(client, rest)
    this.#waitingCount--
    first?.()
  }
}
