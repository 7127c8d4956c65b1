/** A storage as of a moment answers every query as the storage did at that moment. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Storage } from '../../src/contract/storage.ts'
import { observedStorage } from '../../src/core/changes/observed-storage.ts'
import { HistoryRecorder } from '../../src/features/integration/history/observe.ts'
import { readPast } from '../../src/features/integration/history/past.ts'
import { storageAsOf } from '../../src/storage/as-of/index.ts'
import { postValues, termValues } from '../../src/testing/content.ts'
import { casesOf, isFullRun } from '../support/generated-cases.ts'
import { openStorage } from '../support/storage.ts'
import { content, type Step, shelf, step, text, types, write } from './generated-content.ts'
import { generatedReads, readOnly } from './generated-reads.ts'
import { type Snapshot, snapshotOf, sortedRows } from './snapshot.ts'

const scope = {
  collections: new Map([[shelf.name, shelf]]),
  leftOutOptions: new Set(['history_since']),
  derivedOptions: [],
}
const retention = { count: 100_000, days: 100 }

const longText = fc.string({ minLength: 0, maxLength: 400, unit: fc.constantFrom('a', '😀', '😁', 'é', ' ') })
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)))
const row = fc.integer({ min: 1, max: 30 })
const byId = { order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const
let made = 0

const another: fc.Arbitrary<Step> = fc.oneof(
  longText.map(
    (value): Step =>
      ({ posts }) =>
        posts.insert([postValues({ content: value, slug: `made-${made++}` })]),
  ),
  fc.tuple(row, longText).map(
    ([id, value]): Step =>
      ({ posts }) =>
        posts.update([{ id, changes: { content: value } }]),
  ),
  text.map(
    (name): Step =>
      ({ terms }) =>
        terms.insert([termValues(`made-${made++}`, { name, parent: 2 })]),
  ),
  fc
    .tuple(
      fc.constantFrom('post' as const, 'term' as const),
      row,
      fc.constantFrom('a', 'b'),
      fc.option(fc.oneof(json, longText)),
    )
    .map(
      ([owner, id, key, value]): Step =>
        async ({ posts, terms, meta }) => {
          const found = owner === 'post' ? await posts.read([id]) : (await terms.query({ ids: [id], ...byId })).rows
          // A new row has no meta: values without a row are lost to the history when one gets their id.
          if (found.length > 0) await meta.write(owner, [{ id, key, value }])
        },
    ),
  fc.tuple(fc.constantFrom('x', 'y'), fc.option(json)).map(
    ([name, value]): Step =>
      ({ options }) =>
        options.write({ [name]: value }),
  ),
  row.map(
    (id): Step =>
      ({ records }) =>
        records.remove(shelf, { field: 'id', is: id }),
  ),
  row.map(
    (size): Step =>
      ({ records }) =>
        records.insert(shelf, [{ size: size % 4 }]),
  ),
)
const steps = fc.array(fc.oneof(step, another), { minLength: 1, maxLength: 25, size: 'max' })

async function stateOf(storage: Storage): Promise<Snapshot> {
  const state = await snapshotOf(storage, shelf)
  state.delete('options history_since')
  return state
}

// The others agree with memory: they are asked in a full run.
test.runIf(isFullRun || process.env.TEST_STORAGE === 'memory')(
  'a storage as of a moment answers as the storage did',
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(content, steps, generatedReads, async (start, edits, reads) => {
        const { storage: plain, dispose } = await openStorage()
        let now = Date.UTC(2026, 0, 1)
        const recorder = new HistoryRecorder({ scope, retention, clock: () => now })
        const storage = observedStorage(
          plain,
          [{ wants: recorder.wants.bind(recorder), beforeCommit: recorder.beforeCommit.bind(recorder) }],
          () => types,
        )
        try {
          // Users are those of now: without one, none changes.
          await write(storage, { ...start, users: [] })
          const moments: { at: number; answers: unknown[]; state: Snapshot }[] = []
          const seen = { ...reads, users: [] }
          for (const [index, edit] of edits.entries()) {
            if (index % 6 === 0)
              moments.push({ at: now, answers: await readOnly(storage, seen), state: await stateOf(storage) })
            now += 1000
            try {
              await edit(storage)
            } catch {
              // A conflict: nothing is written.
            }
          }
          for (const { at, answers, state } of moments) {
            const then = storageAsOf(storage, await readPast(storage, new Date(at).toISOString()))
            const found = await readOnly(then, seen)
            for (const [index, answer] of answers.entries()) expect(found[index]).toEqual(answer)
            expect(sortedRows(await stateOf(then))).toEqual(sortedRows(state))
          }
        } finally {
          await dispose()
        }
      }),
      { numRuns: casesOf(60, 1 / 4) },
    )
  },
)
