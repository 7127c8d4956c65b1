/** `site-api serve`: serves a site on a port. */
import { type Command, idsOption, UsageError, urlOption } from './command.ts'
import { readDocument, seedFrom, writeIds } from './documents.ts'
import { addressOptions, serverOptions, serve as serveSite } from './server.ts'
import { removingNewFile } from './storage.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Serve a site. Without --storage nothing outlives the process, uploads neither.',
  options: {
    profile: { value: 'd1|d2|content|full', says: 'The features of the API; without it d1' },
    ...addressOptions,
    storage: { value: 'memory|sqlite:FILE|postgres://...', says: 'Where the site is kept; without it in memory' },
    seed: { value: 'FILE', says: 'Write this site document into the empty storage first', isRepeated: true },
    'ids-out': idsOption,
    names: { value: 'NAME', says: 'Speak the words of another system, such as wordpress' },
    url: urlOption,
    docs: { says: 'Serve the page of all routes, and the OpenAPI document' },
    pages: { says: 'Serve the pages of the site' },
    record: { value: 'FILE', says: 'Record the requests, without secrets, for site-api replay' },
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
