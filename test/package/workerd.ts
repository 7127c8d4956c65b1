/** The package in workerd, the runtime of Cloudflare Workers, bundled as its tools do: with the memory, and in a Durable Object. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { ConformanceReport } from '../../src/testing/report.ts'

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "disk", disk = (path = "objects", writable = true))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker-bundle.js")],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["nodejs_compat"],
  durableObjectNamespaces = [(className = "Site", uniqueKey = "site", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [(name = "SITE", durableObjectNamespace = "Site")],
);
`

type Workerd = (path: string, init?: RequestInit) => Promise<Response>

/** The problems that a site in the worker has. */
export async function inWorkerd(folder: string): Promise<readonly string[]> {
  await build({
    entryPoints: [join(folder, 'worker.js')],
    outfile: join(folder, 'worker-bundle.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['workerd', 'worker'],
    external: ['cloudflare:workers'],
    logLevel: 'error',
  })
  mkdirSync(join(folder, 'objects'))
  writeFileSync(join(folder, 'workerd.capnp'), config)
  const wrong = await served(folder, async (send) => [
    ...(await wrongAnswers(send, '/check')),
    ...(await wrongAnswers(send, '/late')),
    ...(await isListed(send, '/api/cms/v2/posts?per_page=5', 'the memory')),
    ...(await wrongAnswers(send, '/check?object=check')),
    ...(await conformanceProblems(send)),
    ...(await wrongAnswers(send, '/large?object=large')),
    ...(await seeded(send)),
  ])
  // The objects are on the disk: another process has what the first has stored.
  return [...wrong, ...(await served(folder, (send) => isListed(send, storedPost, 'a stored object', 1)))]
}

const storedPost = '/api/cms/v2/posts?object=quay&search=tide'

async function seeded(send: Workerd): Promise<readonly string[]> {
  const posts = [{ key: 'tide', slug: 'tide', title: 'High tide', status: 'publish', date: '2024-01-10T09:00:00' }]
  const body = JSON.stringify({ posts })
  const response = await send('/seed?object=quay', { method: 'POST', body })
  if (!response.ok) return [`a seed answers ${response.status}: ${await response.text()}`]
  return isListed(send, storedPost, 'an object', 1)
}

async function isListed(send: Workerd, path: string, where: string, count?: number): Promise<readonly string[]> {
  const response = await send(path)
  const text = await response.text()
  if (response.status !== 200) return [`posts of ${where} answer ${response.status}: ${text}`]
  const { length } = JSON.parse(text) as readonly unknown[]
  return count === undefined || length === count ? [] : [`${where} lists ${length} posts`]
}

async function wrongAnswers(send: Workerd, path: string): Promise<readonly string[]> {
  const response = await send(path)
  if (!response.ok) return [`${path} answers ${response.status}: ${await response.text()}`]
  // The cast: what worker.js answers.
  return ((await response.json()) as readonly string[]).map((answer) => `${path}: ${answer}`)
}

async function conformanceProblems(send: Workerd): Promise<readonly string[]> {
  const response = await send('/conformance?object=conformance')
  if (!response.ok) return [`the conformance cases answer ${response.status}: ${await response.text()}`]
  // The cast: what worker.js answers.
  const { passed, failed, skipped, cases } = (await response.json()) as ConformanceReport
  console.log(`  workerd, Durable Object: ${passed} conformance cases passed, ${failed} failed, ${skipped} skipped`)
  return cases.flatMap(({ case: name, outcome, reason }) => (outcome === 'passed' ? [] : [`${name}: ${reason}`]))
}

async function served(folder: string, work: (send: Workerd) => Promise<readonly string[]>): Promise<readonly string[]> {
  const workerd = spawn(join(folder, 'node_modules/.bin/workerd'), ['serve', 'workerd.capnp', '--control-fd=1'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(workerd, 'exit')
  try {
    const port = await portOf(workerd)
    return await work((path, init) => fetch(`http://127.0.0.1:${port}${path}`, init))
  } finally {
    workerd.kill('SIGKILL')
    await exited
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
