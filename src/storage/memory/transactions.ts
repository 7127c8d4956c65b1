/**
 * Who may write when. Every write runs in a frame of its own above the frame it was called on; an `atomic` is a frame that
 * stays open as long as its work runs. While it is open, the frame below it lets nobody write: those writes wait in line.
 */
import type { MaybePromise } from '../contract.ts'

/** Something that can take back what was written since a frame began. */
export interface Undoable {
  /** What the frame of this depth changed now belongs to the frame below. */
  keep(depth: number): void
  undo(depth: number): void
}

export interface Frame {
  /** 0 is the storage itself; 1 a transaction, 2 a savepoint in it, and so on. */
  readonly depth: number
  readonly below: Frame | undefined
  readonly touched: Set<Undoable>
  readonly waiting: (() => void)[]
  child: Frame | undefined
  ended: boolean
}

/** What a store does its work with. `depth` says which state is seen: what frames above it changed is not. */
export interface Access {
  read<T>(work: (depth: number) => T): T
  write<T>(work: (depth: number) => T): MaybePromise<T>
}

export class Transactions {
  readonly root: Frame = newFrame(undefined)
  commits = 0
  #top: Frame = this.root

  /** The frame that writes belong to right now. */
  get top(): Frame {
    return this.#top
  }

  access(frame: Frame): Access {
    return {
      read: (work) => {
        refuseEnded(frame)
        return work(frame.depth)
      },
      write: (work) => this.#inTurn(frame, () => this.#run(frame, (inner) => work(inner.depth))),
    }
  }

  atomic<T>(frame: Frame, work: (inside: Frame) => MaybePromise<T>): MaybePromise<T> {
    return this.#inTurn(frame, () => this.#run(frame, work))
  }

  /** Now when the frame is free, otherwise once what runs in it has ended. */
  #inTurn<T>(frame: Frame, work: () => MaybePromise<T>): MaybePromise<T> {
    refuseEnded(frame)
    if (frame.child === undefined) return work()
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

  #run<T>(below: Frame, work: (inside: Frame) => MaybePromise<T>): MaybePromise<T> {
    const frame = newFrame(below)
    below.child = frame
    this.#top = frame
    let answer: MaybePromise<T>
    try {
      answer = work(frame)
    } catch (error) {
      this.#abandon(frame)
      throw error
    }
    if (!isPromise(answer)) {
      this.#complete(frame)
      return answer
    }
    return answer.then(
      (value) => {
        this.#complete(frame)
        return value
      },
      (error: unknown) => {
        if (!frame.ended) this.#abandon(frame)
        throw error
      },
    )
  }

  #complete(frame: Frame): void {
    refuseEnded(frame)
    if (frame.child !== undefined) {
      this.#abandon(frame)
      throw new Error('a savepoint was still running when its transaction ended; nothing was written')
    }
    const below = frame.below ?? this.root
    for (const table of frame.touched) {
      table.keep(frame.depth)
      below.touched.add(table)
    }
    if (below === this.root && below.touched.size > 0) {
      this.commits++
      below.touched.clear()
    }
    this.#end(frame)
  }

  #abandon(frame: Frame): void {
    // First of all, so that who waits for the child does not begin in a frame that comes to nothing.
    frame.ended = true
    if (frame.child !== undefined) this.#abandon(frame.child)
    for (const table of frame.touched) table.undo(frame.depth)
    this.#end(frame)
  }

  #end(frame: Frame): void {
    const below = frame.below ?? this.root
    frame.ended = true
    below.child = undefined
    this.#top = below
    // Those who wait for a frame that ends itself are told so when the frame below goes on.
    for (const next of frame.waiting.splice(0)) next()
    while (below.child === undefined && below.waiting.length > 0) below.waiting.shift()?.()
  }
}

function newFrame(below: Frame | undefined): Frame {
  return {
    depth: below === undefined ? 0 : below.depth + 1,
    below,
    touched: new Set(),
    waiting: [],
    child: undefined,
    ended: false,
  }
}

function refuseEnded(frame: Frame): void {
  if (frame.ended) throw new Error('this transaction has ended; use the storage it was opened on')
}

function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}
