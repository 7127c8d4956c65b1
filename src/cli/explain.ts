/** `site-api explain`: tells the steps of a request, and what would make a refused one pass. */

import { parsedJson } from '../contract/parsed-json.ts'
import { createSiteApi, type SiteApi } from '../host/create-site-api.ts'
import type { Explanation } from '../index.ts'
import {
  CliError,
  type Command,
  type CommandLine,
  oneOf,
  required,
  storageOption,
  UsageError,
  urlOf,
  urlOption,
} from './command.ts'
import { profiles } from './profiles.ts'
import { openStorage } from './storage.ts'
import { uploadsOf } from './uploads.ts'

export const explain: Command = {
  name: 'explain',
  takes: 'METHOD PATH',
  summary: 'Say step by step why a request is refused or passes; writes are only tried.',
  options: {
    storage: storageOption,
    as: { value: 'USER', says: 'Who sends it: a login, an id, or system; without it a visitor' },
    body: { value: 'JSON', says: 'The arguments, as a JSON object' },
    header: { value: 'NAME:VALUE', says: 'A header, such as If-Match', isRepeated: true },
    profile: { value: 'full|d1|d2|content', says: 'The features of the API; without it full' },
    view: { value: 'host|own', says: 'own leaves out what the user may not know; without it host' },
    json: { says: 'Print JSON' },
    url: urlOption,
  },
  positionals: 2,
  examples: [
    'explain POST /cms/v2/posts/12 --as sam --body \'{"title":"Tide"}\' --storage sqlite:site.db',
    'explain GET /cms/v2/posts/12 --view own --storage sqlite:site.db',
  ],
  async run(line) {
    const [method = '', path = ''] = line.positionals
    const profile = profiles[oneOf(line, 'profile', ['full', 'd1', 'd2', 'content'])]
    const view = oneOf(line, 'view', ['host', 'own'])
    const body = bodyOf(line)
    const headers = headersOf(line)
    const url = urlOf(line)
    const storageText = required(line, 'storage', 'sqlite:site.db')
    const storage = await openStorage(storageText, { mustExist: true })
    const media = uploadsOf(storageText)
    const api = createSiteApi({ storage, profile, services: { media }, ...(url === undefined ? {} : { url }) })
    try {
      const as = await senderOf(api, line.options['as'])
      const explanation = await api.explain(method, path, { view, body, headers, ...(as === undefined ? {} : { as }) })
      const text = line.options['json'] === undefined ? written(explanation) : JSON.stringify(explanation, null, 2)
      process.stdout.write(`${text}\n`)
    } finally {
      await api.close()
    }
  },
}

function bodyOf({ options: { body } }: CommandLine): { readonly [name: string]: unknown } | undefined {
  if (body === undefined) return undefined
  const value = parsedJson(body)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new UsageError(`--body must be a JSON object such as {"title":"Tide"}, not ${body}`)
}

const headersOf = ({ lists: { header = [] } }: CommandLine) =>
  Object.fromEntries(
    header.map((text) => {
      const colon = text.indexOf(':')
      if (colon < 1) throw new UsageError(`--header must be a name and a value like If-Match:"abc", not ${text}`)
      return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]
    }),
  )

async function senderOf({ site }: SiteApi, text: string | undefined): Promise<number | 'system' | undefined> {
  if (text === undefined || text === 'system') return text
  const user = (await site.users.find({ login: text })) ?? (await site.users.find({ id: Number(text) }))
  if (!user) throw new CliError(`there is no user ${text}: site-api user lists them`)
  return user.id
}

function written({ method, path, as, status, error, steps, toPass }: Explanation): string {
  const outcome = error ? `${status} ${error.code}: ${error.message}` : `${status ?? 'would be carried out'}`
  const width = Math.max(...steps.map(({ step }) => step.length))
  const lines = steps.map(({ step, verdict, says, lacks = [] }) => {
    const ways = lacks.map((way) => way.join(' and ')).join(', or ')
    const about = [...(says === undefined ? [] : [says]), ...(ways === '' ? [] : [`lacks ${ways}`])].join('; ')
    return `  ${step.padEnd(width)}  ${verdict.padEnd('not reached'.length)}  ${about}`.trimEnd()
  })
  return [`${method} ${path} as ${as}: ${outcome}`, ...lines, ...(toPass === undefined ? [] : [toPass])].join('\n')
}
