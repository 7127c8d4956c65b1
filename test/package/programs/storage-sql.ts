import type { Storage } from 'site-api'
import { type SqlSession, sqlStorage } from 'site-api/storage/sql'

declare const session: SqlSession
export const storage: Storage = sqlStorage({ dialect: 'postgres', session, schema: 'site' })
// @ts-expect-error there are two dialects
sqlStorage({ dialect: 'mysql', session })
