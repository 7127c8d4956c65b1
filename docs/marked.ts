/** Remarks in the source that begin with `Choice:` or `Interface:`, as the lists of docs/differences.md. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('..', import.meta.url))

type Mark = 'Choice' | 'Interface'

const marks = /\b(Choice|Interface)(?:, as recorded)?`?:`?\s+/g

/** The comments of a source, each without its signs and on one line. Comments at the end of a line are not read. */
function commentsOf(source: string): string[] {
  const blocks = [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, text = '']) => text.replace(/^\s*\* ?/gm, ' '))
  const lines = [...source.matchAll(/(?:^[ \t]*\/\/.*\n)+/gm)].map(([text]) => text.replace(/^[ \t]*\/\/ ?/gm, ' '))
  return [...blocks, ...lines].map((text) => text.replace(/\s+/g, ' ').trim())
}

function remarksOf(source: string, mark: Mark): string[] {
  return commentsOf(source).flatMap((comment) => {
    const found = [...comment.matchAll(marks)]
    return found.flatMap((match, index) => {
      const text = comment.slice(match.index + match[0].length, found[index + 1]?.index).trim()
      return match[1] === mark ? [sentence(text)] : []
    })
  })
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.:]$/.test(text) ? '' : '.')

/** As a list, with the file of each. */
export function listOfMarked(mark: Mark): string {
  const files = globSync('{src,adapters}/**/*.ts', { cwd: home }).sort()
  const items = files.flatMap((file) =>
    remarksOf(readFileSync(home + file, 'utf8'), mark).map((remark) => `- ${remark} (\`${file}\`)`),
  )
  return items.join('\n')
}
