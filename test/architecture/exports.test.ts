/** Names that only their own file uses are not exported: an export says that others depend on it. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { listed } from '../support/assertion-messages.ts'

/** Hosts import what these export. */
const entries = new Set<string>(Object.values(packageJson.tsup.entry))

const exported = /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm

test('an exported name occurs in another file', () => {
  const files = globSync('{src,adapters,test,bench,docs,build}/**/*.ts').map((file) => {
    const text = readFileSync(file, 'utf8')
    return { file, text, words: new Set(text.match(/\w+/g)) }
  })
  const filesWith = new Map<string, number>()
  for (const { words } of files) for (const word of words) filesWith.set(word, (filesWith.get(word) ?? 0) + 1)
  const unused = files.flatMap(({ file, text }) =>
    /^(?:src|adapters)\//.test(file) && !entries.has(file)
      ? [...text.matchAll(exported)].flatMap(([, name = '']) => (filesWith.get(name) === 1 ? [`${file}: ${name}`] : []))
      : [],
  )
  expect(unused, listed('Drop the export, or the code, of these names:', unused)).toEqual([])
})
