/** `site-api import`: imports the content of another system from its export file, or from the running site. */

import type { ReadStream } from 'node:fs'
import { createReadStream, fstatSync, openSync, writeFileSync } from 'node:fs'
import type { ImportProgress } from '../../management/import/index.ts'
import type { ImportFileError } from '../../management/import/reader.ts'
import type { ImportReport } from '../../management/import/report.ts'
import { reportText } from '../../management/import/report-text.ts'
import type { RestAccess } from '../../management/import/rest/client.ts'
import { isSame, type RestImportReport } from '../../management/import/rest/index.ts'
import type { ManagedSite } from '../../management/index.ts'
import { createIcons } from '../../services/icons/index.ts'
import { CliError, type Command, dryRunOption, isDryRun, required, storageOption, UsageError } from '../command.ts'
import { importText, progressLine } from '../progress.ts'
import { withSite } from '../site.ts'
import { isMemory, shown } from '../storage.ts'
import { importSources } from './media-source.ts'
import { accessOf, comparisonText, withoutAccess } from './rest.ts'

export const importCommand: Command = {
  name: 'import',
  takes: 'EXPORT.xml|KIT.zip|https://old.example/wp-json',
  summary:
    'Take over a site from its export file, or while it runs from its REST interface; again without doubles, and on from where it stopped.',
  options: {
    storage: storageOption,
    user: { value: 'LOGIN', says: 'The login at the running site, whose application password is given too' },
    'password-file': { value: 'FILE', says: 'The file with the application password' },
    'password-env': { value: 'NAME', says: 'The variable of the environment with the application password' },
    media: {
      value: 'fetch|link|folder DIR',
      says: 'Fetch the files from the old site, link them, or take them from a copy',
    },
    'allow-private': { says: 'Let the running site be at a private address' },
    update: { says: 'Change what an earlier import wrote, where the file has it newer' },
    'url-from': { value: 'URL', says: 'The old address, whose links become links of this site' },
    'front-page': { value: 'SLUG', says: 'Make this page the front page' },
    'posts-page': { value: 'SLUG', says: 'Make this page the list of posts' },
    kit: { says: 'Use the kit of the file, also on a site that has one' },
    'dry-run': dryRunOption,
    'keep-unknown': { says: 'Keep items of unknown types as private records' },
    administrator: { value: 'LOGIN', says: 'The user who gets what has no author here' },
    report: { value: 'FILE.json', says: 'Write the report of each item to this file' },
  },
  positionals: [1, 2],
  examples: [
    'import export.xml --storage sqlite:site.db --administrator ada --media fetch',
    'import KIT.zip --storage sqlite:site.db --dry-run',
  ],
  async run(line) {
    const { from, media } = importSources(line)
    const storage = required(line, 'storage', 'sqlite:site.db')
    if (isMemory(storage)) throw new UsageError('memory ends with this command: use --storage sqlite:FILE')
    const { 'front-page': frontPage, 'posts-page': postsPage, 'url-from': urlFrom } = line.options
    if (urlFrom !== undefined && !/^https?:\/\/[^/\s]/i.test(urlFrom))
      throw new UsageError(`--url-from must be the address of the old site, not ${urlFrom}`)
    const isRest = /^https?:\/\//i.test(from)
    const dryRun = isDryRun(line)
    if (dryRun && isRest) throw new UsageError('--dry-run is for files')
    const access = isRest ? accessOf(line) : withoutAccess(line)
    const file = isRest ? undefined : open(from)
    const progress = progressLine(process.stderr)
    const update = line.options['update'] !== undefined
    const pages = {
      ...(frontPage ? { frontPage } : {}),
      ...(postsPage ? { postsPage } : {}),
      ...(urlFrom ? { urlFrom } : {}),
    }
    const kit = line.options['kit'] !== undefined
    const keepUnknown = line.options['keep-unknown'] !== undefined
    const options = {
      ...{ update, kit, keepUnknown },
      ...pages,
      ...(media ? { media } : {}),
      ...(progress ? { progress: (done: ImportProgress) => progress.show(importText(done, file?.size)) } : {}),
    }
    const allowsPrivate = line.options['allow-private'] !== undefined
    const outcome = await withSite(
      storage,
      { mustExist: false, allowsPrivate, isDryRun: dryRun, changes: 'many' },
      async (site) => ({
        ...(await outcomeOf(
          file ? site.import(file.stream, options) : site.importFrom(from, { ...options, ...(access as RestAccess) }),
        )),
        missing: await withoutAdministrator(site, dryRun ? undefined : line.options['administrator']),
        hasAdministrator: (await site.users.list({ roles: ['administrator'] })).length > 0,
      }),
    )
    progress?.clear()
    const packages = await missingPackages(outcome.report)
    tell({ ...outcome, packages }, { from, storage, report: line.options['report'] })
  },
}

interface ToldOutcome extends Outcome {
  /** The packages of icons that documents name and the site does not have. */
  readonly packages: readonly string[]
  readonly missing: string | undefined
  readonly hasAdministrator: boolean
}

function tell(
  { report, packages, problem, missing, hasAdministrator }: ToldOutcome,
  {
    from,
    storage,
    report: reportFile,
  }: { readonly from: string; readonly storage: string; readonly report: string | undefined },
): void {
  const comparison = report && 'comparison' in report ? (report as RestImportReport).comparison : []
  if (report) process.stdout.write(`${reportText(report)}\n${iconText(report, packages)}${comparisonText(comparison)}`)
  if (report && reportFile !== undefined) writeReport(reportFile, report)
  if (!hasAdministrator && !problem) {
    const command = `site-api user LOGIN --role administrator --storage ${shown(storage)}`
    process.stdout.write(`no user is an administrator: make one with ${command}\n`)
  }
  if (problem) throw new CliError(`${from}: ${problem}`)
  if (missing !== undefined) throw new CliError(`there is no user ${missing} to be the administrator`)
  const different = comparison.filter((one) => !isSame(one)).map(({ kind }) => kind)
  if (different.length > 0) {
    throw new CliError(`${different.join(', ')} differ from ${from}: run the import again with --update`)
  }
}

/** Returns the packages of the icons that documents name, if they are not installed. */
async function missingPackages(report: ImportReport | undefined): Promise<readonly string[]> {
  const icons = createIcons()
  const libraries = report?.icons ?? []
  const packages = await Promise.all(libraries.map((library) => icons.packageFor?.({ library, value: 'fa-star' })))
  return packages.filter((name) => name !== undefined)
}

function iconText({ icons = [] }: ImportReport, packages: readonly string[]): string {
  if (icons.length === 0) return ''
  const how = packages.length === 0 ? 'the installed packages draw them' : `npm install ${packages.join(' ')}`
  return `documents name icons of ${icons.join(', ')}: ${how}\n`
}

/** Makes the user of this login the administrator; returns the login if there is none. */
async function withoutAdministrator({ users }: Pick<ManagedSite, 'users'>, login: string | undefined) {
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
    const { code, message, report } = error as Partial<Omit<ImportFileError, 'code'>> & NodeJS.ErrnoException
    if (code === 'import_rest' || code === 'import_kit') return { problem: `${message}` }
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
