/** Runs the commands of docs/upgrade.md in order, on a site in the folder of a project. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ended, installPackage, removeExample, run } from '../support/example.ts'

const home = join(import.meta.dirname, '../..')
const guide = readFileSync(join(home, 'docs/upgrade.md'), 'utf8')
const lines = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trimEnd().split('\n'))

let folder = ''
beforeAll(async () => {
  folder = await installPackage('upgrade')
  mkdirSync(join(folder, 'data'))
  await siteApi('seed', join(home, 'docs/sample-site.json'), '--storage', 'sqlite:data/site.db')
}, 60_000)
afterAll(() => removeExample(folder))

async function siteApi(...args: readonly string[]): Promise<string> {
  const done = run(folder, ['node_modules/site-api/dist/cli/main.js', ...args])
  await ended(done)
  return done.output()
}

/** Does what a line says, and returns what it printed. Packages come from a registry, which a test has not. */
async function said(line: string): Promise<string> {
  const [program = '', first = '', ...rest] = line.split(' ')
  if (program === 'npx') return siteApi(...rest)
  if (program === 'cp') cpSync(join(folder, first), join(folder, rest[0] ?? ''))
  else if (program === 'rm') rmSync(join(folder, first))
  else expect(line).toMatch(/^npm (?:install site-api@latest|run types|test)$/)
  return ''
}

test('the commands of the guide copy, lift, check and restore a site', async () => {
  const printed: string[] = []
  for (const line of lines) printed.push(await said(line))
  expect(printed.filter((text) => text.includes('nothing is wrong'))).toHaveLength(2)
  expect(existsSync(join(folder, 'data/site.db.before-restore'))).toBe(true)
})
