/** What the documents hold of the source stands there as it is now. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { madeDocuments } from '../../docs/tables.ts'
import { run } from '../cli/process.ts'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

test.each(Object.entries(madeDocuments()))('%s tells of the routes and choices that there are', (file, made) => {
  expect(read(file) === made, `${file} is out of date: run npx node docs/tables.ts`).toBe(true)
})

test('the usage in README.md is what the bin prints', async () => {
  const { out } = await run('help')
  expect(read('README.md')).toContain(out.trim())
})
