/** Opens storages on the drivers of the package, each with the real database. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createClient } from '@libsql/client'
import { neon, neonConfig, Pool } from '@neondatabase/serverless'
import Database from 'better-sqlite3'
import type { Storage } from '../../src/contract/storage.ts'
import { betterSqlite3Storage } from '../../src/storage/drivers/better-sqlite3.ts'
import { libsqlStorage } from '../../src/storage/drivers/libsql.ts'
import { neonStorage } from '../../src/storage/drivers/neon.ts'
import { pgliteStorage } from '../../src/storage/drivers/pglite.ts'
import { isFullRun } from './generated-cases.ts'
import { startNeonServer } from './neon-server.ts'
import { newSchema, openPostgres, postgresPool, postgresUrl, takeSchema } from './postgres.ts'
import { emptyFile, type OpenStorage } from './storage.ts'

export interface DriverOptions {
  readonly searchIndex?: boolean
}

type Open = (options?: DriverOptions) => Promise<OpenStorage>

interface Driver {
  readonly open: Open
  /** The test project that runs its cases. */
  readonly project: 'sqlite' | 'postgres'
  /** One of so many cases in every run; a full run has all. */
  readonly oneOf: number
}

const drivers: { readonly [name: string]: Driver } = {
  'better-sqlite3 in memory': {
    project: 'sqlite',
    oneOf: 20,
    open: (options) => opened(betterSqlite3Storage(new Database(':memory:'), options)),
  },
  'better-sqlite3 with a reader': {
    project: 'sqlite',
    oneOf: 1,
    open: (options) =>
      inFile((file) =>
        betterSqlite3Storage(new Database(file), { ...options, reader: new Database(file, { readonly: true }) }),
      ),
  },
  'libSQL in memory': {
    project: 'sqlite',
    oneOf: 20,
    open: (options) => opened(libsqlStorage(createClient({ url: ':memory:' }), { ...options, isInMemory: true })),
  },
  'libSQL in a file': {
    project: 'sqlite',
    oneOf: 1,
    open: (options) => inFile((file) => libsqlStorage(createClient({ url: `file:${file}` }), options)),
  },
  'Neon over WebSockets': { project: 'postgres', oneOf: 20, open: (options) => openNeon(options) },
  'Neon with reads over HTTP': { project: 'postgres', oneOf: 20, open: (options) => openNeon(options, true) },
  // It takes seconds to start.
  PGlite: { project: 'sqlite', oneOf: 0, open: openPglite },
}

/** The drivers whose cases a test project runs: the name, one of how many cases, and the function that opens a storage. */
export const driversOf = (project: Driver['project']): [name: string, oneOf: number, open: Driver['open']][] =>
  Object.entries(drivers)
    .filter(([, driver]) => driver.project === project)
    .map(([name, { oneOf, open }]) => [name, isFullRun ? 1 : oneOf, open])

/** It takes seconds to start, so the cases share one and have a schema each. */
let database: Promise<PGlite> | undefined

async function openPglite(options?: DriverOptions): Promise<OpenStorage> {
  database ??= PGlite.create({ extensions: { pg_trgm } })
  const schema = newSchema()
  const shared = await database
  const storage = pgliteStorage({ ...sharedParts(shared), close: async () => undefined }, { ...options, schema })
  return opened(storage, async () => void (await shared.exec(`drop schema ${schema} cascade`)))
}

const sharedParts = (shared: PGlite) => ({
  query: (...parameters: Parameters<Parameters<typeof pgliteStorage>[0]['query']>) =>
    shared.query(...parameters) as ReturnType<Parameters<typeof pgliteStorage>[0]['query']>,
})

let neonPool: Promise<Pool> | undefined

/** The server and the pool are there for all cases: to sign in through a WebSocket takes as long as some of them. */
async function startNeon(): Promise<Pool> {
  const url = postgresUrl()
  const { hostname, port } = new URL(url)
  const { host } = await startNeonServer(postgresPool(), { host: hostname, port: Number(port) })
  neonConfig.wsProxy = () => `${host}/v1`
  neonConfig.useSecureWebSocket = false
  neonConfig.pipelineTLS = false
  neonConfig.pipelineConnect = false
  neonConfig.fetchEndpoint = `http://${host}/sql`
  return new Pool({ connectionString: url, allowExitOnIdle: true })
}

async function openNeon(options: DriverOptions = {}, overHttp = false): Promise<OpenStorage> {
  neonPool ??= startNeon()
  const pool = await neonPool
  const schema = takeSchema()
  const tables = await openPostgres({ ...options, schema })
  const query = overHttp ? { http: neon('postgres://user:secret@neon.test/site') } : {}
  const shared = { connect: () => pool.connect(), end: async () => undefined, on: () => undefined }
  const { storage, dispose } = await opened(neonStorage(shared, { ...options, ...query, schema }))
  return {
    storage,
    dispose: async () => {
      await dispose()
      await tables.dispose()
    },
  }
}

async function inFile(create: (file: string) => Storage): Promise<OpenStorage> {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-'))
  const file = join(folder, 'site.db')
  copyFileSync(await emptyFile(), file)
  return opened(create(file), () => rmSync(folder, { recursive: true, force: true }))
}

async function opened(storage: Storage, after: () => unknown = () => undefined): Promise<OpenStorage> {
  await storage.open?.()
  return {
    storage,
    dispose: async () => {
      await storage.close?.()
      await after()
    },
  }
}
