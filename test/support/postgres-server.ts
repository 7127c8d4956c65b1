/** Starts the PostgreSQL server of a devDependency in a temporary folder on a free port. */
import { once } from 'node:events'
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createPlace, type Place } from './postgres-programs.ts'

interface PostgresServer {
  readonly url: string
  /** Kills the server with SIGKILL and restarts it, so that it runs its recovery. */
  crash(): Promise<void>
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

/** Much faster; data is lost only if the machine itself crashes. */
const unsafeButFast = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']

export interface ServerOptions {
  readonly isDurable?: boolean
  /** `shared_buffers=1GB` and the like. */
  readonly settings?: readonly string[]
}

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-postgres-'))
  // The server runs as another user if the tests run as root.
  chmodSync(folder, 0o755)
  const settings = [
    ...['max_connections=200', 'listen_addresses=127.0.0.1'],
    ...(options.isDurable ? [] : unsafeButFast),
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
    await restart(server)
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    crash: async () => {
      await end(server, 'SIGKILL')
      server = await startAgain(place, args)
    },
    stop: async () => {
      // A fast shutdown: PostgreSQL disconnects its clients.
      await end(server, 'SIGINT')
      removeAtExit()
    },
  }
}

/** Retries: the child processes of the killed server must end before a new one can start. */
async function restart(server: EmbeddedPostgres): Promise<void> {
  for (const deadline = Date.now() + 30_000; ; ) {
    try {
      return await startServer(place, args)
    } catch (error) {
      if (Date.now() > deadline) throw new Error('the server did not start again', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** Also when the tests are interrupted, or fail before they stop the server. The result removes it at once. */
function removeAtEndOf({ folder }: Place, kill: () => void): () => void {
  const remove = () => {
    process.off('exit', remove)
    for (const signal of signals) process.off(signal, onSignal)
    kill()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.on('exit', remove)
  for (const signal of signals) process.on(signal, onSignal)
  return remove
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Without a listener a signal ends the process with no event of its exit. */
const onSignal = () => process.exit(1)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('there is no free port')
  return address.port
}
