import type { Storage } from 'site-api'
import { type BetterSqlite3Database, betterSqlite3Storage } from 'site-api/storage/better-sqlite3'

declare const database: BetterSqlite3Database
export const storage: Storage = betterSqlite3Storage(database, { reader: database })
// @ts-expect-error it takes a database that is open
betterSqlite3Storage('site.db')
