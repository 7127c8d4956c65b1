/**
 * The text an excerpt is made from when none is written: the first page up to the "more" marker, without markup, cut after
 * some words.
 */
import { stripMarkup } from '../../site/strip-tags.ts'
import { excerptBlocks } from '../blocks/blocks.ts'

export const DEFAULT_WORDS = 55

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
  const end = moreMarker(content)
  if (end === -1) return content
  // A marker inside a block: the comment of the block would be left over.
  return content.slice(0, end).replace(/<!-- \/?cms:more[^\n<]*? -->/g, '')
}

/** The marker is one line. */
function moreMarker(content: string): number {
  let open = content.indexOf('<!--more')
  while (open !== -1) {
    const close = content.indexOf('-->', open + 8)
    if (close === -1) return -1
    const line = content.indexOf('\n', open)
    if (line === -1 || line > close) return open
    open = content.indexOf('<!--more', line)
  }
  return -1
}

/** The first words of some HTML as text; `more` follows where words were left out. */
export function firstWords(html: string, count: number, more: string): string {
  const words: string[] = []
  const text = stripMarkup(html)
  for (const [word] of text.matchAll(/[^\n\r\t ]+/g)) {
    if (words.length === count) return words.join(' ') + more
    words.push(word)
  }
  return words.join(' ')
}
