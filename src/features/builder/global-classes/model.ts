/**
 * Global classes: named styles that elements refer to by id. The kit stores a live copy and, while changes are prepared,
 * a preview. The functions here are pure.
 */
import type { Storage } from '../../../contract/storage.ts'
import type { StoredState } from '../../../core/declare/endpoint.ts'
import { storedState } from '../../../core/pipeline/etag.ts'
import { type KitPart, kitPart, readKit } from '../../shared/kit.ts'
import { type ClassList, type GlobalClass, limits } from './validation.ts'

export { limitExceeded, readClass, validateClasses } from './validation.ts'
export type { ClassList, GlobalClass }
export { limits }
export type ClassContext = 'frontend' | 'preview'

interface StoredClasses {
  readonly live: ClassList
  readonly preview: ClassList | null
}

const emptyClassList: ClassList = { items: {}, order: [] }

export const classesPart: KitPart<StoredClasses> = kitPart<StoredClasses>('global_classes', {
  live: emptyClassList,
  preview: null,
})

/** Interface: without a preview the live copy is returned, and a write to the preview starts from it. */
export const classListOf = ({ live, preview }: StoredClasses, context: ClassContext): ClassList =>
  context === 'preview' ? (preview ?? live) : live

/** `stored` of the routes that read and write a copy of the classes. */
export async function storedClasses({ args, storage }: ClassesContext): Promise<StoredState> {
  const { items, order } = classListOf(await readKit(storage, classesPart), args.context)
  return storedState({ items, order })
}

interface ClassesContext {
  readonly args: { readonly context: ClassContext }
  readonly storage: Storage
}

/** Unknown ids are dropped; missing ids follow, sorted. */
export function repairOrder({ items, order }: ClassList): string[] {
  const listed = [...new Set(order)].filter((id) => Object.hasOwn(items, id))
  const missing = Object.keys(items).filter((id) => !listed.includes(id))
  return [...listed, ...missing.sort()]
}

// ---------------------------------------------------------------- changes

export interface ClassChanges {
  readonly items: ClassList['items']
  readonly order: readonly string[]
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly deleted: readonly string[]
}

interface ModifiedLabel {
  readonly original: string
  readonly modified: string
}

interface MergeResult {
  readonly list: ClassList
  /** Labels changed because they were taken, by id. */
  readonly labels: ReadonlyMap<string, ModifiedLabel>
}

/**
 * Interface: only items listed as added or modified are stored, and only ids listed as deleted are removed, so parallel
 * saves do not overwrite each other.
 */
export function mergeChanges(stored: ClassList, { items, order, added, modified, deleted }: ClassChanges): MergeResult {
  const removed = new Set(deleted)
  const written = new Set([...added, ...modified].filter((id) => Object.hasOwn(items, id) && !removed.has(id)))
  const unchanged = Object.entries(stored.items).filter(([id]) => !removed.has(id) && !written.has(id))
  const labels = uniqueLabels(unchanged, items, added, written)
  const changed = [...written].map((id): [string, GlobalClass] => {
    // The cast: `written` contains only ids of items.
    const item = items[id] as GlobalClass
    return [id, { ...item, label: labels.get(id)?.modified ?? item.label }]
  })
  const all = Object.fromEntries([...unchanged, ...changed])
  const kept = repairOrder(stored).filter((id) => Object.hasOwn(all, id))
  return {
    labels,
    list: {
      items: all,
      order: mergeOrder(
        kept,
        order.filter((id) => Object.hasOwn(all, id)),
      ),
    },
  }
}

/**
 * Choice: a class that the sender does not know keeps its place, which says what wins in the style sheet. Those of the sender take the
 * places that they have among themselves; a new one comes before the known one that it was sent before, or last.
 */
function mergeOrder(stored: readonly string[], sent: readonly string[]): string[] {
  const [known, named] = [new Set(stored), new Set(sent)]
  const merged: string[] = []
  let at = 0
  for (const id of stored) {
    if (!named.has(id)) merged.push(id)
    else {
      const from = at
      while (!known.has(sent[at] as string)) at++
      merged.push(...sent.slice(from, ++at))
    }
  }
  return [...merged, ...sent.slice(at)]
}

/** Interface: of two equal labels the one of an added class is changed. */
function uniqueLabels(
  unchanged: readonly [string, GlobalClass][],
  items: ClassList['items'],
  added: readonly string[],
  written: ReadonlySet<string>,
): ReadonlyMap<string, ModifiedLabel> {
  const isNew = new Set(added)
  const modifiedLabels = [...written].filter((id) => !isNew.has(id)).map((id) => items[id]?.label ?? '')
  const labels = new Set([...unchanged.map(([, { label }]) => label), ...modifiedLabels])
  const changed = new Map<string, ModifiedLabel>()
  for (const id of isNew) {
    if (!written.has(id)) continue
    const original = items[id]?.label ?? ''
    const label = labels.has(original) ? uniqueLabel(original, labels) : original
    if (label !== original) changed.set(id, { original, modified: label })
    labels.add(label)
  }
  return changed
}

const duplicatePrefix = 'DUP_'

function uniqueLabel(label: string, taken: ReadonlySet<string>): string {
  const base = label.startsWith(duplicatePrefix) ? label : (duplicatePrefix + label).slice(0, limits.label)
  if (base !== label && !taken.has(base)) return base
  for (let counter = 1; ; counter++) {
    const numbered = base.slice(0, limits.label - String(counter).length) + counter
    if (!taken.has(numbered)) return numbered
  }
}
