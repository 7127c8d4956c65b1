/** A single unref'd timer; setting it again replaces it. */

export interface Timer {
  /** Milliseconds since 1970; Infinity clears it. */
  set(moment: number): void
  clear(): void
}

/** Timers of a process do not count while its machine is suspended. A later time is reached in steps of a minute, by the clock. */
const longestMs = 60_000

export function createTimer(clock: () => number, wake: () => void): Timer {
  let timer: ReturnType<typeof setTimeout> | undefined
  let setFor = Number.POSITIVE_INFINITY

  const clear = () => {
    clearTimeout(timer)
    timer = undefined
    setFor = Number.POSITIVE_INFINITY
  }

  const start = () => {
    const wait = Math.min(Math.max(setFor - clock(), 0), longestMs)
    timer = setTimeout(() => {
      if (clock() < setFor) return start()
      clear()
      wake()
    }, wait)
    timer.unref?.()
  }

  return {
    clear,
    set(moment) {
      if (moment === setFor) return
      clear()
      if (!Number.isFinite(moment)) return
      setFor = moment
      start()
    },
  }
}
