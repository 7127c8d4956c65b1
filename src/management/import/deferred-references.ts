/**
 * Items that refer to others which come later in the file, or in another file of the same site. What an item waits for is
 * kept in its meta, so that an import that was cut off is finished by the next one.
 */
import type { Json, Post, Storage } from '../../storage/contract.ts'
import type { ReportBuilder } from './report.ts'

export const deferredKey = '_import_waiting'

/** Numbers in the file. */
export interface DeferredReference {
  readonly parent?: number
  readonly thumbnail?: number
}

export interface DeferredReferences {
  add(id: number, wanted: DeferredReference, line: number): void
  /** Gives all that wait for these numbers what they want. `idOf` answers undefined for what is not there yet. */
  settle(inside: Storage, numbers: Iterable<number>, idOf: (number: number) => number | undefined): Promise<void>
  isWanted(number: number): boolean
  readonly numbers: readonly number[]
  /** Tells of what is still missing. */
  tell(): void
}

interface Waiter {
  readonly id: number
  readonly wanted: DeferredReference
  readonly line: number
}

export function createDeferredReferences(report: ReportBuilder): DeferredReferences {
  const waiters = new Map<number, Map<number, Waiter>>()
  const numbersOf = ({ parent, thumbnail }: DeferredReference) => [
    ...new Set([parent, thumbnail].filter((one) => one !== undefined)),
  ]

  const add = (waiter: Waiter) => {
    for (const number of numbersOf(waiter.wanted)) {
      const list = waiters.get(number) ?? new Map()
      waiters.set(number, list.set(waiter.id, waiter))
    }
  }
  const remove = (waiter: Waiter) => {
    for (const number of numbersOf(waiter.wanted)) {
      const list = waiters.get(number)
      list?.delete(waiter.id)
      if (list?.size === 0) waiters.delete(number)
    }
  }

  return {
    add: (id, wanted, line) => add({ id, wanted, line }),
    async settle(inside, numbers, idOf) {
      const due = new Map<number, Waiter>()
      for (const number of numbers) for (const [id, waiter] of waiters.get(number) ?? []) due.set(id, waiter)
      for (const waiter of due.values()) {
        const { id, wanted, line } = waiter
        const parent = wanted.parent === undefined ? undefined : idOf(wanted.parent)
        const featuredMedia = wanted.thumbnail === undefined ? undefined : idOf(wanted.thumbnail)
        const isCircle = parent !== undefined && (await liesBelow(inside, parent, id))
        if (isCircle) report.add('parent-circle', 'item', { line, what: '' })
        const changes: Partial<Post> = {
          ...(parent === undefined || isCircle ? {} : { parent }),
          ...(featuredMedia === undefined ? {} : { featuredMedia }),
        }
        if (Object.keys(changes).length > 0) await inside.posts.update([{ id, changes }])
        const left: DeferredReference = {
          ...(wanted.parent !== undefined && parent === undefined ? { parent: wanted.parent } : {}),
          ...(wanted.thumbnail !== undefined && featuredMedia === undefined ? { thumbnail: wanted.thumbnail } : {}),
        }
        remove(waiter)
        add({ id, wanted: left, line })
        const value = numbersOf(left).length > 0 ? { ...left } : null
        await inside.meta.write('post', [{ id, key: deferredKey, value }])
      }
    },
    isWanted: (number) => waiters.has(number),
    get numbers() {
      return [...waiters.keys()]
    },
    tell() {
      for (const [number, list] of waiters) {
        for (const { wanted, line } of list.values()) {
          const what = wanted.parent === number ? 'parent' : 'featured picture'
          report.add('missing-post', what, { line, what: String(number) })
        }
      }
    },
  }
}

/** Whether a post is the other one or lies somewhere below it. */
export async function liesBelow(inside: Storage, post: number, other: number): Promise<boolean> {
  const seen = new Set<number>()
  for (let at = post; at > 0 && !seen.has(at); ) {
    if (at === other) return true
    seen.add(at)
    const [row] = await inside.posts.read([at])
    at = row?.parent ?? 0
  }
  return false
}

export function readDeferred(value: Json): DeferredReference {
  const { parent, thumbnail } = (typeof value === 'object' && value !== null ? value : {}) as { [name: string]: Json }
  return {
    ...(typeof parent === 'number' ? { parent } : {}),
    ...(typeof thumbnail === 'number' ? { thumbnail } : {}),
  }
}
