/** `site-api export`: writes a site as a document to stdout. */
import { pipeline } from 'node:stream/promises'
import { type Command, required, UsageError } from './command.ts'
import { withSite } from './site.ts'
import { isMemory } from './storage.ts'

export const exportCommand: Command = {
  usage: 'export --storage sqlite:FILE|postgres://... [--ids] > site.json',
  summary: 'Write the whole site as a document; secrets leave as digests. With --ids a seed of it keeps all ids.',
  options: ['storage'],
  switches: ['ids'],
  positionals: 0,
  async run(line) {
    const storage = required(line, 'storage', 'sqlite:site.db')
    if (isMemory(storage)) throw new UsageError('memory is empty here: use --storage sqlite:FILE')
    await withSite(storage, { mustExist: true }, (site) =>
      pipeline(site.exportStream({ ids: line.options.ids !== undefined }), process.stdout, { end: false }),
    )
  },
}
