/** The modules of this checkout, or of another one that is measured beside it in the same run. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { showProgress } from './progress.ts'

const own = resolve(import.meta.dirname, '..')

/** A server of posts is made of these. */
export interface Parts {
  readonly createSiteApi: typeof import('../src/index.ts').createSiteApi
  readonly d1: typeof import('../src/index.ts').d1
  readonly sqliteStorage: typeof import('../src/storage/sqlite.ts').sqliteStorage
  readonly createNodeHandler: typeof import('../adapters/node.ts').createNodeHandler
}

export async function partsOf(checkout = own): Promise<Parts> {
  const from = (path: string) => import(pathToFileURL(resolve(checkout, path)).href)
  const files = ['src/index.ts', 'src/storage/sqlite.ts', 'adapters/node.ts']
  // The cast: modules of another checkout have the same exports.
  return Object.assign({}, ...(await Promise.all(files.map(from)))) as Parts
}

/** The folder of a checkout: `name` itself, or a clone of the commit that it names, made once for each machine. */
export function checkoutOf(name: string): string {
  if (existsSync(name)) return resolve(name)
  if (!/^[0-9a-f]{7,40}$/.test(name)) throw new Error(`${name} is neither a folder nor a commit`)
  const folder = join(tmpdir(), `site-api-bench-${name}`)
  if (!existsSync(folder)) clone(name, folder)
  return folder
}

/** Without its history; a clone that was interrupted is made anew. */
function clone(commit: string, folder: string): void {
  showProgress(`cloning ${commit} and installing its packages`)
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished)
  const files = execFileSync('git', ['archive', commit], { cwd: own, maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x'], { cwd: unfinished, input: files })
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: unfinished, stdio: 'ignore' })
  renameSync(unfinished, folder)
}

/** Whether a commit can be cloned: a shallow clone of the repository lacks old ones. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: own, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
