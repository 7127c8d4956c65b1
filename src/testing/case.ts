/** What a conformance case is, and the few assertions that cases are written with: no test runner is needed. */
import { type MaybePromise, type Storage, StorageConflict } from '../storage/contract.ts'

export interface ConformanceCase {
  /** What the storage does, as a sentence without its subject. */
  readonly name: string
  /** The optional method that the case is about; a storage without it skips the case. */
  readonly needs?: 'atomic' | 'changes'
  /** Rejects unless the storage, which is fresh and empty, keeps the promise. */
  run(storage: Storage): Promise<void>
}

export function equal(actual: unknown, expected: unknown, about: string): void {
  if (isEqual(actual, expected)) return
  throw new Error(`${about}: expected ${show(expected)}, got ${show(actual)}`)
}

export function isTrue(fact: boolean, about: string): void {
  if (!fact) throw new Error(`${about}: this does not hold`)
}

/** Throwing now and rejecting later are the same here. */
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

/** Of several actions begun at once, what became of each. */
export function together<T>(actions: readonly (() => MaybePromise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(actions.map(async (action) => action()))
}

/** The ids that actions answered, and 'rejected' for each that did not. */
export function settledIds(results: readonly PromiseSettledResult<readonly number[]>[]): (number | 'rejected')[] {
  return results.flatMap((result): readonly (number | 'rejected')[] =>
    result.status === 'fulfilled' ? result.value : ['rejected'],
  )
}

/** Changes a value that was handed out or in. A storage that hands out frozen values may throw at that. */
export function tamper(change: () => void): void {
  try {
    change()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

/** Lets everything that waits for nothing but a turn have several of them. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => isEqual(member(a, key), member(b, key)))
}

/** Own members only: `__proto__` may be one of them. */
function member(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}
