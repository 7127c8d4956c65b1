/** Work on a database as a generator of statements: whoever runs it gives the rows back, at once or later. */
import { isPromise } from '../../../contract/maybe-promise.ts'
import type { MaybePromise } from '../../../contract/storage.ts'
import type { Fragment, Row } from './fragments.ts'

/** Yields statements, receives their rows, and returns its result. */
export type Steps<T> = Generator<Fragment, T, readonly Row[]>

/** Runs statements without values, one after the other. */
export function* each(statements: readonly string[]): Steps<void> {
  for (const text of statements) yield { text, values: [] }
}

/** The rows of one statement. */
export function* rowsOf(text: string): Steps<readonly Row[]> {
  return yield { text, values: [] }
}

/** Synchronous as long as `run` is. */
export function runSteps<T>(
  steps: Steps<T>,
  run: (statement: Fragment) => MaybePromise<readonly Row[]>,
): MaybePromise<T> {
  let step = steps.next()
  while (!step.done) {
    const rows = run(step.value)
    if (isPromise(rows)) return finishSteps(steps, rows, run)
    step = steps.next(rows)
  }
  return step.value
}

async function finishSteps<T>(
  steps: Steps<T>,
  pending: Promise<readonly Row[]>,
  run: (statement: Fragment) => MaybePromise<readonly Row[]>,
): Promise<T> {
  let step = steps.next(await pending)
  while (!step.done) step = steps.next(await run(step.value))
  return step.value
}
