/** Each command of the bin acts once, from the packed package in a blank folder; `serve` on Bun too. */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onRuntimes } from './runtimes.ts'
import { serveProblems } from './served.ts'

/** A command has to print this; its exit code is 0 unless another is named. */
interface Expected {
  readonly args: readonly string[]
  /** The name of a program in the folder, which runs in the place of the bin. */
  readonly program?: string
  readonly says: RegExp
  readonly code?: number
  readonly input?: string
}

const at = (file: string) => ['--storage', `sqlite:${file}`]
/** An agent sends these: its initial message, and a question for the tools. */
const messages = [
  {
    ...{ id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'check', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
const agent = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')

/** In an order in which each finds what it needs. */
const commands: readonly Expected[] = [
  { args: ['init', 'my-site', '--host', 'node'], says: /^made my-site for node: \d+ files/ },
  { args: ['help', 'serve'], says: /--port PORT[\s\S]*Examples:/ },
  { args: ['user', 'ada', '--role', 'administrator', ...at('site.db')], says: /ada/ },
  { args: ['user', ...at('site.db')], says: /ada/ },
  { args: ['password', 'ada', '--name', 'Check', ...at('site.db')], says: /(?:\w{4} ?){6}/ },
  { args: ['option', 'name', 'Quay', ...at('site.db')], says: /name\t"Quay"/ },
  { args: ['option', 'name', ...at('site.db')], says: /"Quay"/ },
  { args: ['migrate', ...at('site.db')], says: /schema version .*nothing to do/ },
  { args: ['check', ...at('site.db')], says: /nothing is wrong/ },
  { args: ['export', ...at('site.db')], says: /"name":\s*"Quay"/ },
  { args: ['backup', ...at('site.db'), 'copy.db'], says: /copy\.db is a backup/ },
  { args: ['option', 'name', 'Changed', ...at('site.db')], says: /Changed/ },
  { args: ['restore', ...at('site.db'), 'copy.db'], says: /holds the backup/ },
  { args: ['option', 'name', ...at('site.db')], says: /"Quay"/ },
  { args: ['explain', 'DELETE', '/cms/v2/posts/1', ...at('site.db')], says: /record +refused +id 1/ },
  { args: ['option', 'name', 'Tide', ...at('site.db')], says: /Tide/ },
  { args: ['history', ...at('site.db')], says: /\toption:name/ },
  { args: ['rewind', '--to', '2020-01-01T00:00:00Z', ...at('site.db')], says: /begins at/, code: 1 },
  { args: ['seed', 'seed.json', ...at('seeded.db')], says: /seeded \d+ things/ },
  {
    args: ['build', ...at('seeded.db'), '--out', 'public', '--url', 'https://quay.example'],
    says: /^public: \d+ files/,
  },
  { args: ['backup', ...at('seeded.db'), 'before.db'], says: /before\.db is a backup/ },
  { program: 'record.mjs', args: [], says: /^recorded/ },
  {
    args: ['replay', 'requests.jsonl', ...at('before.db')],
    says: /2 requests: 2 answered as recorded[\s\S]*as recorded/,
  },
  { args: ['import', 'old.xml', ...at('seeded.db'), '--administrator', 'ada'], says: /posts[\s\S]*1/ },
  { args: ['export', ...at('seeded.db')], says: /From the old site/ },
  { args: ['check', '--usage', ...at('seeded.db')], says: /\d+ references lead nowhere, \d+ records are unused/ },
  // The SDK of agents is an optional peer: with it, `checkAgent` lets the command act.
  { args: ['mcp', ...at('seeded.db')], says: /^site-api: [^\n]*@modelcontextprotocol\/sdk[^\n]*\n$/, code: 1 },
]
/** `serveProblems` checks these. */
const served = ['serve', 'start']

const seed = {
  options: { name: 'Harbour' },
  users: [
    {
      key: 'ada',
      login: 'ada',
      roles: ['administrator'],
      application_password: 'abcd efgh ijkl mnop qrst uvwx',
    },
  ],
  posts: [
    {
      key: 'tide',
      slug: 'tide',
      title: 'High tide',
      status: 'publish',
      date: '2024-05-01T10:00:00',
      content: '<p>At six.</p>',
    },
  ],
}

const exported = `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Old</title><wp:wxr_version>1.2</wp:wxr_version>
  <item><title>From the old site</title><wp:post_id>7</wp:post_id><wp:post_date>2023-05-01 10:00:00</wp:post_date>
  <wp:status>publish</wp:status><wp:post_name>old</wp:post_name><wp:post_type>post</wp:post_type>
  <content:encoded>Old</content:encoded></item></channel></rss>`

const recording = `import { createSiteApi, full } from 'site-api'
  import { sqliteStorage } from 'site-api/storage/sqlite'
  const api = createSiteApi({ storage: sqliteStorage('seeded.db'), profile: full, record: 'requests.jsonl' })
  const { data } = await api.call('POST', '/cms/v2/posts', { title: 'Ebb', status: 'publish' }, { as: 'system' })
  await api.call('GET', '/cms/v2/posts/{id}', { id: data.id })
  await api.close()
  console.log('recorded')`

export async function checkCommands(blank: string): Promise<readonly string[]> {
  const line = process.versions.node.split('.')[0]
  const main = join(blank, 'node_modules/site-api/dist/cli/main.js')
  return onRuntimes(blank, [`Node ${line}`, 'Bun'], async (program, options) => {
    const folder = join(blank, `commands-${program.endsWith('bun') ? 'bun' : 'node'}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed))
    writeFileSync(join(folder, 'old.xml'), exported)
    writeFileSync(join(folder, 'record.mjs'), recording)
    const command: Command = { program, options: [...options, main], folder }
    const problems = program === process.execPath ? await allProblems(command) : []
    return [...problems, ...(await serveProblems(command))]
  })
}

/** Lets an agent list the tools of a site, in a project that has the optional peers. */
export async function checkAgent(folder: string): Promise<readonly string[]> {
  const command = {
    program: process.execPath,
    options: [join(folder, 'node_modules/site-api/dist/cli/main.js')],
    folder,
  }
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed))
  return [
    ...(await commandProblems(command, { args: ['seed', 'seed.json', ...at('agent.db')], says: /seeded/ })),
    ...(await commandProblems(command, { args: ['mcp', ...at('agent.db')], says: /"tools":\[\{"name"/, input: agent })),
  ]
}

export interface Command {
  readonly program: string
  /** The options of the runtime, and the bin. */
  readonly options: readonly string[]
  readonly folder: string
}

async function allProblems(command: Command): Promise<readonly string[]> {
  const problems = await untriedCommands(command)
  for (const expected of commands) problems.push(...(await commandProblems(command, expected)))
  return problems
}

/** `help` names commands that nothing here tries. */
async function untriedCommands(command: Command): Promise<string[]> {
  const { said } = await runCommand(command, ['help'])
  const tried = new Set([...served, ...commands.map(({ args }) => args[0])])
  const named = [...said.matchAll(/^site-api (\w+)/gm)].map(([, name = '']) => name)
  if (named.length < 10) return [`help says ${said}`]
  return named.filter((name) => !tried.has(name)).map((name) => `the command ${name} has no check`)
}

async function commandProblems(command: Command, expected: Expected): Promise<string[]> {
  const { args, program, says, code = 0, input = '' } = expected
  const options = program === undefined ? command.options : [...command.options.slice(0, -1), program]
  const ended = await runCommand({ ...command, options }, args, input)
  const isRight = ended.code === code && says.test(ended.said)
  return isRight
    ? []
    : [`${program ?? `site-api ${args.join(' ')}`} ended with ${ended.code}: ${ended.said.slice(0, 1000)}`]
}

function runCommand({ program, options, folder }: Command, args: readonly string[], input = '') {
  return new Promise<{ readonly code: number | null; readonly said: string }>((resolve, reject) => {
    const environment = { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' }
    const child = spawn(program, [...options, ...args], { cwd: folder, env: environment })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        // An agent closes the input when it has its answer.
        if (input !== '' && said.includes('"tools"')) child.stdin.end()
      })
    }
    child.once('error', reject).once('close', (code) => resolve({ code, said }))
    if (input === '') child.stdin.end()
    else child.stdin.write(input)
  })
}
