/** Renders `[caption]`: a picture with its text in a box. Without a text it renders no box, without a width the picture alone. */
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { tokenize } from '../../../html/tokenize.ts'
import type { Token } from '../../../html/tokens.ts'
import { pixels, type ShortcodeAttributes } from './attributes.ts'

/** The box is this much wider than the picture. */
const BORDER_PIXELS = 10

export function caption(attributes: ShortcodeAttributes, content: string): string {
  const { picture, rest } = partsOf(content)
  const written = wholeMarkup(attributes.get('caption') ?? '')
  const text = written !== '' ? written : picture === '' ? '' : rest
  const width = pixels(attributes, 'width', 0)
  if (text === '') return content
  // Interface: a caption without a width shows the picture alone, not the text beside it.
  if (width === 0) return written === '' && picture !== '' ? picture : content
  const id = attributes.get('id') ?? ''
  const textId = id === '' ? '' : `caption-${id.replaceAll('_', '-')}`
  const inner = written !== '' ? content : picture
  const start = `<div${attribute('id', id)} style="width: ${width + BORDER_PIXELS}px" class="${classOf(attributes)}">`
  return `${start}${describedBy(inner, textId)}<p${attribute('id', textId)} class="cms-caption-text">${text}</p></div>`
}

const attribute = (name: string, value: string): string => (value === '' ? '' : ` ${name}="${escapeHtml(value)}"`)

function classOf(attributes: ShortcodeAttributes): string {
  const names = ['cms-caption', attributes.get('align') ?? 'alignnone', attributes.get('class') ?? '']
  return escapeHtml(names.filter((name) => name !== '').join(' '))
}

/** Splits the content into the picture at its start, with a link around it, and the text. */
function partsOf(content: string): { readonly picture: string; readonly rest: string } {
  const trimmed = content.trim()
  const tokens = tokenize(trimmed).filter((token) => !isBlankText(trimmed, token))
  const [first, second, third] = tokens
  const isLinked = isOpen(first, 'a') && isOpen(second, 'img') && third?.kind === 'close' && third.lowerName === 'a'
  const end = isLinked ? third.end : isOpen(first, 'img') ? first?.end : undefined
  if (end === undefined) return { picture: '', rest: trimmed }
  return { picture: trimmed.slice(0, end), rest: trimmed.slice(end).replace(/^(?:\s|<br \/>)+/, '') }
}

const isOpen = (token: Token | undefined, name: string): boolean => token?.kind === 'open' && token.lowerName === name

const isBlankText = (html: string, { kind, start, end }: Token): boolean =>
  kind === 'text' && html.slice(start, end).trim() === ''

/** A value may end inside a tag or a comment; its open end must not include the markup that follows. */
function wholeMarkup(value: string): string {
  if (!value.includes('<')) return value
  return tokenize(value)
    .map(({ kind, start, end }) => {
      const source = value.slice(start, end)
      return kind === 'open' || kind === 'close' ? source : source.replaceAll('<', '&lt;')
    })
    .join('')
}

/** Links the first picture to the text that describes it. */
function describedBy(html: string, textId: string): string {
  const picture = textId === '' ? undefined : tokenize(html).find((token) => isOpen(token, 'img'))
  if (picture === undefined) return html
  const at = picture.start + '<img'.length
  return `${html.slice(0, at)} aria-describedby="${escapeHtml(textId)}"${html.slice(at)}`
}
