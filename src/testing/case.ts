/** The type of a conformance case, and assertions that need no test runner. */
import { type MaybePromise, type Storage, StorageConflict } from '../contract/storage.ts'

/** A case that a storage must pass, free of a test runner. */
export interface ConformanceCase {
  /** A sentence about the storage without its subject. */
  readonly name: string
  /** The optional method that the case tests; storages without it skip the case. */
  readonly needs?: 'atomic' | 'changes' | 'keepsIds' | 'now'
  /** Rejects if the storage, which must be new and empty, violates the contract. */
  run(storage: Storage): Promise<void>
}

export function equal(actual: unknown, expected: unknown, about: string): void {
  if (isEqual(actual, expected)) return
  throw new Error(`${about}: expected ${show(expected)}, got ${show(actual)}`)
}

export function isTrue(condition: boolean, about: string): void {
  if (!condition) throw new Error(`${about}: this does not hold`)
}

/** Expects a throw or a rejection; returns the error. */
export async function throws(action: () => MaybePromise<unknown>, about: string): Promise<unknown> {
  try {
    await action()
  } catch (error) {
    return error
  }
  throw new Error(`${about}: expected an error`)
}

/** Expects a StorageConflict about this field. */
export async function conflicts(field: string, action: () => MaybePromise<unknown>, about: string): Promise<void> {
  const error = await throws(action, about)
  const expected = new StorageConflict(field)
  const actual = error as { code?: unknown; field?: unknown } | null
  equal(actual?.code, expected.code, `${about}: the code of ${error}`)
  equal(actual?.field, field, `${about}: the field of the conflict`)
}

/** Starts all actions at once; resolves to their results. */
export function runConcurrently<T>(actions: readonly (() => MaybePromise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(actions.map(async (action) => action()))
}

/** The ids that the actions returned, and 'rejected' for each action that failed. */
export function settledIds(results: readonly PromiseSettledResult<readonly number[]>[]): (number | 'rejected')[] {
  return results.flatMap((result): readonly (number | 'rejected')[] =>
    result.status === 'fulfilled' ? result.value : ['rejected'],
  )
}

/** Changes an argument or a result. A frozen result throws a TypeError, which is ignored. */
export function tamper(change: () => void): void {
  try {
    change()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

/** Runs the pending microtasks, and those that they queue. */
export async function flushMicrotasks(): Promise<void> {
  for (let round = 0; round < 20; round++) await Promise.resolve()
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => isEqual(member(a, key), member(b, key)))
}

/** Reads own members only, because `__proto__` may be one of them. */
function member(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}
