/** `collectionsOf` lists all collections: a role that may not create indexes can write none that it leaves out. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collectionsOf } from '../../src/host/stored-data.ts'
import { full } from '../../src/profiles/full.ts'

const sources = join(import.meta.dirname, '../../src')
const declaration = /: Collection = \{\s*name: '(\w+)'|= deliveryCollection\(\s*'(\w+)'/g

test('collectionsOf the profile with all features lists each collection that the sources declare', () => {
  const declared = globSync('**/*.ts', { cwd: sources })
    .filter((file) => !file.startsWith('testing/'))
    .flatMap((file) => [...readFileSync(join(sources, file), 'utf8').matchAll(declaration)])
    .map(([, name, delivery]) => name ?? delivery)
  expect(declared).toContain('image_jobs')
  expect([...new Set(collectionsOf(full).map(({ name }) => name))].sort()).toEqual(declared.sort())
})
