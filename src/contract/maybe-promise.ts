/**
 * Helpers for values that may or may not be promises. A storage inside the process answers synchronously, and code
 * written with `andThen` then stays synchronous. Used in core, site and storage; features await.
 */
import type { MaybePromise } from './storage.ts'

export type { MaybePromise }

/** Returns true for every thenable, including promises of another realm or library. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
}

/**
 * Calls `next` with the value: synchronously, or after the promise. A synchronous throw of `next` is not turned into a
 * rejection. The name is not `then`: a module that exports `then` is a thenable to `import()`.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** All values in order: an array if none is a promise, else a promise of the array. */
export function all<const T extends readonly unknown[]>(
  values: T,
): MaybePromise<{ -readonly [index in keyof T]: Awaited<T[index]> }> {
  // The cast: when none is a promise, each value is its own awaited type.
  if (!values.some(isPromise)) return values as { -readonly [index in keyof T]: Awaited<T[index]> }
  return Promise.all(values)
}

/** Runs `step` on each value in order and collects the results; synchronous as long as the steps are. */
export function sequence<T, R>(values: readonly T[], step: (value: T) => MaybePromise<R>): MaybePromise<R[]> {
  const answers: R[] = []
  for (let index = 0; index < values.length; index++) {
    const answer = step(values[index] as T)
    if (isPromise(answer)) return finishSequence(answers, answer, values, index + 1, step)
    answers.push(answer)
  }
  return answers
}

async function finishSequence<T, R>(
  answers: R[],
  pending: Promise<R>,
  values: readonly T[],
  from: number,
  step: (value: T) => MaybePromise<R>,
): Promise<R[]> {
  answers.push(await pending)
  for (let index = from; index < values.length; index++) answers.push(await step(values[index] as T))
  return answers
}

/** `try`/`catch` for throws and rejections. */
export function catchError<T, R>(
  work: () => MaybePromise<T>,
  recover: (error: unknown) => MaybePromise<R>,
): MaybePromise<T | R> {
  try {
    const value = work()
    return isPromise(value) ? value.catch(recover) : value
  } catch (error) {
    return recover(error)
  }
}
