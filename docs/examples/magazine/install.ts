/** Adds the site to the tables of the magazine. The host runs it once, as one of its migrations. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

export async function installSite(pool: pg.Pool): Promise<void> {
  const text = await readFile(join(import.meta.dirname, 'site.sql'), 'utf8')
  // As one simple query it is one transaction.
  await pool.query(text.replaceAll('{{marks}}', markRanges()))
}

/** The characters that `fold` drops, as ranges of a regular expression. */
function markRanges(): string {
  const ranges: [first: number, last: number][] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    if (!/\p{M}/u.test(String.fromCodePoint(code))) continue
    const last = ranges.at(-1)
    if (last?.[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  const escaped = (code: number) => `\\U${code.toString(16).padStart(8, '0')}`
  return ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('')
}
