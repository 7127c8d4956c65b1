/** `site-api serve`: serves a site on a port. */
import { type Command, UsageError } from './command.ts'
import { readDocument, seedFrom, writeIds } from './documents.ts'
import { serverOptions, serve as serveSite } from './server.ts'
import { removingNewFile } from './storage.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Serve a site. Without --storage nothing outlives the process, uploads neither.',
  options: {
    profile: { value: 'd1|d2|content|full', says: 'The features of the API; without it d1' },
    port: { value: 'PORT', says: 'The port, 0 for a free one; without it PORT of the environment, else 3000' },
    host: { value: 'ADDRESS', says: 'The network address; without it 127.0.0.1, which only this machine reaches' },
    root: { value: 'PATH', says: 'The path of the API; without it /api' },
    storage: { value: 'memory|sqlite:FILE|postgres://...', says: 'Where the site is kept; without it in memory' },
    seed: { value: 'FILE', says: 'Write this site document into the empty storage first', isRepeated: true },
    'ids-out': { value: 'FILE', says: 'Write the ids of the seeded entries to this file, by key' },
    names: { value: 'NAME', says: 'Speak the words of another system, such as wordpress' },
    url: { value: 'URL', says: 'The public address of the site, with which its links begin' },
    docs: { says: 'Serve the page of all routes, and the OpenAPI document' },
    pages: { says: 'Serve the pages of the site' },
  },
  positionals: 0,
  examples: ['serve --profile full --storage sqlite:site.db --docs --pages', 'serve --seed site.json --port 8080'],
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
