/**
 * Who may use the writing connection when. A transaction is a frame, a savepoint a frame on top of it; while a frame is
 * open, the one below waits. Knows the order only, not the statements.
 */
import { isPromise } from '../../core/eventually.ts'
import type { Eventually } from '../contract.ts'

export interface Frame {
  /** 0 is the storage itself; 1 a transaction, 2 a savepoint in it, and so on. */
  readonly depth: number
  readonly below: Frame | undefined
  readonly waiting: (() => void)[]
  readonly ensured: Set<string>
  above: Frame | undefined
  hasWritten: boolean
  hasEnded: boolean
}

/** What a frame does to the engine. `begin` may have to wait for another process. */
export interface FrameActions {
  begin(frame: Frame): Eventually<void>
  commit(frame: Frame): void
  /** Never throws: there is an error on its way already. */
  rollback(frame: Frame): void
}

export function newFrame(below?: Frame): Frame {
  return {
    depth: below === undefined ? 0 : below.depth + 1,
    below,
    waiting: [],
    ensured: new Set(),
    above: undefined,
    hasWritten: false,
    hasEnded: false,
  }
}

/** Now when no frame is open above this one, otherwise once those that came before are through. */
export function inTurn<T>(frame: Frame, work: () => Eventually<T>): Eventually<T> {
  refuseEnded(frame)
  if (frame.above === undefined) return work()
  return new Promise<T>((resolve, reject) => {
    frame.waiting.push(() => {
      try {
        refuseEnded(frame)
        resolve(work())
      } catch (error) {
        reject(error)
      }
    })
  })
}

/** Runs `work` in a new frame on top of `below`, which must have none. */
export function runFrame<T>(below: Frame, actions: FrameActions, work: (frame: Frame) => Eventually<T>): Eventually<T> {
  const frame = newFrame(below)
  below.above = frame
  let answer: Eventually<T>
  try {
    const begun = actions.begin(frame)
    answer = isPromise(begun) ? begun.then(() => work(frame)) : work(frame)
    if (!isPromise(answer)) {
      complete(frame, actions)
      return answer
    }
  } catch (error) {
    abandon(frame, actions)
    throw error
  }
  return answer.then(
    (value) => {
      try {
        complete(frame, actions)
      } catch (error) {
        abandon(frame, actions)
        throw error
      }
      return value
    },
    (error: unknown) => {
      abandon(frame, actions)
      throw error
    },
  )
}

export function refuseEnded(frame: Frame): void {
  if (frame.hasEnded) throw new Error('this transaction has ended; use the storage it was opened on')
}

function complete(frame: Frame, actions: FrameActions): void {
  refuseEnded(frame)
  if (frame.above !== undefined) {
    throw new Error('a savepoint was still running when its transaction ended; nothing was written')
  }
  actions.commit(frame)
  const { below } = frame
  if (below !== undefined) {
    for (const name of frame.ensured) below.ensured.add(name)
    if (frame.hasWritten) below.hasWritten = true
  }
  end(frame)
}

function abandon(frame: Frame, actions: FrameActions): void {
  if (frame.hasEnded) return
  if (frame.above !== undefined) abandon(frame.above, actions)
  actions.rollback(frame)
  end(frame)
}

function end(frame: Frame): void {
  const { below } = frame
  frame.hasEnded = true
  // Those who wait for a frame that has ended are refused.
  for (const next of frame.waiting.splice(0)) next()
  if (below === undefined) return
  below.above = undefined
  while (below.above === undefined && below.waiting.length > 0) below.waiting.shift()?.()
}
