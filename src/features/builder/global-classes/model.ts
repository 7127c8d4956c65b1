/**
 * Global classes: named styles that elements refer to by id. The kit holds two copies: the live one, and while somebody
 * prepares changes a preview. The functions that change are plain: from what is stored to what shall be stored.
 */
import type { StyleDefinition } from '../../shared/atomic-styles/model.ts'
import { type KitPart, kitPart } from '../../shared/kit/model.ts'

export const limits = { classes: 100, label: 50 } as const
export type ClassContext = 'frontend' | 'preview'

export interface GlobalClass extends StyleDefinition {
  readonly type: 'class'
  readonly sync_to_v3?: boolean
}

export interface ClassList {
  readonly items: { readonly [id: string]: GlobalClass }
  readonly order: readonly string[]
}

interface StoredClasses {
  readonly live: ClassList
  readonly preview: ClassList | null
}

const emptyClassList: ClassList = { items: {}, order: [] }

export const classesPart: KitPart<StoredClasses> = kitPart<StoredClasses>('global_classes', {
  live: emptyClassList,
  preview: null,
})

/** Interface: without a preview the live copy is shown, and changed into one. */
export const classListOf = ({ live, preview }: StoredClasses, context: ClassContext): ClassList =>
  context === 'preview' ? (preview ?? live) : live

/** Unknown ids are left out, missing ones follow in the order of their names. */
export function repairOrder({ items, order }: ClassList): string[] {
  const known = [...new Set(order)].filter((id) => Object.hasOwn(items, id))
  const missing = Object.keys(items).filter((id) => !known.includes(id))
  return [...known, ...missing.sort()]
}

// ---------------------------------------------------------------- changes

export interface ClassChanges {
  readonly items: ClassList['items']
  readonly order: readonly string[]
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly deleted: readonly string[]
}

export interface ModifiedLabel {
  readonly original: string
  readonly modified: string
}

export interface MergeResult {
  readonly list: ClassList
  /** Labels that had to be changed, by id. */
  readonly labels: ReadonlyMap<string, ModifiedLabel>
}

/**
 * Interface: only what is said to be added or modified is taken over, and only what is said to be deleted goes. So two
 * who save at once lose nothing of each other's.
 */
export function mergeChanges(stored: ClassList, { items, order, added, modified, deleted }: ClassChanges): MergeResult {
  const gone = new Set(deleted)
  const taken = new Set([...added, ...modified].filter((id) => Object.hasOwn(items, id) && !gone.has(id)))
  const kept = Object.entries(stored.items).filter(([id]) => !gone.has(id) && !taken.has(id))
  const labels = uniqueLabels(kept, items, added, taken)
  const changed = [...taken].map((id): [string, GlobalClass] => {
    // The cast: `taken` holds ids of items alone.
    const one = items[id] as GlobalClass
    return [id, { ...one, label: labels.get(id)?.modified ?? one.label }]
  })
  const all = Object.fromEntries([...kept, ...changed])
  const wanted = new Set(order)
  const before = repairOrder(stored).filter((id) => Object.hasOwn(all, id) && !wanted.has(id))
  return { labels, list: { items: all, order: [...before, ...order.filter((id) => Object.hasOwn(all, id))] } }
}

/** Interface: only the labels of added classes give way. */
function uniqueLabels(
  kept: readonly [string, GlobalClass][],
  items: ClassList['items'],
  added: readonly string[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, ModifiedLabel> {
  const isNew = new Set(added)
  const unmoved = [...taken].filter((id) => !isNew.has(id)).map((id) => items[id]?.label ?? '')
  const labels = new Set([...kept.map(([, { label }]) => label), ...unmoved])
  const changed = new Map<string, ModifiedLabel>()
  for (const id of isNew) {
    if (!taken.has(id)) continue
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
