/** `site-api import`: imports the content of another system from its export file. */

import type { ReadStream } from 'node:fs'
import { createReadStream, fstatSync, openSync, writeFileSync } from 'node:fs'
import type { ImportFileError } from '../../management/import/reader.ts'
import { type ImportReport, reportText } from '../../management/import/report.ts'
import type { SiteManagement } from '../../management/index.ts'
import { CliError, type Command, required, UsageError } from '../command.ts'
import { withSite } from '../site.ts'
import { isMemory, shown } from '../storage.ts'
import { importSources } from './media-source.ts'
import { progressOn } from './progress.ts'

export const importCommand: Command = {
  usage:
    'import EXPORT.xml --storage sqlite:FILE|postgres://... [--media fetch|link|FOLDER] [--allow-private] [--update] [--administrator LOGIN] [--report FILE.json]',
  summary: 'Take over authors, terms, posts, pages and media records from an export file; again without doubles.',
  options: ['storage', 'report', 'administrator', 'media'],
  switches: ['update', 'allow-private'],
  positionals: [1, 2],
  async run(line) {
    const { from: file, media } = importSources(line)
    const storage = required(line, 'storage', 'sqlite:site.db')
    if (isMemory(storage)) throw new UsageError('memory ends with this command: use --storage sqlite:FILE')
    const { stream, size } = open(file)
    const update = line.options['update'] !== undefined
    const progress = progressOn(process.stderr, size)
    const options = { update, ...(media ? { media } : {}), ...(progress ? { progress: progress.show } : {}) }
    const { report, problem, missing, hasAdministrator } = await withSite(
      storage,
      { mustExist: false, allowsPrivate: line.options['allow-private'] !== undefined },
      async (site) => ({
        ...(await outcomeOf(site.import(stream, options))),
        missing: await withoutAdministrator(site, line.options['administrator']),
        hasAdministrator: (await site.users.list({ roles: ['administrator'] })).length > 0,
      }),
    )
    progress?.clear()
    if (report) process.stdout.write(`${reportText(report)}\n`)
    if (report && line.options['report'] !== undefined) writeReport(line.options['report'], report)
    if (!hasAdministrator && !problem) {
      const command = `site-api user LOGIN --role administrator --storage ${shown(storage)}`
      process.stdout.write(`no user is an administrator: make one with ${command}\n`)
    }
    if (problem) throw new CliError(`${file}: ${problem}`)
    if (missing !== undefined) throw new CliError(`there is no user ${missing} to be the administrator`)
  },
}

/** Makes the user of this login the administrator; returns the login if there is none. */
async function withoutAdministrator({ users }: Pick<SiteManagement, 'users'>, login: string | undefined) {
  if (login === undefined) return undefined
  const user = await users.find({ login })
  if (!user) return login
  if (!user.roles.includes('administrator')) await users.update(user.id, { roles: ['administrator'] })
  return undefined
}

interface Outcome {
  readonly report?: ImportReport
  readonly problem?: string
}

/** A file with a parse error has a report of what was imported before it. */
async function outcomeOf(work: Promise<ImportReport>): Promise<Outcome> {
  try {
    return { report: await work }
  } catch (error) {
    const { code, message, report } = error as Partial<ImportFileError> & NodeJS.ErrnoException
    if (code === 'import_file') return { problem: `${message}`, ...(report ? { report } : {}) }
    if (code === 'EISDIR') return { problem: 'this is a folder' }
    throw error
  }
}

function open(file: string): { readonly stream: ReadStream; readonly size: number } {
  try {
    const fd = openSync(file, 'r')
    return { stream: createReadStream('', { fd }), size: fstatSync(fd).size }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CliError(`there is no file ${file}`)
    throw new CliError(`${file} can not be read: ${message}`)
  }
}

function writeReport(file: string, report: ImportReport): void {
  try {
    writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
  } catch (error) {
    throw new CliError(`${file} can not be written: ${(error as Error).message}`)
  }
}
