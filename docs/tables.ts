/**
 * The tables of README.md and docs/routes.md, made from the declarations: `npx node docs/tables.ts` writes them anew, and a
 * test holds them to the profiles.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { AnyEndpoint, Feature, Profile } from '../src/core/declare.ts'
import { parsePattern } from '../src/core/pattern.ts'
import { indexFeatures } from '../src/core/site-index.ts'
import { d1 } from '../src/profiles/d1.ts'
import { d2 } from '../src/profiles/d2.ts'

const profiles = [d1, d2]

interface Row {
  readonly feature: string
  readonly namespace: string
  readonly path: string
  readonly endpoint: AnyEndpoint
  /** Whether each profile has it, in the order of `profiles`. */
  readonly offered: readonly boolean[]
}

const featuresOf = (profile: Profile): readonly Feature[] => [...indexFeatures(profile, () => []), ...profile.features]

/** One for each endpoint of any profile; endpoints that differ in the pattern of a parameter only count as one. */
function rows(): readonly Row[] {
  const found = new Map<string, Row>()
  for (const [place, profile] of profiles.entries()) {
    for (const { name, namespace, endpoints } of featuresOf(profile)) {
      for (const endpoint of endpoints) {
        const path = parsePattern(namespace === '' ? endpoint.path : `/${namespace}${endpoint.path}`).readable
        const key = `${endpoint.methods.join()} ${path}`
        const offered = found.get(key)?.offered ?? profiles.map(() => false)
        found.set(key, { feature: name, namespace, path, endpoint, offered: offered.with(place, true) })
      }
    }
  }
  return [...found.values()]
}

function groupsOf(all: readonly Row[]): readonly (readonly [feature: string, rows: readonly Row[]])[] {
  const names = [...new Set(all.map(({ feature }) => feature))]
  return names.map((name) => [name, all.filter(({ feature }) => feature === name)])
}

const line = (cells: readonly (string | number)[]) =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`

const table = (head: readonly string[], body: readonly (readonly (string | number)[])[]) =>
  [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')

const routesIn = (all: readonly Row[], place: number) =>
  new Set(all.filter(({ offered }) => offered[place]).map(({ path }) => path)).size

/** What README.md shows: how many routes of each feature a profile has. */
export function statusTable(): string {
  const all = rows()
  const counts = (of: readonly Row[]) => profiles.map((_, place) => routesIn(of, place) || '-')
  const body = groupsOf(all).map(([feature, of]) => {
    const namespaces = [...new Set(of.map(({ namespace }) => namespace))].filter((one) => one !== '')
    return [feature, namespaces.map((one) => `\`${one}\``).join(', '), ...counts(of)]
  })
  return table(
    ['Feature', 'Namespace', ...profiles.map(({ name }) => `Routes in ${name}`)],
    [...body, ['all', '', ...counts(all)]],
  )
}

/** The whole of docs/routes.md. */
export function routesPage(): string {
  const sections = groupsOf(rows()).map(([feature, of]) => {
    const body = of.map(({ path, offered, endpoint: { methods, permission, batch, summary = '' } }) => [
      methods.join(' '),
      `\`${path}\``,
      permission.who,
      profiles.flatMap(({ name }, place) => (offered[place] ? [name] : [])).join(' '),
      batch ? 'yes' : '',
      summary,
    ])
    return `## ${feature}\n\n${table(['Methods', 'Path', 'Who', 'Profiles', 'In a batch', 'What it does'], body)}`
  })
  const head =
    'Made from the declarations by `npx node docs/tables.ts`; not written by hand. Paths are below the root. "Who" is the\n' +
    'permission in words: a capability, or a rule. HEAD is answered wherever GET is, OPTIONS everywhere.'
  return `# Routes\n\n${head}\n\n${sections.join('\n\n')}\n`
}

const marks = /(<!-- routes -->\n)[\s\S]*?(\n<!-- \/routes -->)/

/** README.md with its table as it should be. */
export const withStatusTable = (readme: string): string =>
  readme.replace(marks, (_, before: string, after: string) => `${before}\n${statusTable()}\n${after}`)

if (import.meta.main) {
  const readme = new URL('../README.md', import.meta.url)
  writeFileSync(readme, withStatusTable(readFileSync(readme, 'utf8')))
  writeFileSync(new URL('routes.md', import.meta.url), routesPage())
}
