/**
 * References to items that come later in the file or in another file of the same site. They are stored in the meta of the
 * referring item, so that a later import can complete them.
 */
import type { Json, Post, Storage } from '../../contract/storage.ts'
import type { ReportBuilder } from './report.ts'

export const deferredKey = '_import_waiting'

/** The file's ids of the items referred to. */
export interface DeferredReference {
  readonly parent?: number
  readonly thumbnail?: number
  /** What a menu item leads to, and the meta key that keeps its id. */
  readonly target?: number
  readonly targetKey?: string
}

export interface DeferredReferences {
  add(id: number, wanted: DeferredReference, line: number): void
  /** Completes the references to these numbers. `idOf` returns undefined for items that are not imported yet. */
  settle(transaction: Storage, numbers: Iterable<number>, idOf: IdOf): Promise<void>
  isWanted(number: number): boolean
  readonly numbers: readonly number[]
  /** Adds the references that are still incomplete to the report. */
  reportMissing(): void
}

type IdOf = (number: number) => number | undefined

interface Deferred {
  readonly id: number
  readonly wanted: DeferredReference
  readonly line: number
}

export function createDeferredReferences(report: ReportBuilder): DeferredReferences {
  const byNumber = new Map<number, Map<number, Deferred>>()
  const numbersOf = ({ parent, thumbnail, target }: DeferredReference) => [
    ...new Set([parent, thumbnail, target].filter((number) => number !== undefined)),
  ]

  const add = (reference: Deferred) => {
    for (const number of numbersOf(reference.wanted)) {
      const list = byNumber.get(number) ?? new Map()
      byNumber.set(number, list.set(reference.id, reference))
    }
  }
  const remove = (reference: Deferred) => {
    for (const number of numbersOf(reference.wanted)) {
      const list = byNumber.get(number)
      list?.delete(reference.id)
      if (list?.size === 0) byNumber.delete(number)
    }
  }

  /** Writes the references whose items exist, and stores the others again. */
  const complete = async (transaction: Storage, reference: Deferred, idOf: IdOf) => {
    const { id, wanted, line } = reference
    const idOfWanted = (number: number | undefined) => (number === undefined ? undefined : idOf(number))
    const parent = idOfWanted(wanted.parent)
    const featuredMedia = idOfWanted(wanted.thumbnail)
    const isCycle = parent !== undefined && (await isDescendant(transaction, parent, id))
    if (isCycle) report.add('parent-circle', 'item', { line, what: '' })
    const changes: Partial<Post> = {
      ...(parent === undefined || isCycle ? {} : { parent }),
      ...(featuredMedia === undefined ? {} : { featuredMedia }),
    }
    if (Object.keys(changes).length > 0) await transaction.posts.update([{ id, changes }])
    const target = idOfWanted(wanted.target)
    const { targetKey } = wanted
    if (target !== undefined && targetKey !== undefined) {
      await transaction.meta.write('post', [{ id, key: targetKey, value: target }])
    }
    const remaining = incomplete(wanted, { parent, featuredMedia, target })
    remove(reference)
    add({ id, wanted: remaining, line })
    const value = numbersOf(remaining).length > 0 ? { ...remaining } : null
    await transaction.meta.write('post', [{ id, key: deferredKey, value }])
  }

  return {
    add: (id, wanted, line) => add({ id, wanted, line }),
    async settle(transaction, numbers, idOf) {
      const due = new Map<number, Deferred>()
      for (const number of numbers) for (const [id, reference] of byNumber.get(number) ?? []) due.set(id, reference)
      for (const reference of due.values()) await complete(transaction, reference, idOf)
    },
    isWanted: (number) => byNumber.has(number),
    get numbers() {
      return [...byNumber.keys()]
    },
    reportMissing() {
      for (const [number, list] of byNumber) {
        for (const { wanted, line } of list.values()) {
          const what =
            wanted.parent === number ? 'parent' : wanted.target === number ? 'menu target' : 'featured picture'
          report.add('missing-post', what, { line, what: String(number) })
        }
      }
    },
  }
}

interface FoundIds {
  readonly parent: number | undefined
  readonly featuredMedia: number | undefined
  readonly target: number | undefined
}

/** The wanted references that have no id yet. */
const incomplete = (wanted: DeferredReference, { parent, featuredMedia, target }: FoundIds): DeferredReference => ({
  ...(wanted.parent !== undefined && parent === undefined ? { parent: wanted.parent } : {}),
  ...(wanted.thumbnail !== undefined && featuredMedia === undefined ? { thumbnail: wanted.thumbnail } : {}),
  ...(target === undefined ? targetIn(wanted) : {}),
})

const targetIn = ({ target, targetKey }: DeferredReference): DeferredReference =>
  target !== undefined && targetKey !== undefined ? { target, targetKey } : {}

/** Whether a post is the other one or a descendant of it. */
export async function isDescendant(transaction: Storage, post: number, other: number): Promise<boolean> {
  const seen = new Set<number>()
  for (let at = post; at > 0 && !seen.has(at); ) {
    if (at === other) return true
    seen.add(at)
    const [row] = await transaction.posts.read([at])
    at = row?.parent ?? 0
  }
  return false
}

export function readDeferred(value: Json): DeferredReference {
  const stored = (typeof value === 'object' && value !== null ? value : {}) as { [name: string]: Json }
  const { parent, thumbnail, target, targetKey } = stored
  return {
    ...(typeof parent === 'number' ? { parent } : {}),
    ...(typeof thumbnail === 'number' ? { thumbnail } : {}),
    ...(typeof target === 'number' && typeof targetKey === 'string' ? { target, targetKey } : {}),
  }
}
