/**
 * Markdown as elements of the page builder: a container for each section, which a heading of the first or second level begins; a widget
 * for each heading, picture, button and rule; one text for all that is between them.
 */
import type { BuilderElement } from '../elements.ts'
import { addressOf, htmlOf } from './html.ts'
import { type InlineOptions, inlineHtml, isSafeAddress } from './inline.ts'
import type { MarkdownBlock } from './parse.ts'

interface ElementOptions extends InlineOptions {
  /** The id of the medium that a picture names; undefined for a picture of another site. */
  readonly pictureId: (source: string) => number | undefined
  /** A new id for each element. */
  readonly newId: () => string
}

export function toElements(blocks: readonly MarkdownBlock[], options: ElementOptions): readonly BuilderElement[] {
  return sectionsOf(blocks).map((section) => ({
    id: options.newId(),
    elType: 'container',
    isInner: false,
    settings: {},
    elements: widgetsOf(section, options),
  }))
}

function sectionsOf(blocks: readonly MarkdownBlock[]): readonly (readonly MarkdownBlock[])[] {
  const sections: MarkdownBlock[][] = []
  for (const block of blocks) {
    const last = sections.at(-1)
    const begins = block.type === 'heading' && block.level <= 2
    if (last === undefined || (begins && last.some(({ type }) => type !== 'heading'))) sections.push([block])
    else last.push(block)
  }
  return sections
}

function widgetsOf(section: readonly MarkdownBlock[], options: ElementOptions): readonly BuilderElement[] {
  const widgets: BuilderElement[] = []
  let prose: MarkdownBlock[] = []
  const endProse = () => {
    if (prose.length > 0) widgets.push(widget(options, 'text-editor', { editor: htmlOf(prose, options) }))
    prose = []
  }
  for (const block of section) {
    const found = widgetOf(block, options)
    if (!found) prose.push(block)
    else {
      endProse()
      widgets.push(found)
    }
  }
  endProse()
  return widgets
}

/** Undefined for blocks that belong to a text. */
function widgetOf(block: MarkdownBlock, options: ElementOptions): BuilderElement | undefined {
  switch (block.type) {
    case 'heading':
      return widget(options, 'heading', { title: inlineHtml(block.text, options), header_size: `h${block.level}` })
    case 'rule':
      return widget(options, 'divider', {})
    case 'button':
      return isSafeAddress(block.address)
        ? widget(options, 'button', { text: inlineHtml(block.text, options), link: { url: block.address } })
        : undefined
    case 'picture': {
      const url = addressOf(block.source, options)
      if (url === '') return undefined
      const caption = block.caption === undefined ? {} : { caption_source: 'custom', caption: block.caption }
      const image = { url, id: options.pictureId(block.source) ?? '', alt: block.alt }
      return widget(options, 'image', { image, ...caption })
    }
    default:
      return undefined
  }
}

const widget = ({ newId }: ElementOptions, widgetType: string, settings: object): BuilderElement => ({
  id: newId(),
  elType: 'widget',
  widgetType,
  settings,
  elements: [],
})
