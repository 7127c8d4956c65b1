/** Wall time of one run of something that is warm. */

/** The minimal duration of one measurement. */
const minRoundMs = 20

/** Warms up; returns a function that measures the microseconds per run. */
export async function measure(run: (turn: number) => Promise<unknown>, warmUp: number): Promise<() => Promise<number>> {
  let turn = 0
  for (; turn < warmUp; turn++) await run(turn)
  return async () => {
    const from = performance.now()
    let runs = 0
    let spent = 0
    do {
      await run(turn++)
      runs++
      spent = performance.now() - from
    } while (spent < minRoundMs)
    return (spent * 1000) / runs
  }
}
