/** Wall time of one run of something that is warm. */

/** The minimal duration of one measurement. */
const minRoundMs = 20

/** The same, with some work before each run that does not count: a write, after which nothing is cached. */
export async function measureAfter(
  before: () => unknown,
  run: (turn: number) => Promise<unknown>,
  warmUp: number,
): Promise<() => Promise<number>> {
  let turn = 0
  const spentOn = async () => {
    await before()
    const from = performance.now()
    await run(turn++)
    return performance.now() - from
  }
  while (turn < warmUp) await spentOn()
  return async () => {
    // Measurements between two rounds may have written rows that this one keeps results of.
    await spentOn()
    let spent = 0
    let runs = 0
    for (; spent < minRoundMs; runs++) spent += await spentOn()
    return (spent * 1000) / runs
  }
}

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
