/**
 * XMP packets (RDF in XML): keeps the properties that people write about a picture, and drops all others. A packet that declares
 * entities, or that is no XML, is dropped whole.
 */
import { lookupTable } from '../../contract/lookup-table.ts'
import { Unreadable } from './bytes.ts'
import type { FilteredBlock } from './exif.ts'
import { firstOf, keywordsOf, type PictureFacts, wordsOf } from './texts.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const dc = 'http://purl.org/dc/elements/1.1/'
const photoshop = 'http://ns.adobe.com/photoshop/1.0/'
const iptcCore = 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/'
const tiff = 'http://ns.adobe.com/tiff/1.0/'

/** Properties that tell no place and no device, by namespace; undefined: all of it. */
const keptProperties: ReadonlyMap<string, ReadonlySet<string> | undefined> = new Map([
  [dc, new Set(['title', 'description', 'creator', 'contributor', 'rights', 'subject', 'publisher', 'language'])],
  ['http://ns.adobe.com/xap/1.0/rights/', undefined],
  ['http://creativecommons.org/ns#', undefined],
  ['http://ns.useplus.org/ldf/xmp/1.0/', undefined],
  [photoshop, new Set(['Credit', 'Headline', 'CaptionWriter', 'AuthorsPosition', 'ColorMode', 'ICCProfile'])],
  [iptcCore, new Set(['AltTextAccessibility', 'ExtDescrAccessibility'])],
  ['http://iptc.org/std/Iptc4xmpExt/2008-02-29/', new Set(['DigitalSourceType'])],
  [tiff, new Set(['Artist', 'Copyright', 'ImageDescription', 'Orientation'])],
  ['http://ns.adobe.com/xap/1.0/', new Set(['Rating'])],
  [
    'http://ns.google.com/photos/1.0/panorama/',
    new Set([
      ...['ProjectionType', 'UsePanoramaViewer', 'FullPanoWidthPixels', 'FullPanoHeightPixels'],
      ...[
        'CroppedAreaImageWidthPixels',
        'CroppedAreaImageHeightPixels',
        'CroppedAreaLeftPixels',
        'CroppedAreaTopPixels',
      ],
    ]),
  ],
])

const isKept = (namespace: string, name: string): boolean => {
  if (!keptProperties.has(namespace)) return false
  return keptProperties.get(namespace)?.has(name) ?? true
}

const longestPacket = 1024 * 1024
const deepest = 32
const mostElements = 20_000
const mostPrefixes = 64

interface Attribute {
  readonly name: string
  readonly value: string
}

interface Element {
  readonly namespace: string
  readonly name: string
  readonly attributes: readonly Attribute[]
  readonly children: Element[]
  /** The namespaces by prefix. It has those of the elements around it too. */
  readonly prefixes: ReadonlyMap<string, string>
  readonly from: number
  to: number
  text: string
}

/** `bytes` is undefined where no property stays. */
export function filterXmp(bytes: Uint8Array): FilteredBlock {
  if (bytes.length > longestPacket) return { bytes: undefined, facts: {} }
  try {
    return filterPacket(bytes, new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof Unreadable || error instanceof TypeError) return { bytes: undefined, facts: {} }
    throw error
  }
}

function filterPacket(bytes: Uint8Array, source: string): FilteredBlock {
  const isRdf = (name: string) => (element: Element) => element.namespace === rdf && element.name === name
  const all = parse(source)
  const descriptions = all.filter(isRdf('RDF')).flatMap(({ children }) => children.filter(isRdf('Description')))
  const selection = new Selection(source)
  for (const description of descriptions) selection.take(description)
  const facts = factsOf(selection.values)
  if (selection.kept.length === 0) return { bytes: undefined, facts }
  const isClean =
    selection.dropped === 0 &&
    !source.includes('<!--') &&
    all.every((element) => isFrame(element) || selection.elements.has(element))
  return { bytes: isClean ? bytes : new TextEncoder().encode(packet(selection.kept)), facts }
}

/** The elements around properties, which say nothing but the program that wrote them. */
const isFrame = ({ namespace, name, text }: Element): boolean =>
  text.trim() === '' &&
  (namespace === 'adobe:ns:meta/' || (namespace === rdf && (name === 'RDF' || name === 'Description')))

/** The properties that stay, as they are written, and their texts by namespace and name. */
class Selection {
  readonly kept: string[] = []
  readonly values = new Map<string, readonly string[]>()
  dropped = 0
  #length = 0
  /** The properties that stay, and all elements in them. */
  readonly elements = new Set<Element>()
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  take({ attributes, children, prefixes }: Element): void {
    const written = attributes.flatMap((attribute) => this.#attribute(attribute, prefixes) ?? [])
    const elements = children.flatMap((child) => this.#element(child) ?? [])
    if (written.length + elements.length === 0) return
    const text = writtenDescription(prefixes, written, elements)
    this.#length += text.length
    if (this.#length > longestPacket) throw new Unreadable('the packet grows')
    this.kept.push(text)
  }

  #attribute({ name, value }: Attribute, prefixes: Element['prefixes']): string | undefined {
    const { namespace, local } = resolved(name, prefixes)
    if (namespace === rdf || /^xmlns(?::|$)/.test(name)) return undefined
    if (!isKept(namespace, local)) return this.#drop()
    this.#note(namespace + local, [decoded(value)])
    return `${name}="${value.replaceAll('"', '&quot;')}"`
  }

  #element(element: Element): string | undefined {
    if (!isKept(element.namespace, element.name) || !isPlain(element)) return this.#drop()
    this.#note(element.namespace + element.name, textsOf(element))
    this.#keep(element)
    return this.#source.slice(element.from, element.to)
  }

  #keep(element: Element): void {
    this.elements.add(element)
    for (const child of element.children) this.#keep(child)
  }

  #note(name: string, texts: readonly string[]): void {
    if (!this.values.has(name)) this.values.set(name, texts)
  }

  #drop(): undefined {
    this.dropped++
    return undefined
  }
}

/** Declares the prefixes that occur in it. */
function writtenDescription(
  prefixes: Element['prefixes'],
  attributes: readonly string[],
  elements: readonly string[],
): string {
  const content = elements.join('')
  const names = `${attributes.join(' ')} ${content}`
  const declared = [...prefixes]
    .filter(([prefix]) => prefix !== 'rdf' && (prefix === '' || names.includes(`${prefix}:`)))
    .map(([prefix, uri]) => `${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${uri.replaceAll('"', '&quot;')}"`)
  return `<rdf:Description rdf:about="" ${[...declared, ...attributes].join(' ')}>${content}</rdf:Description>`
}

const packet = (descriptions: readonly string[]): string =>
  `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${rdf}">` +
  `${descriptions.join('')}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

/** Properties of other namespaces may be nested in a kept one. */
const isPlain = ({ attributes, children, prefixes }: Element): boolean =>
  attributes.every(({ name }) => {
    const { namespace, local } = resolved(name, prefixes)
    return /^(?:xmlns|xml)(?::|$)/.test(name) || namespace === rdf || isKept(namespace, local)
  }) && children.every((child) => (child.namespace === rdf || isKept(child.namespace, child.name)) && isPlain(child))

// ---------------------------------------------------------------- facts

/** The text of a property, or those of its list. */
function textsOf(property: Element): readonly string[] {
  const items = property.children.flatMap(({ children }) => children).filter(({ name }) => name === 'li')
  return items.length === 0 ? [decoded(property.text)] : byLanguage(items).map(({ text }) => decoded(text))
}

/** Of a text in several languages, the one for all comes first. */
const byLanguage = (items: readonly Element[]): readonly Element[] =>
  items.toSorted((one, other) => Number(isDefault(other)) - Number(isDefault(one)))

const isDefault = ({ attributes }: Element): boolean =>
  attributes.some(({ name, value }) => name === 'xml:lang' && value === 'x-default')

const entities: { readonly [name: string]: string } = lookupTable({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

function factsOf(values: ReadonlyMap<string, readonly string[]>): PictureFacts {
  const first = (...names: readonly string[]) => firstOf(names, (name) => wordsOf(values.get(name)?.[0]))
  const facts: { readonly [name in keyof PictureFacts]: PictureFacts[name] | undefined } = {
    title: first(`${dc}title`, `${photoshop}Headline`),
    description: first(`${dc}description`, `${tiff}ImageDescription`),
    alternative: first(`${iptcCore}AltTextAccessibility`),
    creator: wordsOf(values.get(`${dc}creator`)?.join(', ')) ?? first(`${tiff}Artist`),
    credit: first(`${photoshop}Credit`),
    copyright: first(`${dc}rights`, `${tiff}Copyright`),
    keywords: keywordsOf(values.get(`${dc}subject`) ?? []),
  }
  // The cast: members that are undefined are left out when facts are merged.
  return facts as PictureFacts
}

// ---------------------------------------------------------------- XML

const noPrefixes: ReadonlyMap<string, string> = new Map()
/** Matches a comment, character data, an instruction, or a tag with its attributes. */
const tag =
  /<(?:!--[\s\S]*?-->|!\[CDATA\[[\s\S]*?\]\]>|\?[\s\S]*?\?>|(\/?)([^\s<>/!?=]+)((?:\s+[^\s<>/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>)/y

/** Returns all elements, in order. Throws Unreadable for entities, and for a text that is no well-formed XML. */
function parse(source: string): readonly Element[] {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(source)) throw new Unreadable('a packet declares no entities')
  const tree = new Tree()
  for (let at = source.indexOf('<'); at !== -1; ) {
    tag.lastIndex = at
    const match = tag.exec(source)
    if (!match) throw new Unreadable('the packet is no XML')
    const end = at + match[0].length
    const next = source.indexOf('<', end)
    tree.take(match, { from: at, to: end, text: source.slice(end, next === -1 ? source.length : next) })
    at = next
  }
  return tree.finished()
}

class Tree {
  readonly #all: Element[] = []
  readonly #open: Element[] = []

  /** `text`: what follows up to the next tag. */
  take([, slash, name, attributes = '', single]: RegExpExecArray, part: Pick<Element, 'from' | 'to' | 'text'>): void {
    const inner = this.#open.at(-1)
    if (name === undefined) {
      if (inner) inner.text += part.text
    } else if (slash === '/') {
      if (inner === undefined) throw new Unreadable('an element ends that has not begun')
      inner.to = part.to
      this.#open.pop()
    } else this.#begin(elementOf(name, attributes, inner, part), { inner, isEmpty: single === '/' })
  }

  #begin(
    element: Element,
    { inner, isEmpty }: { readonly inner: Element | undefined; readonly isEmpty: boolean },
  ): void {
    inner?.children.push(element)
    this.#all.push(element)
    if (this.#all.length > mostElements) throw new Unreadable('the packet has too many elements')
    if (isEmpty) element.text = ''
    else this.#open.push(element)
    if (this.#open.length > deepest) throw new Unreadable('the packet is too deep')
  }

  finished(): readonly Element[] {
    if (this.#open.length > 0) throw new Unreadable('an element does not end')
    return this.#all
  }
}

const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

function elementOf(
  written: string,
  list: string,
  outer: Element | undefined,
  part: Pick<Element, 'from' | 'to' | 'text'>,
): Element {
  const attributes = [...list.matchAll(attribute)].map(([, name = '', double, single]) => ({
    name,
    value: double ?? single ?? '',
  }))
  const declared = attributes.filter(({ name }) => /^xmlns(?::|$)/.test(name))
  const around = outer?.prefixes ?? noPrefixes
  const prefixes =
    declared.length === 0
      ? around
      : new Map([...around, ...declared.map(({ name, value }) => [name.slice('xmlns:'.length), value] as const)])
  if (prefixes.size > mostPrefixes) throw new Unreadable('the packet has too many namespaces')
  const { namespace, local } = resolved(written, prefixes, { isElement: true })
  return { namespace, name: local, attributes, children: [], prefixes, ...part }
}

/** An attribute without a prefix has no namespace. */
function resolved(name: string, prefixes: ReadonlyMap<string, string>, { isElement = false } = {}) {
  const colon = name.indexOf(':')
  const prefix = colon === -1 ? '' : name.slice(0, colon)
  const local = name.slice(colon + 1)
  return { namespace: prefix === '' && !isElement ? '' : (prefixes.get(prefix) ?? ''), local }
}
