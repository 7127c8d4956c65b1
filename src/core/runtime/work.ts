/**
 * Budgets the work of a request: elements that are drawn, posts that are listed, characters of text. It counts work and not time, so that
 * a record gives the same response on a busy machine. A record over the budget is shown as plain text or left out.
 */

/** The share of a request's work that one record may take. */
const recordShare = 3

const charactersOfUnit = 200

/** One unit is an element of a builder document, or 200 characters of plain prose. */
export class Work {
  /** The most units for one record. */
  readonly ofRecord: number
  #left: number
  #isExceeded = false
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(units: number) {
    this.#left = units
    this.ofRecord = Math.max(1, Math.floor(units / recordShare))
  }

  /** Whether a record was shown plain or left out because others had taken the work: the response is not cached. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /** Whether another record may be begun. */
  begin(): boolean {
    if (this.#left <= 0) this.#isExceeded = true
    return this.#left > 0
  }

  /** Takes the units of a record, whose work is known before; false: it is over one of the budgets. */
  take(units: number): boolean {
    if (units > this.ofRecord || !this.begin()) return false
    this.#left -= units
    return true
  }

  /** Takes units that were needed already. */
  spend(units: number): void {
    this.#left -= units
  }

  /** Takes the work of showing a text that is made already: it is copied, escaped, digested and sent. False: nothing is left for it. */
  show(characters: number): boolean {
    if (!this.begin()) return false
    this.spendText(characters)
    return true
  }

  spendText(characters: number): void {
    this.spend(Math.ceil(characters / charactersOfUnit))
  }

  /** The most characters of a record that a list shows. */
  get charactersOfRecord(): number {
    return this.ofRecord * charactersOfUnit
  }

  /** Runs work of a record beside that of few others: side by side, many records would take the budget before one of them is done. */
  async amongFew<T>(run: () => Promise<T>): Promise<T> {
    if (this.#running === recordShare) await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    else this.#running++
    try {
      return await run()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

const budgets = new WeakMap<object, Work>()

/** Returns the budget of a request; `request` is the same object for all parts of it. */
export function workOf(request: object, units: number): Work {
  const known = budgets.get(request)
  if (known) return known
  const work = new Work(units)
  budgets.set(request, work)
  return work
}

/** Lets a request inside another one, such as an item of a batch, take from the budget of the outer one. */
export function shareWork(inner: object, outer: object, units: number): void {
  budgets.set(inner, workOf(outer, units))
}

// ---------------------------------------------------------------- turns of the event loop

const turnMs = 20
let busyMs = 0
let isNoted = false

const later = (run: () => void): void => {
  // Not every runtime has `setImmediate`.
  if (typeof setImmediate === 'function') setImmediate(run)
  else setTimeout(run, 0)
}

/** Lets other work of the process have a turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => later(resolve))

/** Runs work that takes some milliseconds, in a later turn of the event loop when this one has done enough of such work. */
export async function inTurn<T>(run: () => T): Promise<T> {
  while (busyMs > turnMs) await nextTurn()
  const start = performance.now()
  try {
    return run()
  } finally {
    busyMs += performance.now() - start
    if (!isNoted) {
      isNoted = true
      later(() => {
        isNoted = false
        busyMs = 0
      })
    }
  }
}
