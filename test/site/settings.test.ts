/** The settings with the options that features declare. */
import { expect, test } from 'vitest'
import { SettingsReader } from '../../src/site/settings.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

const options = [
  { name: 'lights_seen', inSettings: 'shown' },
  { name: 'lights_due', inSettings: 'hidden' },
  { name: 'lights_lock' },
] as const

test('the settings have the stored values of declared options, and only of those that are read with them', async () => {
  const storage = memoryStorage()
  await storage.options.write({ lights_seen: 3, lights_lock: 'held' })
  const reader = new SettingsReader({ root: '/api' }, [...options, ...options])
  expect((await reader.read(storage)).options).toEqual({ lights_seen: 3, lights_due: null })
})

test('a change of a shown option makes new entity tags, one of a hidden option does not', async () => {
  const storage = memoryStorage()
  const reader = new SettingsReader({ root: '/api' }, options)
  const first = await reader.read(storage)
  await storage.options.write({ lights_due: 5, lights_lock: 'held' })
  const hidden = await reader.read(storage)
  expect([hidden.options['lights_due'], hidden.tag, hidden.generation]).toEqual([5, first.tag, first.generation])
  await storage.options.write({ lights_seen: 1 })
  const shown = await reader.read(storage)
  expect(shown.tag).not.toBe(first.tag)
  expect(shown.generation).toBe(first.generation + 1)
})
