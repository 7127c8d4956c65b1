/** The parts of the documents that are generated from the source are up to date. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { madeDocuments } from '../../docs/tables.ts'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

test.each(Object.entries(madeDocuments()))('the generated parts of %s are up to date', (file, made) => {
  expect(read(file) === made, `${file} is out of date: run npx node docs/tables.ts`).toBe(true)
})
