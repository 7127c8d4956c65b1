/** Adds the site to the tables of the magazine. The host runs it once, as one of its migrations. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

export async function installSite(pool: pg.Pool): Promise<void> {
  const text = await readFile(join(import.meta.dirname, 'site.sql'), 'utf8')
  // As one simple query it is one transaction.
  await pool.query(text.replace(/\{\{(\w+)\}\}/g, (_, name: keyof typeof classes) => rangesOf(classes[name])))
}

/** The characters that `fold` tells apart. It drops points, and the marks of European letters. */
const classes = {
  marks: /\p{M}/u,
  european: /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u,
  points:
    /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0730-\u074a\u08ca-\u08e1\u08e3-\u08ff]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|[\u180b-\u180d]|\u180f|\u0640/u,
}

/** Returns the characters of a class as ranges of a regular expression. */
function rangesOf(characters: RegExp): string {
  const ranges: [first: number, last: number][] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    if (!characters.test(String.fromCodePoint(code))) continue
    const last = ranges.at(-1)
    if (last?.[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  const escaped = (code: number) => `\\U${code.toString(16).padStart(8, '0')}`
  return ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('')
}
