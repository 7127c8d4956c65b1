/** The package in workerd, the runtime of Cloudflare Workers, bundled as its tools do. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker-bundle.js")],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["nodejs_compat"],
);
`

/** The problems that a site in the worker has. */
export async function inWorkerd(folder: string): Promise<readonly string[]> {
  await build({
    entryPoints: [join(folder, 'worker.js')],
    outfile: join(folder, 'worker-bundle.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['workerd', 'worker'],
    logLevel: 'error',
  })
  writeFileSync(join(folder, 'workerd.capnp'), config)
  const workerd = spawn(join(folder, 'node_modules/.bin/workerd'), ['serve', 'workerd.capnp', '--control-fd=1'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const port = await portOf(workerd)
    const listed = await fetch(`http://127.0.0.1:${port}/api/cms/v2/posts?per_page=5`)
    const checked = await fetch(`http://127.0.0.1:${port}/check`)
    if (!checked.ok) return [`/check answers ${checked.status}: ${await checked.text()}`]
    // The cast: what worker.js answers.
    const wrong = (await checked.json()) as readonly string[]
    return listed.status === 200 ? wrong : [`posts answers ${listed.status}`, ...wrong]
  } finally {
    workerd.kill('SIGKILL')
  }
}

/** From its message on the control file; rejects with what it says if it ends before. */
function portOf(workerd: ReturnType<typeof spawn>): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    const read = (part: Buffer) => {
      said += part
      const port = /"port":(\d+)/.exec(said)?.[1]
      if (port !== undefined) resolve(Number(port))
    }
    workerd.stdout?.on('data', read)
    workerd.stderr?.on('data', read)
    workerd.on('close', () => reject(new Error(`workerd ended: ${said}`)))
  })
}
