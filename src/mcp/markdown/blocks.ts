/** Writes Markdown as blocks: HTML between the comments that a block editor reads. */
import { addressOf, linkHtml, listHtml, tableHtml } from './html.ts'
import { escapeHtml, type InlineOptions, inlineHtml, inlineText, pictureHtml } from './inline.ts'
import type { MarkdownBlock } from './parse.ts'

interface BlockOptions extends InlineOptions {
  /** The first word of markers and classes: `cms`. */
  readonly vendor: string
  readonly pictureId: (source: string) => number | undefined
}

export const toBlocks = (blocks: readonly MarkdownBlock[], options: BlockOptions): string =>
  blocks.map((block) => blockOf(block, options)).join('\n\n')

function blockOf(block: MarkdownBlock, options: BlockOptions): string {
  const mark = (name: string) => ` class="${options.vendor}-block-${name}"`
  const put = (name: string, html: string, attributes?: object) => wrapped(options.vendor, name, html, attributes)
  switch (block.type) {
    case 'heading': {
      const tag = `h${block.level}`
      const html = `<${tag}${mark('heading')}>${inlineHtml(block.text, options)}</${tag}>`
      return put('heading', html, block.level === 2 ? undefined : { level: block.level })
    }
    case 'paragraph':
      return put('paragraph', `<p>${inlineHtml(block.text, options)}</p>`)
    case 'list':
      return listOf(block, options)
    case 'quote':
      return put('quote', `<blockquote${mark('quote')}>${toBlocks(block.blocks, options)}</blockquote>`)
    case 'code':
      return put('code', `<pre${mark('code')}><code>${escapeHtml(block.text)}</code></pre>`)
    case 'table':
      return put('table', `<figure${mark('table')}>${tableHtml(block, options)}</figure>`)
    case 'rule':
      return put('separator', `<hr class="${options.vendor}-block-separator has-alpha-channel-opacity"/>`)
    case 'picture':
      return pictureOf(block, options)
    case 'button': {
      const link = linkHtml(block, options).replace('<a ', `<a class="${options.vendor}-block-button__link" `)
      return put('buttons', `<div${mark('buttons')}>${put('button', `<div${mark('button')}>${link}</div>`)}</div>`)
    }
  }
}

function wrapped(vendor: string, name: string, html: string, attributes?: object): string {
  const json = attributes === undefined ? '' : ` ${JSON.stringify(attributes).replaceAll('--', '\\u002d\\u002d')}`
  return `<!-- ${vendor}:${name}${json} -->\n${html}\n<!-- /${vendor}:${name} -->`
}

function listOf(block: Extract<MarkdownBlock, { readonly type: 'list' }>, options: BlockOptions): string {
  const { vendor } = options
  const item = (blocks: readonly MarkdownBlock[]) =>
    wrapped(vendor, 'list-item', `<li>${blocks.map((inner) => itemPart(inner, options)).join('')}</li>`)
  const ordered =
    block.start === undefined ? undefined : { ordered: true, ...(block.start === 1 ? {} : { start: block.start }) }
  return wrapped(vendor, 'list', listHtml(block, item, ` class="${vendor}-block-list"`), ordered)
}

/** An item holds words and lists; anything else in it becomes words. */
function itemPart(block: MarkdownBlock, options: BlockOptions): string {
  if (block.type === 'list') return listOf(block, options)
  return block.type === 'paragraph' ? inlineHtml(block.text, options) : blockOf(block, options)
}

function pictureOf(block: Extract<MarkdownBlock, { readonly type: 'picture' }>, options: BlockOptions): string {
  const { vendor } = options
  const address = addressOf(block.source, options)
  if (address === '') return wrapped(vendor, 'paragraph', `<p>${escapeHtml(block.alt)}</p>`)
  const id = options.pictureId(block.source)
  const image = pictureHtml(address, inlineText(block.alt)).replace(
    />$/,
    id === undefined ? '/>' : ` class="${vendor}-image-${id}"/>`,
  )
  const caption =
    block.caption === undefined
      ? ''
      : `<figcaption class="${vendor}-element-caption">${inlineHtml(block.caption, options)}</figcaption>`
  const html = `<figure class="${vendor}-block-image">${image}${caption}</figure>`
  return wrapped(vendor, 'image', html, id === undefined ? undefined : { id })
}
