/** `site-api backup` and `site-api restore`, for SQLite files. */
import { backupSqlite, restoreSqlite } from '../../storage/sqlite.ts'
import { CliError, type Command, type CommandLine, type CommandOption, required, UsageError } from '../command.ts'
import { megabytes, progressOf } from '../progress.ts'
import { checkFile, formOf, reasonOf } from '../storage.ts'

const sqliteOption: CommandOption = { value: 'sqlite:FILE', says: 'The file of the site', isRequired: true }

export const backup: Command = {
  name: 'backup',
  takes: 'TARGET',
  summary: 'Copy a SQLite file to TARGET, also while it is served.',
  options: { storage: sqliteOption },
  positionals: 1,
  examples: ['backup monday.db --storage sqlite:site.db'],
  async run(line) {
    const file = fileOf(line)
    const [target = ''] = line.positionals
    checkFile(file, true)
    checkFile(target, false)
    await explained(`${file} can not be copied`, () => backupSqlite(file, target, copied('copying')))
    process.stdout.write(`${target} is a backup of ${file}\n`)
  },
}

export const restore: Command = {
  name: 'restore',
  takes: 'BACKUP',
  summary: 'Put a backup in the place of FILE, which no process may have open; what was there is kept.',
  options: { storage: sqliteOption },
  positionals: 1,
  examples: ['restore monday.db --storage sqlite:site.db'],
  async run(line) {
    const file = fileOf(line)
    const [source = ''] = line.positionals
    checkFile(file, false)
    const { kept } = await explained(`${source} can not be restored`, () =>
      restoreSqlite(source, file, copied('restoring')),
    )
    const end = kept === undefined ? '' : `; what was there is ${kept}`
    process.stdout.write(`${file} holds the backup ${source}${end}\n`)
  },
}

function fileOf(line: CommandLine): string {
  const form = formOf(required(line, 'storage', 'sqlite:site.db'))
  if (form.kind === 'postgres') throw new UsageError('a PostgreSQL database is saved with pg_dump and pg_restore')
  if (form.kind === 'memory' || form.file === ':memory:')
    throw new UsageError('memory has no file: use --storage sqlite:FILE')
  return form.file
}

function copied(doing: string) {
  const progress = progressOf(process.stderr, doing, { shown: (bytes) => `${megabytes(bytes)} MB` })
  return progress ? { progress } : {}
}

async function explained<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new CliError(`${what}: ${reasonOf(error)}`)
  }
}
