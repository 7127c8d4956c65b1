/** `site-api seed`: seeds an empty storage with a document. */
import {
  type Command,
  dryRunOption,
  idsOption,
  isDryRun,
  required,
  storageOption,
  UsageError,
  urlOf,
  urlOption,
} from './command.ts'
import { readDocument, seedFrom, writeIds } from './documents.ts'
import { withSite } from './site.ts'
import { isMemory, removingNewFile, shown } from './storage.ts'

export const seed: Command = {
  name: 'seed',
  takes: 'FILE',
  summary: 'Write a site document into an empty storage, whole or not at all.',
  options: {
    and: { value: 'FILE', says: 'Another document, which completes the first', isRepeated: true },
    storage: storageOption,
    url: urlOption,
    'ids-out': idsOption,
    'dry-run': dryRunOption,
  },
  positionals: 1,
  examples: ['seed site.json --storage sqlite:site.db --url https://www.example.com'],
  async run(line) {
    const files = [...line.positionals, ...(line.lists['and'] ?? [])]
    const storage = required(line, 'storage', 'sqlite:site.db')
    if (isMemory(storage)) throw new UsageError('memory ends with this command: use --storage sqlite:FILE')
    const documents = files.map(readDocument)
    const baseUrl = urlOf(line) ?? 'http://127.0.0.1:3000'
    const ids = await removingNewFile(storage, () =>
      withSite(storage, { mustExist: false, isDryRun: isDryRun(line), changes: 'many' }, (site) =>
        seedFrom(site, documents, files, baseUrl),
      ),
    )
    if (isDryRun(line)) return
    const { 'ids-out': idsOut } = line.options
    if (idsOut !== undefined) writeIds(idsOut, ids)
    process.stdout.write(`seeded ${Object.keys(ids).length} things into ${shown(storage)}\n`)
  },
}
