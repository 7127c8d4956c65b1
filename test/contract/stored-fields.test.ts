/** Everything that follows from a table of stored fields has each of its rows. */
import { expect, test } from 'vitest'
import { blankOf, namesWith, type StoredFields } from '../../src/contract/fields/stored-field.ts'
import { firstColumns } from '../../src/storage/sql/engine/columns.ts'
import { rowReader } from '../../src/storage/sql/engine/fields.ts'

const boats = {
  name: { kind: 'text', column: 'name', isFolded: true, isRevisioned: true },
  homePort: { kind: 'text', column: 'home_port', isNullable: true },
  length: { kind: 'integer', column: 'length', default: 7 },
  isMoored: { kind: 'boolean', column: 'is_moored', default: false, inDocuments: true },
  crew: { kind: 'texts', column: 'crew', default: ['Ada'] },
  lights: { kind: 'flags', column: 'lights', default: {}, since: 1 },
} as const satisfies StoredFields

test('a blank row has the defaults of the fields that have one', () => {
  expect(blankOf(boats)).toEqual({ length: 7, isMoored: false, crew: ['Ada'], lights: {} })
})

test('fields are found by their mark', () => {
  expect(namesWith(boats, 'isRevisioned')).toEqual(['name'])
  expect(namesWith(boats, 'inDocuments')).toEqual(['isMoored'])
})

test('the first schema has the columns of all fields but those that were added later', () => {
  const types = { text: 'text', integer: 'bigint', boolean: 'smallint', texts: 'jsonb', flags: 'text' }
  expect(firstColumns(boats, types)).toEqual([
    'name text not null',
    'name_folded text not null',
    'home_port text',
    'length bigint not null',
    'is_moored smallint not null',
    'crew jsonb not null',
  ])
})

test('a row is read as the values of its fields', () => {
  const { columns, read } = rowReader(boats)
  expect(columns).toEqual(['name', 'home_port', 'length', 'is_moored', 'crew', 'lights'])
  expect(read(['Wren', null, 9, 1, '["Ada","Bo"]', '{"port":true}'])).toEqual({
    name: 'Wren',
    homePort: null,
    length: 9,
    isMoored: true,
    crew: ['Ada', 'Bo'],
    lights: { port: true },
  })
})
