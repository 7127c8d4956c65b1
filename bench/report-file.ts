/** bench/report.md has two parts, which are measured apart: the targets, and how costs grow with a site. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const file = new URL('report.md', import.meta.url)
const mark = '<!-- growth -->'

/** Replaces one part and leaves the other as it is. */
export function writePart(part: 'targets' | 'growth', text: string): void {
  const old = existsSync(file) ? readFileSync(file, 'utf8') : mark
  const [targets = '', growth = ''] = old.split(mark)
  const parts = { targets, growth, [part]: text }
  writeFileSync(file, `${parts.targets.trim()}\n\n${mark}\n\n${parts.growth.trim()}\n`)
}
