/** Order for databases whose statements take time. */

/** Runs tasks one after the other, also after one that fails. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => undefined)
    return result
  }
}
