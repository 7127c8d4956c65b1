/** The classes of a stale write, as they are merged: those that it adds, changes or removes, and the order of those that it names. */
import type { Storage } from '../../../contract/storage.ts'
import type { ArgumentValues } from '../../../core/declare/endpoint.ts'
import { readKit } from '../../shared/kit.ts'
import { type ClassContext, classesPart, classListOf, repairOrder } from './model.ts'

interface WriteContext {
  readonly args: {
    readonly context: ClassContext
    readonly items: { readonly [id: string]: unknown }
    readonly order?: readonly string[] | undefined
    readonly changes: {
      readonly added: readonly string[]
      readonly modified: readonly string[]
      readonly deleted: readonly string[]
    }
  }
  readonly storage: Storage
}

/** The classes that the write removes are not there. */
export function sentClasses({ args: { items, order, changes } }: Pick<WriteContext, 'args'>): ArgumentValues {
  const kept = Object.entries(items).filter(([id]) => !changes.deleted.includes(id))
  return { items: Object.fromEntries(kept), ...(order ? { order } : {}) }
}

/** A class that is sent and not changed is as it was sent: it is not written. */
export async function valuesOfClasses({ args, storage }: WriteContext): Promise<ArgumentValues> {
  const { items, order = [], changes } = args
  const stored = classListOf(await readKit(storage, classesPart), args.context)
  const named = new Set([...changes.added, ...changes.modified, ...changes.deleted])
  const written = [...named]
    .filter((id) => Object.hasOwn(stored.items, id))
    .map((id) => [id, stored.items[id]] as const)
  const others = Object.entries(items).filter(([id]) => !named.has(id))
  const known = repairOrder(stored).filter((id) => order.includes(id))
  return {
    items: Object.fromEntries([...others, ...written]),
    order: [...known, ...order.filter((id) => !known.includes(id))],
  }
}
