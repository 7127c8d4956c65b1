/** `site-api serve`: serves a site on a port. */
import { type Command, UsageError } from './command.ts'
import { readDocument, seedFrom, writeIds } from './documents.ts'
import { serverOptions, serve as serveSite } from './server.ts'
import { removingNewFile } from './storage.ts'

export const serve: Command = {
  usage:
    'serve [--profile d1|d2|content|full] [--port 3000] [--host 127.0.0.1] [--root /api] [--storage memory|sqlite:FILE|postgres://...] [--seed FILE]... [--ids-out FILE] [--names NAME] [--url URL] [--docs] [--pages]',
  summary: 'Serve a site. Without --storage nothing outlives the process, uploads neither.',
  options: ['profile', 'port', 'host', 'root', 'storage', 'ids-out', 'names', 'url'],
  lists: ['seed'],
  switches: ['docs', 'pages'],
  positionals: 0,
  async run(line) {
    const { storage = 'memory', 'ids-out': idsOut } = line.options
    const { seed: files = [] } = line.lists
    if (idsOut !== undefined && files.length === 0) throw new UsageError('--ids-out needs --seed FILE')
    const documents = files.map(readDocument)
    const options = serverOptions(line, storage)
    const start = () =>
      serveSite(options, async (api, url) => {
        if (files.length === 0) return []
        const ids = await seedFrom(api.site, documents, files, url)
        if (idsOut !== undefined) writeIds(idsOut, ids)
        return []
      })
    await (files.length > 0 ? removingNewFile(storage, start) : start())
  },
}
