/** Every entry is imported, and a site served, by each runtime, in a project that holds the package and no optional peer. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { entries, home } from './packed.ts'
import { outputOf } from './run.ts'

/** The oldest line that is supported, the one of the repository, and the newest; the first and the last come from npm. */
const fetched = ['22', '26']
const platform = `node-${process.platform}-${process.arch}`

/** Packages of Node for `npm install` without an install script. */
export const runtimePackages: readonly string[] = fetched.map((line) => `node-${line}@npm:${platform}@${line}`)

export async function checkRuntimes(blank: string): Promise<readonly string[]> {
  copyFileSync(join(import.meta.dirname, 'in-blank.js'), join(blank, 'in-blank.js'))
  const programs: readonly (readonly [string, string])[] = [
    ...fetched.map((line) => [`Node ${line}`, join(blank, `node_modules/node-${line}/bin/node`)] as const),
    [`Node ${process.versions.node.split('.')[0]}`, process.execPath],
    ['Bun', join(home, 'node_modules/.bin/bun')],
  ]
  const problems: string[] = []
  for (const [runtime, program] of programs) {
    const found = await inBlank(program, blank).catch((error: Error) => [error.message])
    problems.push(...found.map((problem) => `${runtime}: ${problem}`))
    console.log(`  ${runtime}: ${entries.length} entries imported, ${found.length} problems`)
  }
  return problems
}

async function inBlank(program: string, blank: string): Promise<string[]> {
  const said = await outputOf(program, ['in-blank.js', ...entries.map(({ name }) => name)], blank)
  const { refused, statuses, withoutPg } = JSON.parse(said)
  const problems = Object.entries(refused).map(([name, why]) => `${name} cannot be imported: ${why}`)
  for (const [profile, status] of Object.entries(statuses)) {
    if (status !== 200) problems.push(`${profile} on SQLite answers ${status}`)
  }
  if (!/needs the package pg/.test(withoutPg)) problems.push(`without pg the storage says: ${withoutPg}`)
  return problems
}
