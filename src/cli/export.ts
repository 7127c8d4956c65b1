/** `site-api export`: writes a site as a document to stdout, or as a kit to a file. */
import { writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CliError, type Command, type CommandLine, required, storageOption, UsageError } from './command.ts'
import { progressOf } from './progress.ts'
import { withSite } from './site.ts'
import { isMemory } from './storage.ts'

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write the whole site as a document to the output, or as a kit to a file; secrets leave as digests.',
  options: {
    storage: storageOption,
    ids: { says: 'Write ids too: a seed of the document keeps them all' },
    kit: { value: 'FILE.zip', says: 'Write a site kit to this file instead' },
    design: { says: 'Put only the design and the templates into the kit' },
  },
  positionals: 0,
  examples: [
    'export --storage sqlite:site.db > site.json',
    'export --storage sqlite:site.db --kit design.zip --design',
  ],
  async run(line) {
    const storage = required(line, 'storage', 'sqlite:site.db')
    if (isMemory(storage)) throw new UsageError('memory is empty here: use --storage sqlite:FILE')
    if (line.options['kit'] !== undefined) return exportKit(storage, line.options['kit'], line)
    if (line.options['design'] !== undefined) throw new UsageError('--design needs --kit FILE.zip')
    // Progress between the lines of a document on the same terminal would be in the way.
    const shown = process.stdout.isTTY ? {} : { progress: progressOf(process.stderr, 'reading', { least: 1000 }) }
    await withSite(storage, { mustExist: true }, (site) =>
      pipeline(site.exportStream({ ids: line.options.ids !== undefined, ...shown }), process.stdout, { end: false }),
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
