/** The global classes that a template file brings along. */
import { isObject, randomElementId } from '../../shared/elements.ts'
import { changeKit } from '../../shared/kit.ts'
import {
  type ClassList,
  classesPart,
  type GlobalClass,
  limitExceeded,
  limits,
  mergeChanges,
  readClass,
} from '../global-classes/model.ts'
import { type DesignContext, type Ids, nothingTaken, reportLeftOut, type Taken } from './taken-design.ts'

type Brought = readonly (readonly [id: string, item: unknown])[]

/** Returns the ids of this site. Throws 400 where it would have more classes than it may. */
export async function takeClasses(context: DesignContext, brought: Brought, order: readonly string[]): Promise<Ids> {
  if (brought.length === 0) return new Map()
  const mayAdd = context.user.can('builder_global_classes_update_class')
  const { ids, added, refused } = await changeKit(context.storage, classesPart, (stored) => {
    const { live, preview } = stored
    const taken = takenFrom(brought, [live, ...(preview ? [preview] : [])], mayAdd)
    if (taken.added.length === 0) return { answer: taken }
    const sent = order.flatMap((id) => taken.ids.get(id) ?? [])
    const next = {
      live: withAdded(live, taken.added, sent),
      preview: preview && withAdded(preview, taken.added, sent),
    }
    return { next, answer: taken }
  })
  if (added.length > 0) {
    const changed = { added: added.map(({ id }) => id), modified: [], deleted: [] }
    context.emit('global-classes.changed', { context: 'frontend', ...changed })
  }
  for (const [id, why] of refused) reportLeftOut(context, 'global_classes', id, why)
  return ids
}

function takenFrom(brought: Brought, lists: readonly ClassList[], mayAdd: boolean): Taken<GlobalClass> {
  const taken: Taken<GlobalClass> = nothingTaken()
  const { ids, added, refused } = taken
  const isTaken = (id: string) =>
    added.some((one) => one.id === id) || lists.some(({ items }) => Object.hasOwn(items, id))
  const take = (id: string, read: GlobalClass) => {
    let own = id
    while (isTaken(own)) own = `g-${randomElementId()}`
    added.push({ ...read, id: own })
    ids.set(id, own)
  }
  const refuse = (id: string, why: string) => {
    refused.set(id, why)
    if (isTaken(id)) ids.set(id, undefined)
  }
  for (const [id, given] of brought) {
    const read = readClass(id, given)
    if (typeof read === 'string') refuse(id, read)
    else {
      const known = knownClass(lists[0], id, read)
      if (known !== undefined) ids.set(id, known)
      else if (mayAdd) take(id, read)
      else refuse(id, 'you may not add global classes')
    }
  }
  return taken
}

/** A label that the site has already is changed, as for a class that a client adds. */
function withAdded(list: ClassList, added: readonly GlobalClass[], order: readonly string[]): ClassList {
  const items = Object.fromEntries(added.map((one) => [one.id, one]))
  const changes = { items, order, added: Object.keys(items), modified: [], deleted: [] }
  const merged = mergeChanges(list, changes).list
  const count = Object.keys(merged.items).length
  if (count > limits.classes) throw limitExceeded(count)
  return merged
}

function knownClass(list: ClassList | undefined, id: string, wanted: GlobalClass): string | undefined {
  const items = list?.items ?? {}
  const look = ({ label, variants }: GlobalClass) => sameText([label, variants])
  const [own, target] = [Object.hasOwn(items, id) ? items[id] : undefined, look(wanted)]
  if (own && look(own) === target) return id
  return Object.entries(items).find(([, one]) => look(one) === target)?.[0]
}

/** Storages may return the members of an object in any order. */
const sameText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
