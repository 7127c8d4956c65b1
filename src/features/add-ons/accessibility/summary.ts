/** Counts the issues in the summary of a scanner. */

/** Scanners count these beside the issues: passed checks, examined elements, and questions that a person has to answer. */
const NOT_ISSUES: ReadonlySet<string> = new Set(
  'pass passes passed ignored inapplicable incomplete manual elements recommendation potentialviolation potentialrecommendation'.split(
    ' ',
  ),
)

/**
 * Choice: a summary counts its violations in `counts.violation`. Where it does not name them, its counts are those of groups or
 * rules, and are added up.
 */
export function countIssues(summary: unknown): number {
  if (!isObject(summary)) return 0
  return issuesIn(isObject(summary['counts']) ? summary['counts'] : summary, countOfGroup)
}

function issuesIn(counts: Counts, countOf: (value: unknown) => number): number {
  const named = counts['violation'] ?? counts['violations']
  if (named !== undefined) return countOf(named)
  const issues = Object.entries(counts).filter(([name]) => !NOT_ISSUES.has(name.toLowerCase()))
  const total = issues.reduce((sum, [, count]) => sum + countOf(count), 0)
  return Math.min(total, Number.MAX_SAFE_INTEGER)
}

interface Counts {
  readonly [name: string]: unknown
}

const isObject = (value: unknown): value is Counts =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A group may name counts inside: `{ altText: { violation: 1, pass: 4 } }`. */
const countOfGroup = (value: unknown): number => (isObject(value) ? issuesIn(value, countOf) : countOf(value))

/** A list of violations counts as many as it has. */
function countOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : 0
}
