/** Writes the report of an import for a terminal: one line for each kind of rows and problems. */
import { type ImportReport, type ProblemKind, problemSentences } from './report.ts'

const maxNames = 5
const maxPlaces = 3
const maxCharacters = 40

type Problem = ImportReport['problems'][number]

export function reportText({
  source,
  items,
  counts,
  settings,
  problems,
  declarations,
  fields,
  error,
}: ImportReport): string {
  const countLines = Object.entries(counts).map(([kind, { created, updated, existing }]) => {
    const more = [updated > 0 ? `${updated} updated` : '', existing > 0 ? `${existing} there already` : '']
    return `  ${kind}: ${[`${created} created`, ...more].filter((part) => part !== '').join(', ')}`
  })
  const problemLines = linesOf(problems)
  return [
    `${items} items of ${sourceText(source)}`,
    ...countLines,
    ...Object.entries(settings).map(([option, value]) => `  ${option} is now ${JSON.stringify(value)}`),
    ...(problemLines.length > 0 ? ['not carried over as they are:', ...problemLines] : []),
    ...(declarations === undefined
      ? []
      : ['declarations of the types that are kept, for your profile:', '', declarations]),
    ...(fields === undefined ? [] : ['fields that are stored, and shown once your profile declares them:', '', fields]),
    ...(error ? [`stopped at ${error.message}`] : []),
  ].join('\n')
}

function sourceText({ site, network }: ImportReport['source']): string {
  if (!network) return site || 'a site without an address'
  const { address, sites, uploads } = network
  const names = sites.length > 1 ? `${sites.length} sites (${sites.join(', ')})` : site
  const where = address === '' ? 'a network of sites' : `the network ${address}`
  const numbers = uploads.length > 0 ? ` (files of site ${uploads.join(', ')} there)` : ''
  return `${names} of ${where}${numbers}`
}

/** The most frequent kind comes first. */
function linesOf(problems: readonly Problem[]): string[] {
  const kinds = [...Map.groupBy(problems, ({ kind }) => kind)].map(([kind, all]) => ({
    ...{ kind, all },
    count: all.reduce((sum, { count }) => sum + count, 0),
  }))
  kinds.sort((one, other) => other.count - one.count)
  const digits = Math.max(0, ...kinds.map(({ count }) => String(count).length))
  const letters = Math.max(0, ...kinds.map(({ kind }) => kind.length))
  return kinds.map(({ kind, all, count }) => {
    const start = `  ${String(count).padStart(digits)}  ${kind.padEnd(letters)}  ${problemSentences[kind as ProblemKind]}`
    return `${start}${namesText(all)}${placesText(all, count)}`
  })
}

function namesText(problems: readonly Problem[]): string {
  const named = problems.filter(({ what }) => what !== '').sort((one, other) => other.count - one.count)
  if (named.length === 0) return ''
  if (problems.length === 1) return `: ${named[0]?.what}`
  const more = named.length > maxNames ? `, ${named.length - maxNames} more` : ''
  const first = named.slice(0, maxNames).map(({ what, count }) => `${what} ${count}`)
  return `: ${first.join(', ')}${more}`
}

function placesText(problems: readonly Problem[], count: number): string {
  const examples = problems.flatMap((problem) => problem.examples)
  const places = examples
    .sort((one, other) => one.line - other.line)
    .slice(0, maxPlaces)
    .map(placeText)
    .filter((text) => text !== '')
  return places.length === 0 ? '' : ` (${places.join(', ')}${count > places.length ? ', …' : ''})`
}

/** Line 0: not in the file. */
const placeText = ({ line, what }: Problem['examples'][number]): string =>
  [line > 0 ? `line ${line}` : '', what === '' ? '' : quoted(what)].filter((part) => part !== '').join(' ')

const quoted = (text: string): string =>
  JSON.stringify(text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text)
