/** Messages of assertions that say what to change. */

/** The advice, followed by one line for each problem. */
export const listed = (advice: string, problems: readonly string[]): string =>
  `${advice}\n${problems.map((problem) => `  ${problem}`).join('\n')}\n`
