/**
 * Reads the source: comments that begin with `Choice:` or `Interface:`, for the lists of docs/differences.md.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('..', import.meta.url))

function sources(): (readonly [file: string, text: string])[] {
  const files = globSync('{src,adapters}/**/*.ts', { cwd: home }).sort()
  return files.map((file) => [file, readFileSync(home + file, 'utf8')])
}

type Mark = 'Choice' | 'Interface'

const marks = /\b(Choice|Interface)(?:, as recorded)?`?:`?\s+/g

/** The comments of a source file, each as one line of text. Comments at the end of a code line are ignored. */
function commentsOf(source: string): string[] {
  const blocks = [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, text = '']) => text.replace(/^\s*\* ?/gm, ' '))
  const lines = [...source.matchAll(/(?:^[ \t]*\/\/.*\n)+/gm)].map(([text]) => text.replace(/^[ \t]*\/\/ ?/gm, ' '))
  return [...blocks, ...lines].map((text) => text.replace(/\s+/g, ' ').trim())
}

function remarksOf(source: string, mark: Mark): string[] {
  return commentsOf(source).flatMap((comment) => {
    const matches = [...comment.matchAll(marks)]
    return matches.flatMap((match, index) => {
      const text = comment.slice(match.index + match[0].length, matches[index + 1]?.index).trim()
      return match[1] === mark ? [sentence(text)] : []
    })
  })
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.:]$/.test(text) ? '' : '.')

/** The marked comments as a Markdown list: the files, and the comments of each. */
export function listOfMarked(mark: Mark): string {
  const items = sources().flatMap(([file, text]) => {
    const remarks = remarksOf(text, mark)
    return remarks.length === 0 ? [] : [`- \`${file}\``, ...remarks.map((remark) => `  - ${remark}`)]
  })
  return items.join('\n')
}
