/**
 * `site-api check` compares counters and schema of a storage with the rows and the migrations, and repairs them. With a record, or
 * `--findings`, it lists the findings of records instead.
 */
import { isApiError } from '../../core/declare/errors.ts'
import { createSiteApi } from '../../host/create-site-api.ts'
import type { CheckFinding } from '../../index.ts'
import { full } from '../../profiles/full.ts'
import { type CheckReport, checkPostgres } from '../../storage/postgres.ts'
import { checkSqlite } from '../../storage/sqlite.ts'
import { CliError, type Command, required, storageOption } from '../command.ts'
import { progressOf } from '../progress.ts'
import { checkFile, formOf, openStorage, reasonOf, shown } from '../storage.ts'
import { uploadsOf } from '../uploads.ts'

export const check: Command = {
  name: 'check',
  takes: '[RECORD]',
  summary:
    'Recount the counters of a storage and repair them; or list what is wrong with a record, a release or all pages.',
  options: {
    storage: storageOption,
    report: { says: 'Say what is wrong, and change nothing' },
    usage: {
      says: 'List references that lead nowhere, and media, templates, components, classes and variables that nothing uses',
    },
    findings: { says: 'List the findings of all that visitors may open: dead links, missing texts, heavy pages' },
  },
  positionals: [0, 1],
  examples: [
    'check --storage sqlite:site.db --report',
    'check --storage sqlite:site.db --usage',
    'check --storage sqlite:site.db --findings',
    'check post:12 --storage sqlite:site.db',
    'check release:3 --storage sqlite:site.db',
  ],
  async run(line) {
    const storage = required(line, 'storage', 'sqlite:site.db')
    const [record] = line.positionals
    if (record !== undefined || line.options['findings'] !== undefined) return listFindings(storage, record)
    const repair = line.options.report === undefined
    const { repaired, problems } = await reportOn(storage, repair)
    const verb = repair ? 'repaired' : 'wrong'
    const lines = [...repaired.map((text) => `${verb}: ${text}`), ...problems.map((text) => `not repaired: ${text}`)]
    process.stdout.write(`${[...lines, summaryOf(lines.length, shown(storage))].join('\n')}\n`)
    if (problems.length > 0) throw new CliError(`${shown(storage)} is damaged: restore a backup`)
    if (line.options['usage'] !== undefined) process.stdout.write(`${(await usageOf(storage)).join('\n')}\n`)
    if (!repair && repaired.length > 0) throw new CliError('run site-api check without --report to repair this')
  },
}

async function listFindings(storageText: string, record: string | undefined): Promise<void> {
  const { createSitePages } = await import('../../site-pages/index.ts')
  const storage = await openStorage(storageText, { mustExist: true })
  const api = createSiteApi({ storage, profile: full, services: { media: uploadsOf(storageText) } })
  try {
    createSitePages(api)
    const { check } = api.site
    const { findings } = await (record === undefined ? check.site({ limit: mostListed }) : check(record))
    process.stdout.write(`${[...findings.flatMap(linesOf), countOf(findings)].join('\n')}\n`)
    const errors = findings.filter(({ severity }) => severity === 'error').length
    if (errors > 0) throw new CliError(`errors: ${errors}`)
  } catch (error) {
    throw isApiError(error) || error instanceof TypeError ? new CliError(error.message) : error
  } finally {
    await api.close()
  }
}

const linesOf = ({ severity, code, place, message, patch }: CheckFinding): string[] => {
  const where = place.element ?? place.member ?? place.xpath ?? ''
  const line = `${severity}: ${[place.record, where].filter(Boolean).join(' ')} ${code}: ${message}`
  return patch ? [line, `  patch: ${patch.says}`] : [line]
}

const countOf = ({ length }: readonly CheckFinding[]): string =>
  length === 0 ? 'nothing is found' : `${length} ${length === 1 ? 'finding' : 'findings'}`

const orphanKinds = ['media', 'templates', 'components', 'classes', 'variables'] as const
const mostListed = 1000

async function usageOf(storageText: string): Promise<string[]> {
  const storage = await openStorage(storageText, { mustExist: true })
  const api = createSiteApi({ storage, profile: full, services: { media: uploadsOf(storageText) } })
  try {
    const { usage } = api.site
    const broken = await usage.broken({ limit: mostListed })
    const lines = broken.map(({ source, part, target }) => `broken: ${source} ${part} names ${target}`)
    let unused = 0
    for (const kind of orphanKinds) {
      const found = await usage.orphans(kind, { limit: mostListed })
      unused += found.length
      lines.push(...found.map(({ record, title = '' }) => `unused: ${record} ${title}`.trimEnd()))
    }
    return [...lines, `${broken.length} references lead nowhere, ${unused} records are unused`]
  } finally {
    await api.close()
  }
}

const summaryOf = (count: number, name: string) =>
  count === 0 ? `${name}: nothing is wrong` : `${name}: ${count} in all`

function shownProgress() {
  const progress = progressOf(process.stderr, 'checking')
  return progress ? { progress } : {}
}

async function reportOn(storage: string, repair: boolean): Promise<CheckReport> {
  const form = formOf(storage)
  if (form.kind === 'memory') return { repaired: [], problems: [] }
  try {
    if (form.kind === 'postgres') return await checkPostgres(form.url, { ...form.options, repair, ...shownProgress() })
    checkFile(form.file, true)
    return checkSqlite(form.file, { repair, ...shownProgress() })
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(`${shown(storage)} can not be checked: ${reasonOf(error)}`)
  }
}
