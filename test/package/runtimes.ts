/** Every entry is imported, and a site served, by each runtime, in a project that holds the package and no optional peer. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { entries, home } from './packed.ts'
import { outputOf } from './run.ts'
import { inWorkerd } from './workerd.ts'

/** The oldest line that is supported, the one of the repository, and the newest; the first and the last come from npm. */
const fetched = ['22', '26']
const platform = `node-${process.platform}-${process.arch}`

/** For `npm install` without an install script. Not of the repository: its lock file would need them for every platform. */
export const runtimePackages: readonly string[] = [
  ...fetched.map((line) => `node-${line}@npm:${platform}@${line}`),
  'deno@^2.9.6',
  'workerd@^1.20261117.1',
]

/** Runs some work on each runtime, in order, and names the problems that it finds. */
export async function onRuntimes(
  blank: string,
  chosen: readonly string[] | 'all',
  work: (program: string, options: readonly string[]) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const tool = (name: string) => join(home, 'node_modules/.bin', name)
  const line = process.versions.node.split('.')[0]
  const programs: readonly (readonly [runtime: string, ...command: string[]])[] = [
    ...fetched.map((line) => [`Node ${line}`, join(blank, `node_modules/node-${line}/bin/node`)] as const),
    [`Node ${line}`, process.execPath],
    [`Node ${line} without code generation`, process.execPath, '--disallow-code-generation-from-strings'],
    ['Bun', tool('bun')],
    // Without a prompt; --no-lock, --node-modules-dir: the packages are those that npm installed.
    ['Deno', join(blank, 'node_modules/.bin/deno'), 'run', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
  ]
  const problems: string[] = []
  for (const [runtime, program, ...args] of programs) {
    if (chosen !== 'all' && !chosen.includes(runtime)) continue
    problems.push(...(await timed(runtime, work(program as string, args))))
  }
  return problems
}

export async function checkRuntimes(blank: string): Promise<readonly string[]> {
  for (const file of ['in-blank.js', 'site-program.js', 'late-parts.js', 'worker.js']) {
    copyFileSync(join(import.meta.dirname, file), join(blank, file))
  }
  const problems = await onRuntimes(blank, 'all', (program, options) => inBlank(program, options, blank))
  return [...problems, ...(await timed('workerd', inWorkerd(blank)))]
}

async function timed(runtime: string, work: Promise<readonly string[]>): Promise<readonly string[]> {
  const started = performance.now()
  const found = await work.catch((error: Error) => [error.message])
  console.log(`  ${runtime}: ${found.length} problems, ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return found.map((problem) => `${runtime}: ${problem}`)
}

async function inBlank(program: string, options: readonly string[], blank: string): Promise<readonly string[]> {
  const said = await outputOf(program, [...options, 'in-blank.js', ...entries.map(({ name }) => name)], blank)
  const { refused, wrong, withoutPg } = JSON.parse(said)
  const problems = [
    ...Object.entries(refused).map(([name, why]) => `${name} cannot be imported: ${why}`),
    ...(wrong as readonly string[]),
  ]
  if (!/needs the package pg/.test(withoutPg)) problems.push(`without pg the storage says: ${withoutPg}`)
  return problems
}
