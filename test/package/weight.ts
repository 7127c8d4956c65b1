/**
 * Measures the size of the installed package and the cost of its import: bytes and loaded files have limits, times are
 * printed beside their bounds.
 */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from './run.ts'

/** Megabytes of the package with its dependencies. */
const installedLimit = 11
/** Counts the files that the import of the main entry and of SQLite reads: the engines of texts and of documents, and the rules of checks, share some of them. */
const loadedLimit = 74
const importBoundMs = 150
const answerBoundMs = 10
const runs = 5

type Time = 'main' | 'both' | 'fetch' | 'answer'

const program = `
import { registerHooks } from 'node:module'
let loaded = 0
if (process.argv[2] === 'count') registerHooks({ load: (url, context, next) => (loaded++, next(url, context)) })
const begun = performance.now()
const { createSiteApi, d1 } = await import('site-api')
const main = performance.now() - begun
const { sqliteStorage } = await import('site-api/storage/sqlite')
const both = performance.now() - begun
const loading = performance.now()
const request = new Request('https://example.com/api/cms/v2/posts')
await new Response('').text()
const fetch = performance.now() - loading
const api = createSiteApi({ storage: sqliteStorage('weight.db'), profile: d1, url: 'https://example.com' })
const asked = performance.now()
const { status } = await api.fetch(request)
const answer = performance.now() - asked
await api.close()
console.log(JSON.stringify({ main, both, fetch, answer, status, loaded }))
`

/** TypeScript 7, Deno and workerd bring their programs as packages of these scopes. */
const programScopes = ['@typescript', '@deno', '@cloudflare']

/** The blank project holds further packages that the checks brought. */
export async function checkWeight(blank: string, further: readonly string[]): Promise<readonly string[]> {
  const added = new Set([...programScopes, ...further.map((name) => name.slice(0, name.indexOf('@', 1)))])
  const modules = join(blank, 'node_modules')
  const own = readdirSync(modules).filter((name) => !name.startsWith('.') && !added.has(name))
  const megabytes = (name: string) => bytesBelow(join(modules, name)) / 1_000_000
  const installed = own.reduce((sum, name) => sum + megabytes(name), 0)
  const parts = own.map((name) => `${name} ${megabytes(name).toFixed(1)}`).join(', ')
  console.log(`  installed: ${installed.toFixed(1)} MB (${installedLimit} MB): ${parts}`)

  writeFileSync(join(blank, 'weight.js'), program)
  const measure = async (...args: readonly string[]) =>
    JSON.parse(await outputOf(process.execPath, ['--disable-warning=ExperimentalWarning', 'weight.js', ...args], blank))
  const { loaded } = await measure('count')
  const times: { readonly [name in Time]: number }[] = []
  for (let at = 0; at < runs; at++) times.push(await measure())
  const least = (name: Time) => Math.min(...times.map((time) => time[name])).toFixed(1)
  console.log(`  import of site-api: ${least('main')} ms (${importBoundMs} ms), with SQLite ${least('both')} ms`)
  console.log(`  first answer from SQLite: ${least('answer')} ms (${answerBoundMs} ms)`)
  // Node loads its HTTP client with the first `Request`, whoever makes it; a host that listens on node:http needs none.
  console.log(`  Request and Response of Node: ${least('fetch')} ms`)
  console.log(`  files loaded: ${loaded} (${loadedLimit})`)
  return [
    ...(installed > installedLimit
      ? [`${installed.toFixed(1)} MB are installed, and ${installedLimit} MB are the limit`]
      : []),
    ...(loaded > loadedLimit ? [`the import loads ${loaded} files, and ${loadedLimit} are the limit`] : []),
  ]
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
