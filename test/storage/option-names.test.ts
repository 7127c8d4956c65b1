/** A misspelt option of a storage is refused before anything is opened. */
import { describe, expect, test } from 'vitest'
import { durableObjectStorage } from '../../src/storage/durable-object.ts'
import { idleStorage } from '../../src/storage/idle.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { checkPostgres, migratePostgres, postgresStorage } from '../../src/storage/postgres.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'

const url = 'postgres://localhost/none'
const creations: [string, () => unknown, string][] = [
  [
    'sqliteStorage',
    () => sqliteStorage(':memory:', { searchindex: false } as never),
    'searchindex of sqliteStorage: did you mean searchIndex?',
  ],
  [
    'an option of another storage',
    () => sqliteStorage(':memory:', { timeouts: {} } as never),
    'timeouts of sqliteStorage: the options of sqliteStorage are durability, searchIndex, onStatement',
  ],
  [
    'postgresStorage',
    () => postgresStorage(url, { shema: 'a' } as never),
    'shema of postgresStorage: did you mean schema?',
  ],
  [
    'a timeout',
    () => postgresStorage(url, { timeouts: { lockMS: 5 } } as never),
    'lockMS of timeouts: did you mean lockMs?',
  ],
  [
    'durableObjectStorage',
    () => durableObjectStorage({} as never, { searchIndexes: false } as never),
    'searchIndexes of durableObjectStorage: did you mean searchIndex?',
  ],
  [
    'idleStorage',
    () => idleStorage(sqliteStorage(':memory:'), { idlems: 5 } as never),
    'idlems of idleStorage: did you mean idleMs?',
  ],
  ['memoryStorage', () => memoryStorage({ file: 'a' } as never), 'file of memoryStorage: it has none.'],
]

describe('a storage refuses an unknown option', () => {
  test.each(creations)('%s', (_, create, sentence) => {
    expect(create).toThrow(new TypeError(`There is no option ${sentence}`))
  })

  test('also when it is migrated or checked', async () => {
    const options = { repairs: true } as never
    await expect(migratePostgres(url, options)).rejects.toThrow('There is no option repairs of migratePostgres')
    expect(() => checkPostgres(url, options)).toThrow(
      'There is no option repairs of checkPostgres: did you mean repair?',
    )
  })
})
