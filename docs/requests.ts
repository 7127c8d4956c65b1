/**
 * The pages of docs/features: what each group of features is for, its routes, and requests with the answers that they got.
 * `npm run docs` sends them to a sample site and writes the pages anew; a test holds the pages to it.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { examplesFile, examplesText, type Recording } from './recorded-examples.ts'
import { builderGroups } from './requests/builder.ts'
import { contentGroups } from './requests/content.ts'
import type { Group } from './requests/group.ts'
import { plusGroups } from './requests/plus.ts'
import { productGroups } from './requests/product.ts'
import { type Exchange, openScene } from './requests/scene.ts'
import { exchangeText } from './requests/shown.ts'
import { type Row, rows, table } from './tables.ts'

const groups: readonly Group[] = [...contentGroups, ...builderGroups, ...productGroups, ...plusGroups]
const home = new URL('..', import.meta.url)
const folder = 'docs/features'

const made = 'Made by `npm run docs`, which sends what stands here; not written by hand.'

interface GroupRecording extends Recording {
  readonly group: Group
  /** The number of exchanges that the page shows. */
  readonly shownCount: number
}

async function record(group: Group): Promise<GroupRecording> {
  const scene = await openScene(group.profile, group.services)
  await group.run(scene)
  const shownCount = scene.exchanges.length
  await group.more?.(scene)
  await scene.api.close()
  return { group, shownCount, exchanges: scene.exchanges, masks: scene.masks }
}

function page({ group, exchanges: sent, shownCount, masks }: GroupRecording, all: readonly Row[]): string {
  const { title, intro, profile, features } = group
  const exchanges = sent.slice(0, shownCount)
  const shown = exchanges.map((exchange) => exchangeText(exchange, masks))
  const parts = [
    `# ${title}`,
    wrapped(intro),
    wrapped(
      `${made} The requests went to profile ${profile.name}; [the index](README.md) explains \`$API\` and \`$PASSWORD\`.`,
    ),
    '## Routes',
    routesTable(all.filter(({ feature }) => features.includes(feature))),
    '## Errors',
    errorsTable(group, exchanges),
    '## Requests',
    ...shown,
  ]
  return `${parts.join('\n\n')}\n`
}

/** Text in lines of at most 120 characters. */
function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= 120) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

function routesTable(routes: readonly Row[]): string {
  const body = routes.map(({ path, endpoint: { methods, permission, summary = '' } }) => [
    methods.join(' '),
    `\`${path}\``,
    permission.who,
    summary,
  ])
  return table(['Methods', 'Path', 'Who', 'What it does'], body)
}

// ---------------------------------------------------------------- errors

const text = `(?:'(?:[^'\\\\]|\\\\.)*'|\`[^\`]*\`|\\w+)`
/** A call that creates an error: the function, the code, and the status if it is an argument. */
const errorCall = new RegExp(
  `\\b(new ApiError|failure|forbidden|unless)\\(\\s*(?:\\w+(?:\\.\\w+)?(?:\\([^()]*\\))?,\\s*){0,2}'([A-Za-z][\\w-]*)'(?:,\\s*${text},\\s*(\\d{3})\\b)?`,
  'g',
)
/** An argument check with its own error code. */
const argumentCheck = /\bcode: '([a-z]+(?:_[a-z]+)+)'(,\s*message:)?/g

/** A code with the statuses that the source or a response has for it. */
type ErrorCode = readonly [code: string, statuses: readonly string[]]

/** The error codes in the source of the group's features and in the responses on its page. */
function errorsTable({ features, sources = features }: Group, exchanges: readonly Exchange[]): string {
  const files = sources.flatMap((name) => globSync(`src/features/*/${name}{.ts,/*.ts}`, { cwd: home }))
  const codes = [...files.flatMap(codesInSource), ...exchanges.flatMap(codeInResponse)]
  const statuses = new Map<string, Set<string>>()
  for (const [code, more] of codes) statuses.set(code, new Set([...(statuses.get(code) ?? []), ...more]))
  const general = new Set(shared.map(([code]) => code))
  const own = [...statuses].filter(([code]) => !general.has(`\`${code}\``)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const link = '[those of all routes](README.md#errors-of-all-routes)'
  if (own.length === 0) return `None but ${link}.`
  const body = own.map(([code, statuses]) => [`\`${code}\``, [...statuses].toSorted().join(', ')])
  return `Besides ${link}:\n\n${table(['Code', 'Status'], body)}`
}

function codesInSource(file: string): ErrorCode[] {
  const source = readFileSync(new URL(file, home), 'utf8')
  const calls = [...source.matchAll(errorCall)]
    // Some functions named `failure` have another first argument.
    .filter(([, name, code = '']) => name !== 'failure' || code.includes('_'))
    .map(([, name, code = '', status]): ErrorCode => [code, status === undefined ? statusesOf(name) : [status]])
  const checks = [...source.matchAll(argumentCheck)].map(
    ([, code = '', message]): ErrorCode => [code, [message ? '400 in `details`' : '400']],
  )
  return [...calls, ...checks]
}

const statusesOf = (name: string | undefined) => (name === 'forbidden' || name === 'unless' ? ['401', '403'] : [])

function codeInResponse({ status, response }: Exchange): ErrorCode[] {
  const code = status < 400 ? undefined : (response as { readonly code?: unknown }).code
  return typeof code === 'string' ? [[code, [String(status)]]] : []
}

// ---------------------------------------------------------------- all pages

const shared = [
  ['`rest_no_route`', '404', 'No route has this path and method'],
  ['`rest_missing_callback_param`', '400', 'An argument is missing; `data.params` lists the names'],
  ['`rest_invalid_param`', '400', 'An argument is wrong; `data.params` and `data.details` have the reasons, by name'],
  ['`rest_invalid_json`', '400', 'The body is not valid JSON'],
  ['`rest_forbidden`', '401, 403', 'The caller lacks the permission; 401 for a visitor, 403 for a signed-in user'],
  ['`rest_body_too_large`', '413', 'The body is larger than the limit'],
  ['`rest_too_long`', '400', 'In `data.details`: a search is longer than the limit'],
]

function indexPage(): string {
  const links = groups.map(({ slug, title, features }) => [`[${title}](${slug}.md)`, features.join(', ')])
  const parts = [
    '# Groups of features',
    made,
    table(['Page', 'Features'], links),
    'Every response is real: from the sample site of the repository (`docs/sample-site.json`), in memory, with its clock at\n' +
      '1 October 2024. To send the requests yourself:',
    "```bash\nnpm ci && npm start\nAPI=http://127.0.0.1:3000/api\nPASSWORD='the one that npm start has printed'\n```",
    'Each user has an application password: `npm start` creates the one of ada, `site-api password` creates others. Ids are\n' +
      'those of a new sample site. `…` and a number replace omitted parts of a response; words in capitals and ids of zeros\n' +
      'replace values that differ each time. All routes are in [routes.md](../routes.md).',
    '## Errors of all routes',
    'An error is `{ code, message, data: { status } }`. Programs should use the code; the message is for people.',
    table(['Code', 'Status', 'When'], shared),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The generated pages and examples by file. */
export async function madePages(): Promise<{ readonly [file: string]: string }> {
  const all = rows()
  const recordings = await Promise.all(groups.map(record))
  const pages = recordings.map((recording) => [`${folder}/${recording.group.slug}.md`, page(recording, all)] as const)
  return {
    [`${folder}/README.md`]: indexPage(),
    ...Object.fromEntries(pages),
    [examplesFile]: examplesText(recordings, all),
  }
}

if (import.meta.main) {
  for (const file of globSync(`${folder}/*.md`, { cwd: home })) rmSync(new URL(file, home))
  for (const [file, page] of Object.entries(await madePages())) writeFileSync(new URL(file, home), page)
}
