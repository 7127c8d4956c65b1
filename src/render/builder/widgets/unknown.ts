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
import { isAuthorText, withoutScripts, wordsOf } from './author-texts.ts'
import { iconOf } from './icon.ts'
import { kitText, type Widget } from './widget.ts'

export const unknownWidget: Widget = {
  defaults: kitText,
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
    if (name.startsWith('_') || forScreens.test(name)) continue
    const value = settings.value(name)
    const attributes = isLink(value) ? linkAttributes(value) : undefined
    if (attributes) links.push({ name, at: parts.length, attributes })
    else parts.push(...partOf(name, value, { settings, pass, depth }))
  }
  return linked(parts, links)
}

/** The same setting for other screens. */
const forScreens = /_(?:widescreen|laptop|(?:tablet|mobile)(?:_extra)?)$/

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

function textPart(name: string, stored: string, { settings, pass }: Around): readonly Part[] {
  const text = withoutScripts(stored)
  if (/^(?:fa[srbld]?|eicon) (?:fa|eicon)-[\w-]+$/.test(text)) {
    const icon = iconOf(text, pass)
    return isNothing(icon) ? [] : [{ name, isText: false, node: icon }]
  }
  if (!isAuthorText(name, text)) return []
  const node = filtered(text)
  return isNothing(node) ? [] : [{ name, isText: true, node: h(tagOf(name, text, settings), {}, node) }]
}

const titles: ReadonlySet<string> = new Set(['title', 'heading', 'headline', 'name'])

/** Another setting may name the tag of a title: `title_tag`, `title_size` or `heading_tag`. */
function tagOf(name: string, text: string, settings: Settings): string {
  if (/<(?:p|div|ul|ol|h[1-6]|table|blockquote|section)\b/i.test(text)) return 'div'
  const named = wordsOf(name)
  if (!titles.has(named.at(-1) ?? '') || named.at(-2) === 'sub') return 'p'
  const chosen = [
    `${name}_tag`,
    `${name}_html_tag`,
    `${name}_size`,
    'title_tag',
    'title_size',
    'heading_tag',
    'html_tag',
  ]
  return chosen.map((setting) => settings.text(setting)).find((tag) => /^(?:h[1-6]|p|div)$/.test(tag)) ?? 'h3'
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

/** Draws a picture, a video or a sound. Pictures behind a text are a matter of style, and other files have no form here. */
function picture(name: string, value: { readonly [name: string]: unknown }, settings: Settings, pass: Pass): Child {
  const address = fileAddress(textOf(ownValue(value, 'url')))
  if (placeholder.test(address) || wordsOf(name).some((word) => word === 'bg' || word === 'background'))
    return undefined
  const ending = /\.(\w{2,5})(?:[?#]|$)/.exec(address.slice(address.lastIndexOf('/') + 1))?.[1]?.toLowerCase() ?? ''
  if (/^(?:mp4|webm|ogv|mov)$/.test(ending)) return h('video', { src: address, controls: true, preload: 'none' })
  if (/^(?:mp3|m4a|ogg|wav)$/.test(ending)) return h('audio', { src: address, controls: true, preload: 'none' })
  const isPicture = /^(?:avif|gif|jpe?g|png|svg|webp)$/.test(ending) || address.startsWith('data:image')
  return isPicture || (ending === '' && Number(ownValue(value, 'id')) > 0)
    ? imageOf(value, { sizeName: name, settings, pass })
    : undefined
}

// ---------------------------------------------------------------- links

/**
 * A link is around the text with the same first words, a button before others; a link without first words around the button, else the
 * title, else the part before it. Those with first words choose first.
 */
function linked(parts: readonly Part[], links: readonly Link[]): Child {
  const nodes = parts.map(({ node }) => node)
  const taken = new Set<number>()
  const place = ({ attributes }: Link, found: number | undefined): boolean => {
    if (found === undefined) return false
    taken.add(found)
    nodes[found] = h('a', attributes, nodes[found])
    return true
  }
  const others = links.filter((link) => !place(link, ofStem(link, parts, taken)))
  for (const link of others) place(link, anyPart(link, parts, taken))
  return nodes
}

interface OpenPart extends Part {
  readonly index: number
}

const openParts = (parts: readonly Part[], taken: ReadonlySet<number>): readonly OpenPart[] =>
  parts.map((part, index) => ({ ...part, index })).filter(({ index }) => !taken.has(index))

const hasWord = ({ name }: Part, list: ReadonlySet<string>) => wordsOf(name).some((word) => list.has(word))

function ofStem({ name }: Link, parts: readonly Part[], taken: ReadonlySet<number>): number | undefined {
  const stem = wordsOf(name).slice(0, -1).join(' ')
  if (stem === '') return undefined
  const found = openParts(parts, taken).filter(
    (part) => part.isText && `${wordsOf(part.name).join(' ')} `.startsWith(`${stem} `),
  )
  return (found.find((part) => hasWord(part, buttons)) ?? found[0])?.index
}

function anyPart({ at }: Link, parts: readonly Part[], taken: ReadonlySet<number>): number | undefined {
  const open = openParts(parts, taken)
  const texts = open.filter(({ isText }) => isText)
  const found =
    texts.find((part) => hasWord(part, buttons)) ??
    texts.find((part) => hasWord(part, titles)) ??
    open.findLast(({ index }) => index < at) ??
    open[0]
  return found?.index
}

const buttons: ReadonlySet<string> = new Set(['button', 'btn', 'cta', 'link', 'more'])
