/**
 * Who may use the writing connection when. A transaction is a frame, a savepoint a frame on top of it; while a frame is
 * open, the one below waits. Knows the order only, not the statements.
 */
import { andThen, catchError } from '../core/runtime/maybe-promise.ts'
import type { MaybePromise } from './contract.ts'

export interface Frame {
  /** 0 is the storage itself; 1 a transaction, 2 a savepoint in it, and so on. */
  readonly depth: number
  readonly below: Frame | undefined
  readonly waiting: (() => void)[]
  readonly ensured: Set<string>
  above: Frame | undefined
  hasWritten: boolean
  hasEnded: boolean
  /** Set while an engine that answers later takes it back. */
  undoing?: MaybePromise<void>
}

/** What a frame does to the engine. `begin` may have to wait for another process. */
export interface FrameActions {
  begin(frame: Frame): MaybePromise<void>
  commit(frame: Frame): MaybePromise<void>
  /** Never throws: there is an error on its way already. */
  rollback(frame: Frame): MaybePromise<void>
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
export function enqueue<T>(frame: Frame, work: () => MaybePromise<T>): MaybePromise<T> {
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
export function runFrame<T>(
  below: Frame,
  actions: FrameActions,
  work: (frame: Frame) => MaybePromise<T>,
): MaybePromise<T> {
  const frame = newFrame(below)
  below.above = frame
  return catchError<T, never>(
    () =>
      andThen(actions.begin(frame), () =>
        andThen(work(frame), (value) => andThen(complete(frame, below, actions), () => value)),
      ),
    (error) =>
      andThen(abandon(frame, actions), () => {
        throw error
      }),
  )
}

export function refuseEnded(frame: Frame): void {
  if (frame.hasEnded) throw new Error('this transaction has ended; use the storage it was opened on')
}

function complete(frame: Frame, below: Frame, actions: FrameActions): MaybePromise<void> {
  refuseEnded(frame)
  if (frame.above !== undefined) {
    throw new Error('a savepoint was still running when its transaction ended; nothing was written')
  }
  frame.hasEnded = true
  return andThen(actions.commit(frame), () => {
    for (const name of frame.ensured) below.ensured.add(name)
    if (frame.hasWritten) below.hasWritten = true
    leave(frame)
  })
}

/** Its own work and that of the frame below may both find that it has failed: it is undone once. */
function abandon(frame: Frame, actions: FrameActions): MaybePromise<void> {
  if (frame.below?.above !== frame) return
  frame.hasEnded = true
  frame.undoing ??= andThen(frame.above === undefined ? undefined : abandon(frame.above, actions), () =>
    andThen(actions.rollback(frame), () => leave(frame)),
  )
  return frame.undoing
}

function leave(frame: Frame): void {
  const { below } = frame
  // Those who wait for a frame that has ended are refused.
  for (const next of frame.waiting.splice(0)) next()
  if (below === undefined) return
  below.above = undefined
  while (below.above === undefined && below.waiting.length > 0) below.waiting.shift()?.()
}
