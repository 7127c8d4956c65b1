/** The conformance cases write a report that tools read as JSON. */
import { describe, expect, test } from 'vitest'
import { type Storage, StorageConflict } from '../../src/storage/entry.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { conformanceCases, conformanceReport } from '../../src/testing/index.ts'

function withoutAtomic(): Storage {
  const { atomic: _atomic, changes: _changes, readChanges: _readChanges, ...storage } = memoryStorage()
  return storage
}

// Always of the memory storage, so it runs only in the memory project.
describe.runIf(process.env.TEST_STORAGE === 'memory')('the report', () => {
  test('has one result for each case, and survives JSON', async () => {
    const report = await conformanceReport(() => memoryStorage())
    expect(report).toMatchObject({ passed: conformanceCases.length, failed: 0, skipped: 0 })
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
    expect(report.cases.map((one) => one.case)).toEqual(conformanceCases.map(({ name }) => name))
    expect(report.cases.every(({ ms, reason }) => Number.isInteger(ms) && reason === null)).toBe(true)
  })

  test('states why a case was skipped', async () => {
    const { failed, skipped, cases } = await conformanceReport(withoutAtomic)
    expect(failed).toBe(0)
    expect(skipped).toBe(conformanceCases.filter(({ needs }) => needs === 'atomic' || needs === 'changes').length)
    expect(cases.filter(({ outcome }) => outcome === 'skipped').map(({ reason }) => reason)).toContain(
      'the storage leaves out atomic',
    )
  })

  test('states why a case failed, and goes on', async () => {
    const { failed, passed, cases } = await conformanceReport(() => {
      const storage = memoryStorage()
      const insert = () => {
        throw new StorageConflict('slug')
      }
      return { ...storage, terms: { ...storage.terms, insert } }
    })
    expect(failed).toBeGreaterThan(0)
    expect(passed).toBeGreaterThan(0)
    expect(cases.find(({ outcome }) => outcome === 'failed')?.reason).toContain('another row has this slug')
  })

  test('is complete when no storage can be opened', async () => {
    const report = await conformanceReport(() => Promise.reject(new Error('no database')))
    expect(report).toMatchObject({ passed: 0, failed: conformanceCases.length })
    expect(report.cases[0]).toMatchObject({ outcome: 'failed', reason: 'no database' })
  })
})
