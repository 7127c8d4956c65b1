/** A catalogue of templates: a folder of JSON files, each as the library exports it. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createSiteApi, d1, type Storage, type TemplateFile, type Templates } from 'site-api'

export function folderOfTemplates(folder: string): Templates {
  const read = async (id: string): Promise<TemplateFile> =>
    JSON.parse(await readFile(join(folder, `${id}.json`), 'utf8'))
  const ids = async () =>
    (await readdir(folder))
      .filter((name) => name.endsWith('.json'))
      .map((name) => basename(name, '.json'))
      .sort()
  return {
    list: async () =>
      Promise.all(
        (await ids()).map(async (id) => {
          const { title, type } = await read(id)
          return { id, title, type }
        }),
      ),
    // Only names that the folder has: an id never leads out of it.
    get: async (id) => ((await ids()).includes(id) ? read(id) : undefined),
  }
}

export const createApi = (storage: Storage, folder: string) =>
  createSiteApi({
    storage,
    profile: d1,
    url: 'https://example.com',
    services: { templates: folderOfTemplates(folder) },
  })
