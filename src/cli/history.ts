/** `site-api history` and `site-api rewind`: list the changes of a site, and take it back to a moment. */

import { isApiError } from '../core/declare/errors.ts'
import { createSiteApi } from '../host/create-site-api.ts'
import type { SiteHistory } from '../index.ts'
import { full } from '../profiles/full.ts'
import { CliError, type Command, type CommandLine, required, storageOption } from './command.ts'
import { openStorage } from './storage.ts'
import { uploadsOf } from './uploads.ts'

export const history: Command = {
  name: 'history',
  takes: '[RECORD]',
  summary: 'List the newest 100 changes of a site, or of a record.',
  options: { storage: storageOption, json: { says: 'Print JSON' } },
  positionals: [0, 1],
  examples: ['history --storage sqlite:site.db', 'history post:12 --storage sqlite:site.db'],
  async run(line) {
    const [record] = line.positionals
    await withHistory(line, async (site) => {
      const changes = await site.changes({ ...(record === undefined ? {} : { record }), limit: 100 })
      const rows = changes.map(({ at, change, record, members }) =>
        [at, change, record, members.join(' ')].join('\t').trimEnd(),
      )
      const listed = rows.length > 0 ? rows.join('\n') : 'there are no changes'
      const text = line.options['json'] === undefined ? listed : JSON.stringify(changes, null, 2)
      process.stdout.write(`${text}\n`)
    })
  },
}

export const rewind: Command = {
  name: 'rewind',
  summary: 'Take a site, or one record, back to a moment. Going to the moment before undoes it.',
  options: {
    storage: storageOption,
    to: { value: 'MOMENT', says: 'The moment, in GMT or with its zone', isRequired: true },
    record: { value: 'RECORD', says: 'post:12, term:3 or option:name; without it the whole site' },
  },
  positionals: 0,
  examples: [
    'rewind --to 2026-11-20T10:00:00Z --storage sqlite:site.db',
    'rewind --to 2026-11-20T10:00:00Z --record post:12 --storage sqlite:site.db',
  ],
  async run(line) {
    const to = required(line, 'to', '2026-11-20T10:00:00Z')
    const { record } = line.options
    await withHistory(line, async (site) => {
      const { moment, records, left } = await site.restore(to, record === undefined ? {} : { record })
      const kept = left.length === 0 ? '' : `; left as they are: ${left.join(' ')}`
      process.stdout.write(`restored ${records.length} records to ${moment}${kept}\n`)
    })
  },
}

async function withHistory(line: CommandLine, work: (site: SiteHistory) => Promise<void>): Promise<void> {
  const storageText = required(line, 'storage', 'sqlite:site.db')
  const storage = await openStorage(storageText, { mustExist: true })
  const api = createSiteApi({ storage, profile: full, services: { media: uploadsOf(storageText) } })
  try {
    await work(api.site.history)
  } catch (error) {
    throw isApiError(error) ? new CliError(error.message) : error
  } finally {
    await api.close()
  }
}
