/** `site-api export`: writes a site as a document to stdout, or as a kit to a file. */
import { writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CliError, type Command, type CommandLine, required, UsageError } from './command.ts'
import { withSite } from './site.ts'
import { isMemory } from './storage.ts'

export const exportCommand: Command = {
  usage: 'export --storage sqlite:FILE|postgres://... [--ids] > site.json | --kit FILE.zip [--design]',
  summary:
    'Write the whole site as a document; secrets leave as digests. With --ids a seed of it keeps all ids. With --kit write a site kit, with --design only its design and templates.',
  options: ['storage', 'kit'],
  switches: ['ids', 'design'],
  positionals: 0,
  async run(line) {
    const storage = required(line, 'storage', 'sqlite:site.db')
    if (isMemory(storage)) throw new UsageError('memory is empty here: use --storage sqlite:FILE')
    if (line.options['kit'] !== undefined) return exportKit(storage, line.options['kit'], line)
    if (line.options['design'] !== undefined) throw new UsageError('--design needs --kit FILE.zip')
    await withSite(storage, { mustExist: true }, (site) =>
      pipeline(site.exportStream({ ids: line.options.ids !== undefined }), process.stdout, { end: false }),
    )
  },
}

async function exportKit(storage: string, file: string, { options }: CommandLine): Promise<void> {
  if (options['ids'] !== undefined) throw new UsageError('a kit has no ids of the site: leave --ids out')
  try {
    const content = options['design'] === undefined
    const bytes = await withSite(storage, { mustExist: true }, (site) => site.kit.export({ content }))
    writeFileSync(file, bytes)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'export_kit') throw new CliError(message)
    throw error
  }
}
