/** The two parts of bench/report.md, which are measured separately: the targets, and the costs by site size. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const file = new URL('report.md', import.meta.url)
const separator = '<!-- growth -->'

/** Replaces one part and preserves the other. */
export function writePart(part: 'targets' | 'growth', text: string): void {
  const current = existsSync(file) ? readFileSync(file, 'utf8') : separator
  const [targets = '', growth = ''] = current.split(separator)
  const parts = { targets, growth, [part]: text }
  writeFileSync(file, `${parts.targets.trim()}\n\n${separator}\n\n${parts.growth.trim()}\n`)
}
