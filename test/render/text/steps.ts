/** Counts the characters and tokens that a rule visits: a duration would depend on the machine. */
import type { Work } from '../../../src/render/text/typography/signs.ts'

export function steps(run: (work: Work) => unknown): number {
  const work: Work = { steps: 0 }
  run(work)
  return work.steps
}
