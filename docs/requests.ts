/**
 * The pages of docs/features: what each group of features is for, its routes, and requests with the answers that they got.
 * `npm run docs` sends them to a sample site and writes the pages anew; a test holds the pages to it.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

async function page(group: Group, all: readonly Row[]): Promise<string> {
  const { title, intro, profile, features, services } = group
  const scene = await openScene(profile, services)
  await group.run(scene)
  await scene.api.close()
  const shown = scene.exchanges.map((exchange) => exchangeText(exchange, scene.masks))
  const parts = [
    `# ${title}`,
    wrapped(intro),
    wrapped(
      `${made} The requests went to profile ${profile.name}; [the index](README.md) says what \`$API\` and \`$PASSWORD\` are.`,
    ),
    '## Routes',
    routesTable(all.filter(({ feature }) => features.includes(feature))),
    '## Refusals',
    refusals(group, scene.exchanges),
    '## Requests',
    ...shown,
  ]
  return `${parts.join('\n\n')}\n`
}

/** Lines as long as those that are written by hand. */
function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= 120) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

function routesTable(of: readonly Row[]): string {
  const body = of.map(({ path, endpoint: { methods, permission, summary = '' } }) => [
    methods.join(' '),
    `\`${path}\``,
    permission.who,
    summary,
  ])
  return table(['Methods', 'Path', 'Who', 'What it does'], body)
}

// ---------------------------------------------------------------- refusals

const text = `(?:'(?:[^'\\\\]|\\\\.)*'|\`[^\`]*\`|\\w+)`
/** A call that makes a refusal: the code, and the status where it is said there. */
const refusing = new RegExp(
  `\\b(new ApiError|failure|forbidden|unless)\\(\\s*(?:\\w+(?:\\.\\w+)?(?:\\([^()]*\\))?,\\s*){0,2}'([A-Za-z][\\w-]*)'(?:,\\s*${text},\\s*(\\d{3})\\b)?`,
  'g',
)
/** The check of an argument that has a code of its own. */
const checking = /\bcode: '([a-z]+(?:_[a-z]+)+)'(,\s*message:)?/g

/** The codes that the source of the group's features names, and those that were answered. */
function refusals({ features, sources = features }: Group, exchanges: readonly Exchange[]): string {
  const statuses = new Map<string, Set<string>>()
  const add = (code: string, ...of: readonly string[]) =>
    statuses.set(code, new Set([...(statuses.get(code) ?? []), ...of]))
  for (const file of sources.flatMap((name) => globSync(`src/features/*/${name}{.ts,/*.ts}`, { cwd: home }))) {
    const source = readFileSync(new URL(file, home), 'utf8')
    for (const [, made = '', code = '', status] of source.matchAll(refusing)) {
      // Some functions of this name take no code first.
      if (made === 'failure' && !code.includes('_')) continue
      if (status !== undefined) add(code, status)
      else add(code, ...(made === 'forbidden' || made === 'unless' ? ['401', '403'] : []))
    }
    for (const [, code = '', message] of source.matchAll(checking)) add(code, message ? '400 in `details`' : '400')
  }
  for (const { status, answer } of exchanges) {
    const code = status < 400 ? undefined : (answer as { readonly code?: unknown }).code
    if (typeof code === 'string') add(code, String(status))
  }
  const general = new Set(shared.map(([code]) => code))
  const own = [...statuses].filter(([code]) => !general.has(`\`${code}\``)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const link = '[those that all routes have](README.md#refusals-that-all-routes-have)'
  if (own.length === 0) return `None but ${link}.`
  const body = own.map(([code, of]) => [`\`${code}\``, [...of].toSorted().join(', ')])
  return `Beside ${link}:\n\n${table(['Code', 'Status'], body)}`
}

// ---------------------------------------------------------------- all pages

const shared = [
  ['`rest_no_route`', '404', 'No route has this path and method'],
  ['`rest_missing_callback_param`', '400', 'An argument is missing; `data.params` lists the names'],
  ['`rest_invalid_param`', '400', 'An argument is wrong; `data.params` and `data.details` say why, by name'],
  ['`rest_invalid_json`', '400', 'The body is not valid JSON'],
  ['`rest_forbidden`', '401, 403', 'The caller may not; 401 for a visitor, 403 for a known user'],
  ['`rest_body_too_large`', '413', 'The body is larger than the limit'],
  ['`rest_too_long`', '400', 'In `data.details`: a search is longer than the limit'],
]

function indexPage(): string {
  const links = groups.map(({ slug, title, features }) => [`[${title}](${slug}.md)`, features.join(', ')])
  const parts = [
    '# Groups of features',
    made,
    table(['Page', 'Features'], links),
    'Every answer was really given: by the sample site of the repository (`docs/sample-site.json`), in memory, with its clock\n' +
      'at 1 October 2024. To send the requests yourself:',
    "```bash\nnpm ci && npm start\nAPI=http://127.0.0.1:3000/api\nPASSWORD='the one that npm start has printed'\n```",
    'A user has a password of its own: `npm start` makes the one of ada, `site-api password` makes others. Ids are those of a\n' +
      'new sample site. What is left out of an answer is counted in its place, after `…`; words in capitals and ids of zeros\n' +
      'stand for values that are new each time. All routes are in [routes.md](../routes.md).',
    '## Refusals that all routes have',
    'A refusal is `{ code, message, data: { status } }`. Go by the code: the message is for people.',
    table(['Code', 'Status', 'When'], shared),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The pages by file, as they should be. */
export async function madePages(): Promise<{ readonly [file: string]: string }> {
  const all = rows()
  const pages = await Promise.all(
    groups.map(async (group) => [`${folder}/${group.slug}.md`, await page(group, all)] as const),
  )
  return { [`${folder}/README.md`]: indexPage(), ...Object.fromEntries(pages) }
}

if (import.meta.main) {
  for (const file of globSync(`${folder}/*.md`, { cwd: home })) rmSync(new URL(file, home))
  for (const [file, page] of Object.entries(await madePages())) writeFileSync(new URL(file, home), page)
}
