/**
 * Draws a widget that no table has: the texts, links, pictures and icons that its author put in, in the order of its settings. The
 * words of a setting's name and the shape of its value say which it is, since the names of add-ons follow no common list.
 */
import { fileAddress } from '../document/addresses.ts'
import type { Settings } from '../document/settings.ts'
import { isObject, ownValue, textOf } from '../document/values.ts'
import { imageOf } from '../elements/image.ts'
import { linkAttributes } from '../elements/link.ts'
import { filtered } from '../html/markup.ts'
import { type Attributes, type Child, h, isNothing } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import { isAuthorText, wordsOf } from './author-texts.ts'
import { iconOf } from './icon.ts'
import type { Widget } from './widget.ts'

export const unknownWidget: Widget = {
  html: (widget) => [drawSettings(widget.settings, widget.pass, 0), widget.children()],
}

/** Lists in lists in settings. */
const maxDepth = 4

interface Part {
  readonly name: string
  readonly isText: boolean
  readonly node: Child
}

interface Link {
  readonly name: string
  /** The number of parts before it. */
  readonly at: number
  readonly attributes: Attributes
}

function drawSettings(settings: Settings, pass: Pass, depth: number): Child {
  const parts: Part[] = []
  const links: Link[] = []
  const names = new Set([...Object.keys(settings.raw), ...Object.keys(settings.dynamic)])
  for (const name of names) {
    if (name.startsWith('_')) continue
    const value = settings.value(name)
    const attributes = isLink(value) ? linkAttributes(value) : undefined
    if (attributes) links.push({ name, at: parts.length, attributes })
    else parts.push(...partOf(name, value, { settings, pass, depth }))
  }
  return linked(parts, links)
}

const isLink = (value: unknown): boolean =>
  isObject(value) && Object.hasOwn(value, 'url') && !Object.hasOwn(value, 'id') && !Object.hasOwn(value, 'library')

interface Around {
  readonly settings: Settings
  readonly pass: Pass
  readonly depth: number
}

function partOf(name: string, value: unknown, around: Around): readonly Part[] {
  if (typeof value === 'string' || typeof value === 'number') return textPart(name, `${value}`, around)
  const node = Array.isArray(value) ? listOf(name, value, around) : isObject(value) ? objectOf(name, value, around) : ''
  return isNothing(node) ? [] : [{ name, isText: false, node }]
}

function textPart(name: string, text: string, { pass }: Around): readonly Part[] {
  if (/^(?:fa[srbld]?|eicon) (?:fa|eicon)-[\w-]+$/.test(text)) {
    const icon = iconOf(text, pass)
    return isNothing(icon) ? [] : [{ name, isText: false, node: icon }]
  }
  if (!isAuthorText(name, text)) return []
  const node = filtered(text)
  return isNothing(node) ? [] : [{ name, isText: true, node: boxOf(name, text, node) }]
}

const titles: ReadonlySet<string> = new Set(['title', 'heading', 'headline', 'name'])

function boxOf(name: string, text: string, node: Child): Child {
  const isTitle = titles.has(wordsOf(name).at(-1) ?? '')
  if (/<(?:p|div|ul|ol|h[1-6]|table|blockquote|section)\b/i.test(text)) return h('div', {}, node)
  return h(isTitle ? 'h3' : 'p', {}, node)
}

/** Draws the entries of a repeater, or the pictures of a gallery. */
function listOf(name: string, list: readonly unknown[], { settings, pass, depth }: Around): Child {
  if (depth >= maxDepth || list.length === 0 || !list.every(isObject)) return undefined
  const entries = settings.items(name)
  const isGallery = entries.every(({ raw }) => Object.hasOwn(raw, 'url') && Object.hasOwn(raw, 'id'))
  const drawn = entries
    .map((entry) => (isGallery ? picture(name, entry.raw, settings, pass) : drawSettings(entry, pass, depth + 1)))
    .filter((node) => !isNothing(node))
  return drawn.length === 0 ? undefined : h('ul', {}, ...drawn.map((node) => h('li', {}, node)))
}

/** These members belong to sizes, sides and shadows. */
const measures = ['unit', 'size', 'sizes', 'top', 'blur', 'column', 'row']

function objectOf(name: string, value: { readonly [name: string]: unknown }, { settings, pass, depth }: Around): Child {
  if (Object.hasOwn(value, 'library')) return iconOf(value, pass)
  if (Object.hasOwn(value, 'url')) return picture(name, value, settings, pass)
  if (depth >= maxDepth || measures.some((measure) => Object.hasOwn(value, measure))) return undefined
  return drawSettings(settings.within(name), pass, depth + 1)
}

/** The builder stores its own picture where the author chose none. */
const placeholder = /\/placeholder(?:-\d+x\d+)?\.(?:png|jpe?g|svg|webp)$/i

function picture(name: string, value: object, settings: Settings, pass: Pass): Child {
  const address = fileAddress(textOf(ownValue(value as never, 'url')))
  if (placeholder.test(address)) return undefined
  const isPicture = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)|^data:image/i.test(address)
  return isPicture || Number(ownValue(value as never, 'id')) > 0
    ? imageOf(value as never, { sizeName: name, settings, pass })
    : undefined
}

// ---------------------------------------------------------------- links

/** A link is around the text with the same first words, else around the button or the title, else the part before it. */
function linked(parts: readonly Part[], links: readonly Link[]): Child {
  const nodes = parts.map(({ node }) => node)
  const taken = new Set<number>()
  for (const { name, at, attributes } of links) {
    const target = targetOf(name, at, parts, taken)
    if (target === undefined) continue
    taken.add(target)
    nodes[target] = h('a', attributes, nodes[target])
  }
  return nodes
}

function targetOf(name: string, at: number, parts: readonly Part[], taken: ReadonlySet<number>): number | undefined {
  const stem = wordsOf(name).slice(0, -1).join(' ')
  const open = parts.map((part, index) => ({ ...part, index })).filter(({ index }) => !taken.has(index))
  const texts = open.filter(({ isText }) => isText)
  const begins = (part: Part) => stem !== '' && wordsOf(part.name).join(' ').startsWith(stem)
  const has = (part: Part, words: ReadonlySet<string>) => wordsOf(part.name).some((word) => words.has(word))
  const found =
    texts.find(begins) ??
    texts.find((part) => has(part, buttons)) ??
    texts.find((part) => has(part, titles)) ??
    open.findLast(({ index }) => index < at) ??
    open[0]
  return found?.index
}

const buttons: ReadonlySet<string> = new Set(['button', 'btn', 'cta', 'link', 'more'])
