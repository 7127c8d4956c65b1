/**
 * Generates parts of the documents from the source: the tables of routes, events and options, and the lists of choices.
 * `npm run docs` writes them, and a test compares them with the files.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AnyEndpoint } from '../src/core/declare/endpoint.ts'
import type { Feature } from '../src/core/declare/feature.ts'
import { parsePattern } from '../src/core/declare/pattern.ts'
import type { Profile } from '../src/core/declare/profile.ts'
import { indexFeatures } from '../src/core/describe/site-index.ts'
import { kitFeatures } from '../src/features/builder/site-kits/index.ts'
import { consent } from '../src/pages/consent/index.ts'
import { content } from '../src/profiles/content.ts'
import { d1 } from '../src/profiles/d1.ts'
import { d2 } from '../src/profiles/d2.ts'
import { full } from '../src/profiles/full.ts'
import { describedEvents } from './event-table.ts'
import { listOfMarked } from './marked.ts'
import { type DescribedOptions, describedOptions } from './option-tables.ts'
import { housePicture, requestPicture } from './pictures.ts'

const profiles = [d1, d2, content, full]

export interface Row {
  readonly feature: string
  readonly namespace: string
  readonly path: string
  readonly endpoint: AnyEndpoint
  /** Whether each profile has the endpoint, in the order of `profiles`. */
  readonly offered: readonly boolean[]
}

const pages = [consent({})]

const featuresOf = (profile: Profile): readonly Feature[] => [...indexFeatures(profile), ...pages, ...profile.features]

/** Features that no profile has and hosts add. */
const optional: readonly Feature[] = kitFeatures

/** One row for each endpoint of any profile, and of the optional features; endpoints that differ only in the pattern of a parameter are one row. */
export function rows(): readonly Row[] {
  const rowsByKey = new Map<string, Row>()
  for (const [index, profile] of profiles.entries()) {
    for (const row of featuresOf(profile).flatMap(rowsOf)) {
      const key = `${row.endpoint.methods.join()} ${row.path}`
      const { offered } = rowsByKey.get(key) ?? row
      rowsByKey.set(key, { ...row, offered: offered.with(index, true) })
    }
  }
  return [...rowsByKey.values(), ...optional.flatMap(rowsOf)]
}

/** The rows of a feature, as no profile has them. */
function rowsOf({ name, namespace, endpoints }: Feature): Row[] {
  return endpoints.map((endpoint) => ({
    ...{ feature: name, namespace, endpoint, offered: profiles.map(() => false) },
    path: parsePattern(namespace === '' ? endpoint.path : `/${namespace}${endpoint.path}`).readable,
  }))
}

function groupsOf(all: readonly Row[]): readonly (readonly [feature: string, rows: readonly Row[]])[] {
  const names = [...new Set(all.map(({ feature }) => feature))]
  return names.map((name) => [name, all.filter(({ feature }) => feature === name)])
}

/** A Markdown table with padded columns, as the formatter writes it. */
export function table(head: readonly string[], body: readonly (readonly (string | number)[])[]): string {
  const cells = [head, ...body].map((row) => row.map((cell) => String(cell).replaceAll('|', '\\|')))
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)))
  const rule = widths.map((width) => '-'.repeat(width))
  return [...lines.slice(0, 1), rule, ...lines.slice(1)].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

const routesIn = (all: readonly Row[], profileIndex: number) =>
  new Set(all.filter(({ offered }) => offered[profileIndex]).map(({ path }) => path)).size

/** The table of docs/guide.md: how many routes of each feature a profile has. */
function statusTable(): string {
  const all = rows()
  const counts = (routes: readonly Row[]) => profiles.map((_, index) => routesIn(routes, index) || '-')
  const body = groupsOf(all).map(([feature, routes]) => {
    const namespaces = [...new Set(routes.map(({ namespace }) => namespace))].filter((name) => name !== '')
    return [feature, namespaces.map((name) => `\`${name}\``).join(', '), ...counts(routes)]
  })
  return table(
    ['Feature', 'Namespace', ...profiles.map(({ name }) => `Routes in ${name}`)],
    [...body, ['all', '', ...counts(all)]],
  )
}

/** The text of docs/routes.md. */
function routesPage(): string {
  const sections = groupsOf(rows()).map(([feature, routes]) => {
    const body = routes.map(({ path, offered, endpoint: { methods, permission, batch, summary = '' } }) => [
      methods.join(' '),
      `\`${path}\``,
      permission.who,
      profiles.flatMap(({ name }, index) => (offered[index] ? [name] : [])).join(' '),
      batch ? 'yes' : '',
      summary,
    ])
    return `## ${feature}\n\n${table(['Methods', 'Path', 'Who', 'Profiles', 'In a batch', 'What it does'], body)}`
  })
  const head =
    'Made from the declarations by `npm run docs`; not written by hand. Paths are below the root. "Who" is the\n' +
    'permission in words: a capability, or a rule. Routes without a profile belong to features that a host adds. HEAD is\n' +
    'answered wherever GET is, OPTIONS everywhere.'
  return `# Routes\n\n${head}\n\n${sections.join('\n\n')}\n`
}

/** The table of docs/events.md: names and payloads. */
function eventsTable(): string {
  const body = describedEvents().map(({ name, members, text }) => [
    `\`${name}\``,
    members.map((member) => `\`${member}\``).join(', '),
    text,
  ])
  return table(['Event', 'Payload', 'When'], body)
}

/** A table of options. Links to documents are relative to docs/. */
function optionsTable({ options }: DescribedOptions): string {
  const linked = (text: string) => text.replace(/\bdocs\/([\w-]+\.md)/g, '[$1]($1)')
  const body = options.map(({ name, type, default: value, text }) => [
    `\`${name}\``,
    `\`${type}\``,
    linked(value),
    linked(text),
  ])
  return plainTable(['Option', 'Type', 'Default', 'Meaning'], body)
}

/** A Markdown table without padding: cells of options differ too much in length. */
function plainTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, head.map(() => '---'), ...body]
  return rows.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
}

/** The text of docs/options.md. */
function optionsPage(): string {
  const all = describedOptions()
  const sections = [...new Set(all.map(({ entry }) => entry))].map((entry) => {
    const tables = all
      .filter((described) => described.entry === entry)
      .map((described) => `### ${described.title}\n\n${described.summary}\n\n${optionsTable(described)}`)
    return `## ${entry}\n\n${tables.join('\n\n')}`
  })
  const head =
    'Made from the types by `npm run docs`; not written by hand. Each table has the options of a function that the package\n' +
    'exports. An option with a dot belongs to the object before the dot: `limits.bodyBytes` is `{ limits: { bodyBytes } }`.'
  return `# Options\n\n${head}\n\n${sections.join('\n\n')}\n`
}

/** The tables of options that a document asks for by a mark: `<!-- options sqliteStorage -->`. */
function markedOptions(text: string): { readonly [mark: string]: string } {
  const names = [...text.matchAll(/<!-- options (\w+) -->/g)].map(([, name = '']) => name)
  return Object.fromEntries(
    names.map((name) => {
      const described = describedOptions().find((each) => each.name === name)
      if (!described) throw new Error(`the package exports no function ${name} with options`)
      return [`options ${name}`, optionsTable(described)]
    }),
  )
}

/** The text with the part between two marks replaced. */
function replaceBetween(text: string, mark: string, replacement: string): string {
  const part = new RegExp(`(<!-- ${mark} -->\\n)[\\s\\S]*?(<!-- /${mark} -->)`)
  return text.replace(part, (_, before: string, after: string) => `${before}\n${replacement}\n\n${after}`)
}

const home = new URL('..', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, home), 'utf8')

/** The help text of the command. */
function usage(): string {
  const bin = fileURLToPath(new URL('src/cli/main.ts', home))
  const help = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', bin, 'help'], {
    encoding: 'utf8',
  })
  return `\`\`\`text\n${help.trim()}\n\`\`\``
}

/** The documents with generated parts, by file. */
export function madeDocuments(): { readonly [file: string]: string } {
  const fill = (file: string, parts: { readonly [mark: string]: string } = {}) =>
    Object.entries({ ...parts, ...markedOptions(read(file)) }).reduce(
      (text, [mark, part]) => replaceBetween(text, mark, part),
      read(file),
    )
  const withOptions = globSync('docs/*.md', { cwd: home }).filter((file) => read(file).includes('<!-- options '))
  return {
    ...Object.fromEntries(withOptions.sort().map((file) => [file, fill(file)])),
    'docs/options.md': optionsPage(),
    'docs/house.svg': housePicture(),
    'docs/request.svg': requestPicture(),
    'docs/guide.md': fill('docs/guide.md', { routes: statusTable(), usage: usage() }),
    'docs/events.md': fill('docs/events.md', { events: eventsTable() }),
    'docs/routes.md': routesPage(),
    'docs/differences.md': fill('docs/differences.md', {
      choices: listOfMarked('Choice'),
      interface: listOfMarked('Interface'),
    }),
  }
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(madeDocuments())) writeFileSync(new URL(file, home), text)
}
