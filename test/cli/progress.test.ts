/** Commands show on a terminal how far they are. */
import { expect, test } from 'vitest'
import { importText, progressLine, progressOf } from '../../src/cli/progress.ts'

function terminal(isTTY = true) {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) > 0 }
}

test('says how much of a total is done, in one line that goes at the end', () => {
  const stream = terminal()
  const progress = progressOf(stream, 'checking')
  for (const done of [0, 3, 4]) progress?.(done, 4)
  expect(stream.written).toEqual(['\r\x1b[Kchecking 0 of 4 ', '\r\x1b[Kchecking 3 of 4 ', '\r\x1b[K'])
})

test('says nothing of short work, and nothing where no terminal is', () => {
  const stream = terminal()
  progressOf(stream, 'reading', { least: 1000 })?.(1, 999)
  expect(stream.written).toEqual([])
  expect(progressOf(terminal(false), 'reading')).toBeUndefined()
  expect(progressLine(terminal(false))).toBeUndefined()
})

test('an import tells its items with the size of the export, and then its files', () => {
  expect(importText({ items: 20, bytes: 1_500_000 }, 12_000_000)).toBe('20 items, 1.5 of 12.0 MB')
  expect(importText({ items: 20, bytes: 1_500_000 })).toBe('20 items, 1.5 MB')
  expect(importText({ items: 20, bytes: 1, files: { done: 3, total: 8 } }, 2)).toBe('3 of 8 files')
})
