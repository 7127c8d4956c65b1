/** Blocks of Markdown as plain HTML, which text widgets of the builder hold. */
import { escapeHtml, type InlineOptions, inlineHtml, inlineText, isSafeAddress, pictureHtml } from './inline.ts'
import type { MarkdownBlock } from './parse.ts'

export const htmlOf = (blocks: readonly MarkdownBlock[], options: InlineOptions): string =>
  blocks.map((block) => blockHtml(block, options)).join('\n')

export function blockHtml(block: MarkdownBlock, options: InlineOptions): string {
  switch (block.type) {
    case 'heading':
      return `<h${block.level}>${inlineHtml(block.text, options)}</h${block.level}>`
    case 'paragraph':
      return `<p>${inlineHtml(block.text, options)}</p>`
    case 'list':
      return listHtml(block, (item) => itemHtml(item, options))
    case 'quote':
      return `<blockquote>${htmlOf(block.blocks, options)}</blockquote>`
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`
    case 'table':
      return tableHtml(block, options)
    case 'rule':
      return '<hr>'
    case 'picture':
      return `<p>${pictureHtml(addressOf(block.source, options), inlineText(block.alt))}</p>`
    case 'button':
      return `<p>${linkHtml(block, options)}</p>`
  }
}

type List = Extract<MarkdownBlock, { readonly type: 'list' }>
type Table = Extract<MarkdownBlock, { readonly type: 'table' }>

export function listHtml(
  { start, items }: List,
  item: (blocks: readonly MarkdownBlock[]) => string,
  mark = '',
): string {
  const tag = start === undefined ? 'ul' : 'ol'
  const from = start === undefined || start === 1 ? '' : ` start="${start}"`
  return `<${tag}${mark}${from}>${items.map(item).join('')}</${tag}>`
}

/** Leaves out the tag of a paragraph that has only lists behind it. */
function itemHtml(blocks: readonly MarkdownBlock[], options: InlineOptions): string {
  const [first, ...rest] = blocks
  const isText = first?.type === 'paragraph' && rest.every(({ type }) => type === 'list')
  return isText
    ? `<li>${inlineHtml(first.text, options)}${htmlOf(rest, options)}</li>`
    : `<li>${htmlOf(blocks, options)}</li>`
}

export function tableHtml({ head, rows }: Table, options: InlineOptions): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${inlineHtml(cell, options)}</${tag}>`).join('')}</tr>`
  const body = rows.map((cells) => row(cells, 'td')).join('')
  return `<table><thead>${row(head, 'th')}</thead><tbody>${body}</tbody></table>`
}

/** An address that no page may link to leaves the words. */
export const linkHtml = (
  { text, address }: { readonly text: string; readonly address: string },
  options: InlineOptions,
) =>
  isSafeAddress(address)
    ? `<a href="${escapeHtml(address)}">${inlineHtml(text, options)}</a>`
    : inlineHtml(text, options)

/** Empty for an address that no page may show. */
export function addressOf(source: string, { pictureAddress }: InlineOptions): string {
  const address = pictureAddress(source)
  return isSafeAddress(address) ? address : ''
}
