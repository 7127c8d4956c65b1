/** The part of the package that the tests use. It has no types. */
declare module 'better-sqlite3' {
  import type { BetterSqlite3Database } from '../../src/storage/drivers/better-sqlite3.ts'

  export default class Database implements BetterSqlite3Database {
    constructor(file: string, options?: { readonly?: boolean })
    prepare: BetterSqlite3Database['prepare']
    readonly inTransaction: boolean
    close(): this
  }
}
