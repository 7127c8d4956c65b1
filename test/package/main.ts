/**
 * `npm run check:package`: what was built, packed and installed as a host would have it. It downloads two Nodes the first
 * time, which npm keeps. `-- runtimes 'late parts'` runs the checks of these names alone.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkCommands } from './commands.ts'
import { checkConsumers } from './consumers.ts'
import { checkContents } from './contents.ts'
import { checkLateParts } from './late-parts.ts'
import { checkMistakes } from './mistakes.ts'
import { home, installBlank, pack } from './packed.ts'
import { run } from './run.ts'
import { checkRuntimes, runtimePackages } from './runtimes.ts'
import { checkSizes } from './sizes.ts'
import { checkTypes, compilerPackages } from './types.ts'
import { checkWeight } from './weight.ts'

const tool = (path: string) => join(home, 'node_modules', path)

const chosen = process.argv.slice(2)

async function check(name: string, work: () => Promise<readonly string[]>): Promise<readonly string[]> {
  if (chosen.length > 0 && !chosen.includes(name)) return []
  console.log(name)
  const started = performance.now()
  const problems = await work()
  console.log(`  ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return problems.map((problem) => `${name}: ${problem}`)
}

/** Runs a program that exits with 0 if it finds no problem. */
async function says(...args: readonly string[]): Promise<readonly string[]> {
  const { code, said } = await run(process.execPath, args, home)
  return code === 0 ? [] : [said]
}

const further = [...runtimePackages, ...compilerPackages]
const folder = mkdtempSync(join(tmpdir(), 'site-api-package-'))
const blank = join(folder, 'blank')
try {
  const tarball = await pack(folder)
  await installBlank(blank, tarball, further)
  const problems = [
    ...(await check('publint', () => says(tool('publint/src/cli.js'), 'run', '--strict', tarball))),
    // ESM alone: Node 22 loads it from CommonJS too, so the two ways of looking that need CommonJS types are left out.
    ...(await check('attw', () =>
      says(tool('@arethetypeswrong/cli/dist/index.js'), '--profile', 'esm-only', '--format', 'ascii', tarball),
    )),
    ...(await check('contents', () => checkContents(blank))),
    ...(await check('weight', () => checkWeight(blank, further))),
    ...(await check('runtimes', () => checkRuntimes(blank))),
    ...(await check('commands', () => checkCommands(blank))),
    ...(await check('mistakes', () => checkMistakes(blank))),
    ...(await check('late parts', () => checkLateParts(join(folder, 'beside'), blank))),
    ...(await check('sizes', () => checkSizes(blank))),
    ...(await check('consumers', () => checkConsumers(blank))),
    ...(await check('types', () => checkTypes(join(folder, 'typed'), blank))),
  ]
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
