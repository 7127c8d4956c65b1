/** `site-api migrate`: migrates a storage to the schema of this version. */
import type { MaybePromise } from '../../contract/storage.ts'
import { collectionsOf } from '../../host/stored-data.ts'
import { migratePostgres } from '../../storage/postgres.ts'
import type { Migrated } from '../../storage/sql/sqlite/migrate.ts'
import { migrateSqlite } from '../../storage/sqlite.ts'
import { CliError, type Command, required, storageOption, UsageError } from '../command.ts'
import { profiles } from '../profiles.ts'
import { checkFile, formOf, reasonOf, type StorageForm, shown } from '../storage.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: 'Bring a storage to the schema of this version.',
  options: { storage: storageOption },
  positionals: 0,
  examples: ['migrate --storage sqlite:site.db'],
  async run(line) {
    const storage = required(line, 'storage', 'sqlite:site.db')
    const form = formOf(storage)
    if (form.kind === 'memory') throw new UsageError('memory has no schema: use --storage sqlite:FILE')
    if (form.kind === 'sqlite') checkFile(form.file, false)
    const { version, applied } = await migrateOrExplain(form, shown(storage))
    const steps = applied.length === 0 ? 'nothing to do' : `applied ${applied.join(', ')}`
    process.stdout.write(`${shown(storage)} has schema version ${version}: ${steps}\n`)
  },
}

async function migrateOrExplain(form: Exclude<StorageForm, { kind: 'memory' }>, name: string): Promise<Migrated> {
  try {
    return await migrateForm(form)
  } catch (error) {
    throw new CliError(`${name} can not be migrated: ${reasonOf(error)}`)
  }
}

function migrateForm(form: Exclude<StorageForm, { kind: 'memory' }>): MaybePromise<Migrated> {
  if (form.kind === 'sqlite') return migrateSqlite(form.file)
  return migratePostgres(form.url, { ...form.options, collections: Object.values(profiles).flatMap(collectionsOf) })
}
