/** `site-api build`: writes the public pages of a site as files. */
import { createSiteApi } from '../host/create-site-api.ts'
import { type StaticProgress, type StaticReport, StaticSiteError, writeStaticSite } from '../site-pages/static/index.ts'
import { CliError, type Command, oneOf, required, storageOption, UsageError, urlOf, urlOption } from './command.ts'
import { profiles } from './profiles.ts'
import { progressOf } from './progress.ts'
import { namesOf } from './server.ts'
import { isMemory, openStorage } from './storage.ts'
import { uploadsOf } from './uploads.ts'

export const build: Command = {
  name: 'build',
  summary: 'Write the public pages of a site as files for any web server; run again, only what has changed.',
  options: {
    storage: storageOption,
    out: { value: 'DIR', says: 'The folder of the files', isRequired: true },
    url: { ...urlOption, isRequired: true },
    server: { value: 'URL', says: 'Where the site runs: forms, comments and searches go there; without it to --url' },
    links: { value: 'relative|absolute', says: 'How pages link each other; without it relative' },
    whole: { says: 'Ask for every page, whatever the last run has left' },
    profile: { value: 'd1|d2|content|full', says: 'The features of the API; without it full' },
    names: { value: 'NAME', says: 'Speak the words of another system, such as wordpress' },
  },
  positionals: 0,
  examples: [
    'build --storage sqlite:site.db --out public --url https://www.example.com --server https://cms.example.com',
  ],
  async run(line) {
    const text = required(line, 'storage', 'sqlite:site.db')
    if (isMemory(text)) throw new UsageError('memory is empty here: use --storage sqlite:FILE')
    const out = required(line, 'out', 'public')
    const url = urlOf(line) ?? required(line, 'url', 'https://www.example.com')
    const server = urlOf(line, 'server') ?? url
    const links = line.options['links'] === undefined ? 'relative' : oneOf(line, 'links', ['relative', 'absolute'])
    const profile =
      line.options['profile'] === undefined ? 'full' : oneOf(line, 'profile', ['d1', 'd2', 'content', 'full'])
    const names = namesOf(line)
    const storage = await openStorage(text, { mustExist: true })
    try {
      const services = { media: uploadsOf(text) }
      const api = createSiteApi({ storage, profile: profiles[profile], url: server, names, services })
      const whole = line.options['whole'] !== undefined
      const report = await writeStaticSite(api, {
        to: out,
        url,
        server,
        links,
        whole,
        onProgress: shownProgress(),
      }).catch(asCliError)
      await api.close()
      process.stdout.write(reportText(report, out))
    } finally {
      await storage.close?.()
    }
  },
}

function shownProgress(): (progress: StaticProgress) => void {
  const shown = { reading: progressOf(process.stderr, 'reading'), writing: progressOf(process.stderr, 'writing') }
  return ({ doing, done, total }) => shown[doing]?.(done, total)
}

/** A page that fails has its reason in the log of the site. */
function asCliError(error: unknown): never {
  throw error instanceof StaticSiteError ? new CliError(error.message) : error
}

/** Links that lead nowhere are listed up to this number. */
const mostListed = 20

function reportText(report: StaticReport, out: string): string {
  const { files, written, removed, redirects, requested, whole, onServer, broken } = report
  const left = broken.length > mostListed ? [`... and ${broken.length - mostListed} more`] : []
  const lines = [
    `${out}: ${files} files (${written} written, ${removed} removed), ${redirects} redirects`,
    `${requested} pages asked for${whole === undefined ? '' : `, all of them: ${whole}`}`,
    ...(onServer.length === 0 ? [] : [`left to the running site: ${onServer.slice(0, mostListed).join(' ')}`]),
    ...broken.slice(0, mostListed).map(({ address, from }) => `leads nowhere: ${address} on ${from}`),
    ...left,
  ]
  return `${lines.join('\n')}\n`
}
