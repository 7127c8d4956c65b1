/**
 * The parts of bench/report.md, which are measured separately: the targets, the costs by site size, the lists of the content interface,
 * a distant PostgreSQL, every list of posts, and every list of a million posts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const file = new URL('report.md', import.meta.url)
const names = ['targets', 'growth', 'lists', 'distant', 'sweep', 'million'] as const
type PartName = (typeof names)[number]
const separator = new RegExp(`<!-- (?:${names.slice(1).join('|')}) -->`)

/** Replaces one part and preserves the others. */
export function writePart(part: PartName, text: string): void {
  const current = existsSync(file) ? readFileSync(file, 'utf8').split(separator) : []
  const parts = names.map((name, index) => (name === part ? text : (current[index] ?? '')).trim())
  const marked = parts.map((each, index) => (index === 0 ? each : `<!-- ${names[index]} -->\n\n${each}`))
  writeFileSync(file, `${marked.join('\n\n').trim()}\n`)
}
