/** Writes changes of global classes. */
import type { Context } from '../../../core/declare/context.ts'
import { result } from '../../../core/declare/result.ts'
import { enveloped } from '../../shared/envelope.ts'
import { changeKit } from '../../shared/kit.ts'
import { type ClassChanges, type ClassContext, classesPart, classListOf, limits, mergeChanges } from './model.ts'
import { removeFromDocuments } from './usage.ts'
import { limitExceeded } from './validation.ts'

export async function saveClasses(context: Context<{ readonly context: ClassContext }>, changes: ClassChanges) {
  const { args, storage, emit } = context
  const { context: copy } = args
  const { labels, isChanged, removed } = await changeKit(storage, classesPart, (stored) => {
    const before = classListOf(stored, copy)
    const { list, labels } = mergeChanges(before, changes)
    const [count, countBefore] = [Object.keys(list.items).length, Object.keys(before.items).length]
    if (count > limits.classes && count > countBefore) throw limitExceeded(count)
    const next = copy === 'preview' ? { ...stored, preview: list } : { live: list, preview: null }
    const isChanged = JSON.stringify(next) !== JSON.stringify(stored)
    const removed = copy === 'frontend' ? changes.deleted.filter((id) => Object.hasOwn(before.items, id)) : []
    return { ...(isChanged ? { next } : {}), answer: { labels, isChanged, removed } }
  })
  if (isChanged) {
    await removeFromDocuments(context, removed)
    const { added, modified, deleted } = changes
    emit('global-classes.changed', { context: copy, added, modified, deleted })
  }
  if (labels.size === 0) return result(null, { status: 204 })
  return enveloped({ code: 'DUPLICATED_LABEL', modifiedLabels: Object.fromEntries(labels) })
}
