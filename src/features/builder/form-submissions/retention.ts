/** How long the submissions of each form are kept. */

import type { Json, Storage, Where } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { bringForward } from '../../../core/pipeline/scheduled-tasks.ts'
import { submissionsCollection, textAt } from './model.ts'
import { removeSubmissions, task } from './write.ts'

/** A rule for one form, or for all that have none. */
export interface FormRetention {
  readonly form?: { readonly postId: number; readonly elementId: string }
  /** Null: for ever, or until they are removed otherwise. */
  readonly days: number | null
}

const option = 'form_retention'
/** The rule of all forms that have none. */
const others = '*'
const dayMs = 24 * 60 * 60 * 1000
const windowSize = 500

type Rules = { readonly [form: string]: number }

async function readRules({ options }: Storage): Promise<{ readonly stored: Json; readonly rules: Rules }> {
  const stored = (await options.read([option]))[option] ?? null
  // The cast: only `changeRetention` writes the option.
  return { stored, rules: (stored ?? {}) as Rules }
}

export const hasRetention = async (storage: Storage): Promise<boolean> =>
  Object.keys((await readRules(storage)).rules).length > 0

export async function changeRetention({ storage, app }: HookContext, { form, days }: FormRetention): Promise<void> {
  if (days !== null && !(Number.isFinite(days) && days > 0)) {
    throw new TypeError(`days is a number above 0 or null, not ${days}`)
  }
  const key = form ? `${form.postId}_${form.elementId}` : others
  for (;;) {
    const { stored, rules } = await readRules(storage)
    const { [key]: _before, ...rest } = rules
    const next = days === null ? rest : { ...rest, [key]: days }
    if (await storage.options.swap(option, stored, Object.keys(next).length > 0 ? next : null)) break
  }
  await bringForward(storage, task, app.clock())
}

/** Removes submissions that are older than the rule of their form. */
export async function removeExpired(context: HookContext): Promise<void> {
  const { rules } = await readRules(context.storage)
  const own = Object.keys(rules).filter((key) => key !== others)
  for (const [key, days] of Object.entries(rules)) {
    const before: Where = { field: 'created_at', below: textAt(context.app.clock() - days * dayMs) }
    const forms: Where = key === others ? { not: { some: own.map(ofForm) } } : ofForm(key)
    await removeAll(context, { every: [before, forms] })
  }
}

function ofForm(key: string): Where {
  const [post = '', ...element] = key.split('_')
  return {
    every: [
      { field: 'element_id', is: element.join('_') },
      { field: 'post_id', is: Number(post) },
    ],
  }
}

async function removeAll(context: HookContext, where: Where): Promise<void> {
  for (;;) {
    const { rows } = await context.storage.records.query(submissionsCollection, { where, limit: windowSize })
    await removeSubmissions(
      context,
      rows.map(({ id }) => id),
    )
    if (rows.length < windowSize) return
  }
}
