import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createClient } from '@libsql/client'
import { neon, Pool } from '@neondatabase/serverless'
import { libsqlStorage } from 'site-api/storage/libsql'
import { neonStorage } from 'site-api/storage/neon'
import { pgliteStorage } from 'site-api/storage/pglite'

const url = process.env.DATABASE_URL ?? ''
const authToken = process.env.TURSO_AUTH_TOKEN ?? ''

export const inTurso = () => libsqlStorage(createClient({ url, authToken }))
export const inPglite = () => pgliteStorage(new PGlite('site-data', { extensions: { pg_trgm } }))
export const inNeon = () => neonStorage(new Pool({ connectionString: url }), { http: neon(url) })
