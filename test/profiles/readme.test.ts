/** The parts of the documents that are generated from the source are up to date. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describedOptions } from '../../docs/option-tables.ts'
import { madeDocuments } from '../../docs/tables.ts'
import { defaultLimits } from '../../src/core/declare/limits.ts'
import { listed } from '../support/assertion-messages.ts'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

test.each(Object.entries(madeDocuments()))('the generated parts of %s are up to date', (file, made) => {
  expect(read(file) === made, `${file} is out of date: run npx node docs/tables.ts`).toBe(true)
})

test('each option says what it means', () => {
  const missing = describedOptions().flatMap(({ title, options }) =>
    options.filter(({ text }) => text === '').map(({ name }) => `${title}: ${name}`),
  )
  expect(missing, listed('Write a comment for these options:', missing)).toEqual([])
})

test('the comments of the limits say the values that count', () => {
  const api = describedOptions().find(({ name }) => name === 'createSiteApi')
  const stated = new Map(api?.options.map((option) => [option.name, option.default]))
  for (const [name, value] of Object.entries(defaultLimits)) {
    const [number = '', unit = ''] = (stated.get(`limits.${name}`) ?? '').split(' ')
    const bytes = { '': 1, KiB: 1024, MiB: 1024 ** 2 }[unit] ?? 0
    expect(Number(number.replaceAll(',', '')) * bytes, name).toBe(value)
  }
})
