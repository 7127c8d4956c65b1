/** Starts PgBouncer of the system in transaction mode, in front of a server. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Pooler {
  /** The same database, reached through the pooler. */
  readonly url: string
  stop(): Promise<void>
}

const candidates = ['pgbouncer', '/usr/sbin/pgbouncer']
const find = () => candidates.find((name) => spawnSync(name, ['--version']).status === 0)

/** Installs it by apt where that is possible. Undefined, with a line that says so, where it is not. */
export function pgbouncer(): string | undefined {
  const found = find()
  if (found !== undefined) return found
  if (process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['install', '-y', 'pgbouncer'], { env, stdio: 'ignore', timeout: 120_000 })
  }
  const installed = find()
  if (installed === undefined) console.warn('skipped: there is no PgBouncer (apt-get install -y pgbouncer)')
  return installed
}

/** Fewer connections to the server than clients have, so that transactions of one client run on several. */
const poolSize = 4

export async function startPooler(program: string, serverUrl: string): Promise<Pooler> {
  const { port: serverPort, username, password, pathname } = new URL(serverUrl)
  const folder = mkdtempSync(join(tmpdir(), 'site-api-pooler-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const settings = [
    '[databases]',
    `${pathname.slice(1)} = host=127.0.0.1 port=${serverPort} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 200',
    // The connection that was used least recently is next: what a session keeps would be noticed at once.
    'server_round_robin = 1',
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${settings.join('\n')}\n`, { mode: 0o644 })
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const closed = once(child, 'close')
  await started(child)
  const url = new URL(serverUrl)
  url.port = String(port)
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGKILL')
      await closed
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function started(child: ReturnType<typeof spawn>): Promise<void> {
  let printed = ''
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (part: Buffer) => {
      printed = (printed + part).slice(-4000)
      if (printed.includes('process up')) resolve()
    })
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`pgbouncer ended with ${code}: ${printed}`)))
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
