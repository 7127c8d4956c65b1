/** Each part that is loaded late acts once, on each runtime, in a project that holds the package and its optional peers. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../support/postgres-server.ts'
import { checkAgent } from './commands.ts'
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
      ...(await checkAgent(folder)),
      ...(await onRuntimes(blank, ['Node 22', 'Node 26', 'Bun', 'Deno'], async (program, options) => {
        const address = await emptyDatabase(database.url)
        const said = await outputOf(program, [...options, 'late-parts-node.js', address], folder)
        // The cast: what late-parts-node.js prints.
        const { acted, wrong } = JSON.parse(said) as { readonly acted: number; readonly wrong: readonly string[] }
        console.log(`  ${acted} parts acted`)
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
