/** `site-api migrate`: brings a storage to the schema of this version, without serving it. */
import { migrateSqlite } from '../storage/sqlite.ts'
import { CliError, type Command, required, UsageError } from './command.ts'
import { checkFile, fileOf } from './storage.ts'

export const migrate: Command = {
  usage: 'migrate --storage sqlite:FILE',
  summary: 'Bring a storage to the schema of this version.',
  options: ['storage'],
  positionals: 0,
  async run(given) {
    const storage = required(given, 'storage', 'sqlite:site.db')
    const file = fileOf(storage)
    if (file === undefined) throw new UsageError('memory has no schema: use --storage sqlite:FILE')
    checkFile(file, false)
    const { version, applied } = migrated(file)
    const steps = applied.length === 0 ? 'nothing to do' : `applied ${applied.join(', ')}`
    process.stdout.write(`${storage} has schema version ${version}: ${steps}\n`)
  },
}

function migrated(file: string) {
  try {
    return migrateSqlite(file)
  } catch (error) {
    throw new CliError(`${file} can not be migrated: ${error instanceof Error ? error.message : String(error)}`)
  }
}
