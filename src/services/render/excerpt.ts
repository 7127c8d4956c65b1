/**
 * The text an excerpt is made from when none is written: the first page up to the "more" marker, without markup, cut after
 * some words.
 */
import { stripTags } from '../../core/strip-tags.ts'
import { excerptBlocks } from './blocks.ts'

export const DEFAULT_WORDS = 55

const MORE = /<!--more([^\n]*?)-->/
const FOOTNOTE = /<sup data-fn="[^"]+" class="[^"]+">[\t-\r ]*<a href="[^"]+" id="[^"]+">\d+<\/a>[\t-\r ]*<\/sup>/g

/** The HTML of which an excerpt takes the words. */
export function excerptSource(content: string): string {
  const text = excerptBlocks(untilMore(firstPage(content)))
  return text.includes('data-fn=') ? text.replace(FOOTNOTE, '') : text
}

/** Content is cut into pages by markers; one at the very start cuts nothing. */
function firstPage(content: string): string {
  const mark = '<!--nextpage-->'
  if (!content.includes(mark)) return content
  const text = content
    .replaceAll(/\n?<!--nextpage-->\n?/g, mark)
    .replaceAll('<!-- cms:nextpage -->', '')
    .replaceAll('<!-- /cms:nextpage -->', '')
  const start = text.startsWith(mark) ? mark.length : 0
  const end = text.indexOf(mark, start)
  return end === -1 ? text.slice(start) : text.slice(start, end)
}

function untilMore(content: string): string {
  if (!content.includes('<!--more')) return content
  const found = MORE.exec(content)
  if (found === null) return content
  const before = content.slice(0, found.index)
  // A marker inside a block: the comments of the block would be left over.
  return before.replace(/<!-- \/?cms:more[^\n]*? -->/g, '')
}

/** The first words of some HTML as text; `more` follows where words were left out. */
export function firstWords(html: string, count: number, more: string): string {
  const words: string[] = []
  const text = withoutMarkup(html)
  for (const [word] of text.matchAll(/[^\n\r\t ]+/g)) {
    if (words.length === count) return words.join(' ') + more
    words.push(word)
  }
  return words.join(' ')
}

function withoutMarkup(html: string): string {
  return stripTags(withoutElement(withoutElement(html, 'script'), 'style'))
}

/** Takes elements out with what they hold. One that nothing closes stays. */
function withoutElement(html: string, name: string): string {
  const opening = new RegExp(`<${name}[^>]*>`, 'gi')
  const closing = new RegExp(`</${name}>`, 'gi')
  if (html.search(closing) === -1) return html
  let kept = ''
  let at = 0
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    closing.lastIndex = opening.lastIndex
    const end = closing.exec(html)
    if (end === null) break
    kept += html.slice(at, found.index)
    at = closing.lastIndex
    opening.lastIndex = at
  }
  return kept + html.slice(at)
}
