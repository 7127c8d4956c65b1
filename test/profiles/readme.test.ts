/** What the documents hold of the source stands there as it is now. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { madeDocuments } from '../../docs/tables.ts'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

test.each(Object.entries(madeDocuments()))(
  '%s says of routes, choices, events and commands what is there',
  (file, made) => {
    expect(read(file) === made, `${file} is out of date: run npm run docs`).toBe(true)
  },
)
