/** The first text rules were replaced as a whole: neither their files nor the names that they exported may come back. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

const files = [
  'src/render/text/allow-list.ts',
  'src/render/text/filter.ts',
  'src/render/text/lazy-media.ts',
  'src/render/text/markup.ts',
  'src/render/text/safe-values.ts',
  'src/site/strip-tags.ts',
]

const names = [
  'ENTITIES',
  'STYLES_WITH_ADDRESS',
  'STYLES_WITH_GRADIENT',
  'contentElements',
  'endOfMarkup',
  'excerptBlocks',
  'excerptSource',
  'firstWords',
  'lazyMedia',
  'mapMarkup',
  'sanitizeContent',
  'sanitizeTitle',
  'titleElements',
]

test('the files of the removed text rules are gone', () => {
  expect(files.filter((file) => existsSync(join(root, file)))).toEqual([])
})

test('no source uses a name of the removed text rules', () => {
  const word = new RegExp(`\\b(?:${names.join('|')})\\b`)
  const sources = globSync('{src,adapters}/**/*.ts', { cwd: root })
  expect(sources.filter((file) => word.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
