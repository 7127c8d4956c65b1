/** Each part that is loaded late acts once, on each runtime, in a project that holds the package and its optional peers. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../support/postgres-server.ts'
import { checkLateImports } from './late-imports.ts'
import { installBeside } from './packed.ts'
import { outputOf } from './run.ts'
import { onRuntimes } from './runtimes.ts'

export async function checkLateParts(folder: string, blank: string): Promise<readonly string[]> {
  mkdirSync(folder)
  installBeside(folder, blank)
  writeFileSync(join(folder, 'package.json'), '{ "name": "beside", "private": true, "type": "module" }')
  const files = ['late-parts.js', 'late-parts-node.js', 'late-module.js']
  for (const file of files) copyFileSync(join(import.meta.dirname, file), join(folder, file))
  const database = await startPostgres()
  try {
    return [
      ...(await checkLateImports(folder)),
      ...(await commandProblems(folder)),
      ...(await onRuntimes(blank, ['Node 22', 'Node 26', 'Bun', 'Deno'], async (program, options) => {
        const address = await emptyDatabase(database.url)
        const said = await outputOf(program, [...options, 'late-parts-node.js', address], folder)
        // The cast: what late-parts-node.js prints.
        const { acted, wrong } = JSON.parse(said) as { readonly acted: number; readonly wrong: readonly string[] }
        return acted > 15 ? wrong : [`only ${acted} parts acted`, ...wrong]
      })),
    ]
  } finally {
    await database.stop()
  }
}

/** The address of a new database of the server. */
async function emptyDatabase(server: string): Promise<string> {
  const name = `late_${crypto.randomUUID().replaceAll('-', '')}`
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return server.replace(/[^/]*$/, name)
}

const commands: readonly (readonly string[])[] = [
  ['help'],
  ['init', '--host', 'node'],
  ['user', 'ada', '--role', 'administrator', '--storage', 'sqlite:site.db'],
  ['password', 'ada', '--name', 'Check', '--storage', 'sqlite:site.db'],
  ['option', 'blogname', 'Quay', '--storage', 'sqlite:site.db'],
  ['migrate', '--storage', 'sqlite:site.db'],
  ['check', '--storage', 'sqlite:site.db'],
  ['export', '--storage', 'sqlite:site.db'],
  ['backup', '--storage', 'sqlite:site.db', 'copy.db'],
  ['restore', '--storage', 'sqlite:site.db', 'copy.db'],
  ['seed', 'seed.json', '--storage', 'sqlite:seeded.db'],
  ['import', 'old.xml', '--storage', 'sqlite:seeded.db', '--administrator', 'ada'],
  // It ends with its input.
  ['mcp', '--storage', 'sqlite:seeded.db'],
]

/** A site without records, in the export format of WordPress. */
const exported =
  '<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Old</title><wp:wxr_version>1.2</wp:wxr_version></channel></rss>'

/** The commands, of which each is loaded late, in an order in which each finds what it needs. */
async function commandProblems(folder: string): Promise<readonly string[]> {
  const program = join(folder, 'node_modules/site-api/dist/cli/main.js')
  writeFileSync(
    join(folder, 'seed.json'),
    JSON.stringify({ users: [{ key: 'ada', login: 'ada', roles: ['administrator'] }] }),
  )
  writeFileSync(join(folder, 'old.xml'), exported)
  const problems: string[] = []
  for (const args of commands) {
    await outputOf(process.execPath, [program, ...args], folder).catch((error: Error) => problems.push(error.message))
  }
  return problems
}
