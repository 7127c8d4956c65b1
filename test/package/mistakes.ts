/** Makes usual mistakes in programs of a host, and reads what they print: short, in words, and with a place to open. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from './run.ts'

interface Mistake {
  readonly name: string
  /** The line with `// here` has the mistake. */
  readonly program: string
  readonly says: RegExp
  /** Names a place other than that line, where a person looks for the cause. */
  readonly place?: RegExp
  /** The program goes on: the mistake is in the log alone. */
  readonly ends?: boolean
}

const longestOutput = 2000
const longestLine = 300

const imports = `import { anyone, createSiteApi, endpoint, feature, full, profile } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'
import { sqliteStorage } from 'site-api/storage/sqlite'
import { serveNode } from 'site-api/node'
import { createClient } from 'site-api/client'
const url = 'http://site.example'
const storage = memoryStorage()
`
const site = 'const api = createSiteApi({ storage, profile: full, url })\n'
const with_ = (...features: readonly string[]) =>
  `profile({ ...full, name: 'own', features: [...full.features, ${features.join(', ')}] })`

const mistakes: readonly Mistake[] = [
  {
    name: 'a misspelt option',
    program: `createSiteApi({ storage, profile: full, ulr: url }) // here`,
    says: /no option ulr: did you mean url\?/,
  },
  {
    name: 'the name of a profile in its place',
    program: `createSiteApi({ storage, profile: 'ful', url }) // here`,
    says: /profile must be .* not 'ful'/,
  },
  {
    name: 'several wrong options',
    program: `createSiteApi({ profile: full, url: 'site.example', root: 7 }) // here`,
    says: /3 problems:\n- .*storage.*\n- .*url.*\n- .*root/,
  },
  {
    name: 'an unknown role',
    program: `${site}await api.site.users.create({ login: 'ada', roles: ['admin'] }) // here`,
    says: /no role admin: did you mean administrator\?/,
  },
  {
    name: 'a route that is declared twice',
    program: `const route = endpoint({ path: '/tides', methods: ['GET'], args: {}, permission: anyone, handler: () => ({}) })
const [one, two] = [feature('one', 'tides/v1', [route]), feature('two', 'tides/v1', [route])]
createSiteApi({ storage, profile: ${with_('one', 'two')}, url }) // here`,
    says: /\/tides/,
    place: /one[\s\S]*two/,
  },
  {
    name: 'a missing folder for the database',
    program: `const api = createSiteApi({ storage: sqliteStorage('nowhere/below/site.db'), profile: full, url }) // here
await api.site.isEmpty()`,
    says: /nowhere\/below/,
    place: /folder.*nowhere\/below|nowhere\/below.*folder/,
  },
  {
    name: 'a port that is taken',
    program: `${site}const { port } = new URL((await serveNode(api, { port: 0 })).url)
await serveNode(api, { port: Number(port) }) // here`,
    says: /EADDRINUSE/,
    place: /:\d+/,
  },
  {
    name: 'a call of a route that is not there',
    program: `${site}async function latest() {
  return await api.call('GET', '/cms/v2/postz') // here
}
await latest()`,
    says: /ApiError: GET \/cms\/v2\/postz: No route/,
  },
  {
    name: 'a call without the right',
    program: `${site}await api.call('POST', '/cms/v2/posts', { title: 'x' }) // here`,
    says: /ApiError: POST \/cms\/v2\/posts: You may not create posts/,
  },
  {
    name: 'a call of a client for a record that is not there',
    program: `${site}await createClient({ api }).orThrow.get('/cms/v2/posts/{id}', { id: 99 }) // here`,
    says: /There is no such post/,
  },
  {
    name: 'a failure in a route of the host',
    program: `const own = feature('own', 'own/v1', [endpoint({ path: '/x', methods: ['GET'], args: {}, permission: anyone, handler: () => {
  const nothing = undefined
  return nothing.length // here
} })])
const api = createSiteApi({ storage, profile: ${with_('own')}, url })
await api.fetch(new Request(url + '/api/own/v1/x'))`,
    says: /GET \/own\/v1\/x[\s\S]*TypeError/,
    ends: true,
  },
]

export async function checkMistakes(blank: string): Promise<readonly string[]> {
  const folder = join(realpathSync(blank), 'mistakes')
  mkdirSync(folder)
  const problems = await Promise.all(mistakes.map((mistake, at) => problemsOf(folder, `mistake-${at}.js`, mistake)))
  console.log(`  ${mistakes.length} programs`)
  return problems.flat()
}

async function problemsOf(folder: string, file: string, mistake: Mistake): Promise<readonly string[]> {
  const text = imports + mistake.program
  writeFileSync(join(folder, file), text)
  const { code, said } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', file], folder)
  // The length of the name of a temporary folder says nothing of the package.
  const blank = join(folder, '..')
  const printed = said.replaceAll(pathToFileURL(blank).href, '').replaceAll(blank, '')
  const line = text.split('\n').findIndex((one) => one.includes('// here')) + 1
  const place = mistake.place ?? new RegExp(`${file}:${line}\\b`)
  const problems = [
    ...((code === 0) === (mistake.ends ?? false) ? [] : [`ends with ${code}`]),
    ...(printed.length > longestOutput ? [`prints ${printed.length} characters`] : []),
    ...(printed.split('\n').some((one) => one.length > longestLine) ? ['prints a line that nobody can read'] : []),
    ...(mistake.says.test(printed) ? [] : [`does not say ${mistake.says}`]),
    ...(place.test(printed) ? [] : [`does not name ${place}`]),
  ]
  return problems.map((problem) => `${mistake.name}: ${problem}:\n${printed.slice(0, longestOutput)}`)
}
