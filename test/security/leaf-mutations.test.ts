/**
 * Each value of each documented body, replaced by odd ones: no write of any route fails, on records that are there. The gate
 * sends every `LEAF_STEP`-th of them (default 48, in a full run 12); `LEAF_STEP=1` sends all.
 */
import { expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { listed } from '../support/assertion-messages.ts'
import { isFullRun } from '../support/generated-cases.ts'
import { mutationsOf } from '../support/leaf-mutations.ts'
import { examplesWithRecords, mutationTargets } from '../support/mutation-targets.ts'
import { failuresOf } from '../support/site.ts'
import { isFailure, openSampleSite } from './sample-site.ts'

const step = Number(process.env.LEAF_STEP ?? (isFullRun ? 12 : 48))
const first = Number(process.env.LEAF_FIRST ?? 0)

/** `LEAF_REPORT=1` prints what was answered, and which routes were written by. */
function report(answers: ReadonlyMap<number, number>, changed: ReadonlySet<string>): void {
  if (!process.env.LEAF_REPORT) return
  const sent = [...answers.values()].reduce((sum, count) => sum + count, 0)
  console.info(`${sent} mutated bodies`)
  console.info(Object.fromEntries(answers), [...changed].sort().join('\n'))
}

test('no value of a documented body makes a write fail', { timeout: 600_000 }, async () => {
  const { site, send } = await openSampleSite()
  const ask = async (...request: Parameters<typeof send>) => {
    const { status, text } = await send(...request)
    return { status, body: JSON.parse(text) }
  }
  const fields = [{ id: 'name', type: 'text', label: 'Name', value: 'M. Aldous' }]
  const form = { postId: site.ids['page.support'] ?? 1, elementId: '476d0ce', formName: 'Write', fields }
  const targets = mutationTargets(ask, {
    '/builder/v1/form-submissions': async () => (await site.api.site.submissions.add(form)).id,
  })
  const examples = await examplesWithRecords(ask)
  const failed: string[] = []
  const answers = new Map<number, number>()
  const changed = new Set<string>()
  for (const mutation of mutationsOf(full, { step, first, examples })) {
    const { method, readable, body, says } = mutation
    const path = await targets.pathOf(mutation)
    const { status } = await send(method, path, body)
    targets.answered(mutation, status)
    answers.set(status, (answers.get(status) ?? 0) + 1)
    if (status < 300) changed.add(`${method} ${readable}`)
    if (isFailure(status)) failed.push(`${says} -> ${status} ${failuresOf(site).at(-1) ?? ''}`)
    if (failed.length >= 200) break
  }
  await site.dispose()
  report(answers, changed)
  expect(failed, listed('These requests failed:', failed)).toEqual([])
  // The mutations have to get past the sign-in, and many past the argument checks.
  expect(answers.get(401) ?? 0).toBe(0)
  expect(answers.get(400) ?? 0).toBeGreaterThan(1200 / step)
  expect((answers.get(200) ?? 0) + (answers.get(201) ?? 0)).toBeGreaterThan(1200 / step)
  // Of 70 writes of the content interface, those of single records too.
  expect([...changed].filter((route) => route.includes(' /cms/v2/')).length).toBeGreaterThan(step > 12 ? 30 : 45)
})
