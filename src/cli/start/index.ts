/** `site-api start` (`npm start`): serves the sample site. */
import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { newApplicationPassword } from '../../core/runtime/crypto.ts'
import type { SiteApi } from '../../host/create-site-api.ts'
import type { Media } from '../../services/media.ts'
import { CliError, type Command, urlOption } from '../command.ts'
import { readDocument, seedFrom } from '../documents.ts'
import { addressOptions, serve, serverOptions } from '../server.ts'
import { makeSampleRelease, previewLines } from './sample-release.ts'

/** The user whose passwords are printed. */
const login = 'ada'
const passwordName = 'npm start'

/** Its own, so that no other site of the folder is taken for the sample. */
const folder = 'sample-site'

export const start: Command = {
  name: 'start',
  summary: `Serve the sample site, which is kept in the folder ${folder}.`,
  options: {
    profile: { value: 'full|d1|d2|content', says: 'The features of the API; without it full' },
    ...addressOptions,
    storage: { value: 'memory|sqlite:FILE|postgres://...', says: `Where the site is kept; without it in ${folder}` },
    url: urlOption,
  },
  positionals: 0,
  examples: ['start', 'start --storage memory --port 8080'],
  async run(line, { home }) {
    const samples = ['docs/sample-site.json', 'docs/sample-site/pages.json'].map((path) => new URL(path, home))
    const release = new URL('docs/sample-site/release.json', home)
    const { storage = `sqlite:${folder}/site.db`, profile = 'full' } = line.options
    if (line.options['storage'] === undefined) mkdirSync(folder, { recursive: true })
    // The whole profile, which receives the forms of the pages.
    const options = serverOptions({ ...line, options: { ...line.options, profile } }, storage)
    await serve({ ...options, docs: true, pages: true }, async (api, url, media) => {
      if (await api.site.isEmpty()) {
        const files = samples.map((sample) => fileURLToPath(sample))
        await seedFrom(api.site, files.map(readDocument), files, url)
        await copyPictures(new URL('docs/sample-site/uploads/', home), media)
        await makeSampleRelease(api, release, (await administrator(api)).id)
      }
      const lines = [await tryLine(api, url), docsLine(api, url), await signInLine(api, url)]
      return [`${url}/ is the site`, ...lines, ...(await previewLines(api, release))]
    })
  },
}

async function copyPictures(folder: URL, media: Media): Promise<void> {
  for (const path of globSync('**/*.jpg', { cwd: fileURLToPath(folder) })) {
    await media.write(path.replaceAll('\\', '/'), readFileSync(new URL(path, folder)), 'image/jpeg')
  }
}

async function administrator({ site }: SiteApi) {
  const user = await site.users.find({ login })
  if (!user) throw new CliError(`the sample site has lost its user ${login}: remove ${folder} to begin anew`)
  return user
}

/** Replaces the application password that the last start printed. */
async function tryLine(api: SiteApi, url: string): Promise<string> {
  const { site, root } = api
  const user = await administrator(api)
  for (const { id, name } of await site.passwords.list(user.id)) {
    if (name === passwordName) await site.passwords.revoke(id)
  }
  const { password } = await site.passwords.create(user.id, passwordName)
  return `curl -u '${login}:${password}' '${url}${root}/cms/v2/posts?context=edit&per_page=3'`
}

const docsLine = ({ root }: SiteApi, url: string) =>
  `${url}${root}/docs shows every route, to read and to try: sign in with the same`

/** The consent page, with a new password for it. */
async function signInLine(api: SiteApi, url: string): Promise<string> {
  const user = await administrator(api)
  const password = newApplicationPassword().slice(0, 12)
  await api.site.users.update(user.id, { password })
  return `${url}${api.root}/authorize?app_name=Sample lets an application in: sign in as ${login} with ${password}`
}
