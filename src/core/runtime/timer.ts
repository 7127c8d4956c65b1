/** A single unref'd timer; setting it again replaces it. */

export interface Timer {
  /** Milliseconds since 1970; Infinity clears it. */
  set(moment: number): void
  clear(): void
}

/** `setTimeout` takes 31 bits; a later time is reached in steps of a day. */
const longestMs = 24 * 60 * 60 * 1000

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
