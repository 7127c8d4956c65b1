/** Tables that are read with names from requests and documents find their own entries only. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { listed } from '../support/assertion-messages.ts'

const root = resolve(import.meta.dirname, '../..')

/** Scripts of browsers and the rooms that import nothing from the contract read their tables with `Object.hasOwn`. */
const isApart = (file: string) => /^src\/(?:html|client|testing)\/|\/browser\//.test(file)

const literalTable = /^(?:export )?const (\w+): \{\s*readonly \[\w+: string\]\??: [^=]*(?:=>[^=]*)*= \{/gm

test('a table with any names as keys has no prototype', () => {
  const sources = globSync('{src,adapters}/**/*.ts', { cwd: root }).filter((file) => !isApart(file))
  const wrong = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(literalTable)].map(
      ([, name]) => `${file}: make ${name} with lookupTable of src/contract/lookup-table.ts`,
    ),
  )
  expect(wrong, listed('An object literal also finds "constructor":', wrong)).toEqual([])
})
