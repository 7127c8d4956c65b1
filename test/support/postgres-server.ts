/** A PostgreSQL server of our own, from a devDependency: started in a temporary folder on a free port. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { createPlace, type Place } from './postgres-programs.ts'

/** A copy of a server that follows it and only reads, until it is promoted. */
export interface Standby {
  readonly url: string
  /** Kills it without a warning. */
  kill(): Promise<void>
  /** Starts it again. */
  restart(): Promise<void>
  stop(): Promise<void>
}

interface StandbyOptions {
  /** False: a commit is acknowledged before the standby has it. Default: when the standby shows it. */
  readonly isAwaited?: boolean
}

interface PostgresServer {
  readonly url: string
  /** Starts a standby that follows this server. */
  standby(options?: StandbyOptions): Promise<Standby>
  /** Kills it for good. */
  kill(): Promise<void>
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
  const place = createPlace()
  let server: ChildProcess | undefined
  const removeAtExit = removeAtEndOf(place, () => server?.kill('SIGKILL'))
  const password = crypto.randomUUID()
  await initialize(place, password)
  const port = await freePort()
  const settings = [
    ...['max_connections=200', 'listen_addresses=127.0.0.1'],
    ...(options.isDurable ? [] : forgetful),
    ...(options.settings ?? []),
  ]
  // No socket file: its path would be too long in some temporary folders.
  const args = ['-D', dataOf(place), '-p', `${port}`, '-k', '', ...settings.flatMap((setting) => ['-c', setting])]
  server = await startServer(place, args)
  let standbys = 0
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    standby: (options) => startStandby(place, { port, password, settings, name: `standby-${++standbys}`, ...options }),
    kill: () => end(server, 'SIGKILL'),
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

const dataOf = ({ folder }: Place) => join(folder, 'data')

interface StandbyOf extends StandbyOptions {
  readonly name: string
  /** The port of the primary. */
  readonly port: number
  readonly password: string
  readonly settings: readonly string[]
}

/** A base backup of the running server by copying its folder, for which PostgreSQL has a mode; the package lacks pg_basebackup. */
async function startStandby(
  place: Place,
  { name, port: primary, password, settings, isAwaited = true }: StandbyOf,
): Promise<Standby> {
  const { folder, owner } = place
  const data = join(folder, name)
  mkdirSync(data, { mode: 0o700 })
  if (owner) chownSync(data, owner.uid, owner.gid)
  const url = (port: number) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const client = new pg.Client({ connectionString: url(primary) })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    // Files that end while they are copied are no problem: the log has what happened to them.
    spawnSync('cp', ['-a', `${dataOf(place)}/.`, data], { ...owner, cwd: folder })
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    const files = { backup_label: String(rows[0]?.labelfile), 'standby.signal': '' }
    for (const [file, text] of Object.entries(files)) {
      writeFileSync(join(data, file), text, { mode: 0o600 })
      if (owner) chownSync(join(data, file), owner.uid, owner.gid)
    }
    for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, file), { force: true })
    const port = await freePort()
    const source = `primary_conninfo=host=127.0.0.1 port=${primary} user=postgres password=${password}`
    const all = [...settings, source].flatMap((setting) => ['-c', setting])
    const args = ['-D', data, '-p', `${port}`, '-k', '', ...all]
    let server = await startServer(place, args)
    if (isAwaited) {
      await client.query(`alter system set synchronous_commit = 'remote_apply'`)
      await client.query(`alter system set synchronous_standby_names = '*'`)
      await client.query('select pg_reload_conf()')
    }
    return {
      url: url(port),
      kill: () => end(server, 'SIGKILL'),
      restart: async () => {
        server = await startAgain(place, args)
      },
      stop: () => end(server, 'SIGINT'),
    }
  } finally {
    await client.end()
  }
}

/**
 * The locale of the environment may not be installed, and what the search index knows follows from the locale: the first of
 * these that the machine has. `C` is always there, but knows no letters beyond ASCII.
 */
const locales = ['C.UTF-8', 'en_US.UTF-8', 'C']

async function initialize(place: Place, password: string): Promise<void> {
  const { folder, owner } = place
  const data = dataOf(place)
  const passwordFile = join(folder, 'password')
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (owner) for (const path of [data, passwordFile]) chownSync(path, owner.uid, owner.gid)
  const args = [`--pgdata=${data}`, `--pwfile=${passwordFile}`, '--username=postgres', '--auth=password']
  const problems: string[] = []
  for (const locale of locales) {
    const { child, output } = launch(place, 'initdb', [...args, '--encoding=UTF8', '--no-sync', `--locale=${locale}`])
    const [code] = await once(child, 'close')
    if (code === 0) return rmSync(passwordFile)
    problems.push(`with locale ${locale} it ended with ${code}: ${output()}`)
  }
  throw new Error(`initdb failed; ${problems.join('\n')}`)
}

/** Until it accepts connections; rejects with what it printed when it ends before. */
async function startServer(place: Place, args: readonly string[]): Promise<ChildProcess> {
  const { child, output } = launch(place, 'postgres', args)
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', () => {
      if (/ready to accept (?:read-only )?connections/.test(output())) resolve()
    })
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`postgres ended with ${code}: ${output()}`)))
  })
  return child
}

const mostOutput = 4000

interface Launched {
  readonly child: ChildProcess
  /** The end of what it printed. */
  readonly output: () => string
}

function launch({ folder, programs, owner }: Place, program: string, args: readonly string[]): Launched {
  // The owner may not be able to enter the current folder.
  const child = spawn(join(programs, program), args, { ...owner, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-mostOutput)
    })
  }
  return { child, output: () => text }
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

/** The processes of the killed one notice its end by and by, and no other starts before. */
async function startAgain(place: Place, args: readonly string[]): Promise<ChildProcess> {
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
