/** Filters the attributes of a tag and their values. */
import type { Attribute, OpenTag } from '../../html/tokens.ts'
import { safeAddress } from './addresses.ts'
import { ADDRESSES, type AllowList, attributesOf } from './elements.ts'
import { decodeReferences, escapeValue, safeValue } from './references.ts'
import { safeStyle } from './styles.ts'

const DATA = /^data-[a-z0-9_-]+$/

/** Returns the source of the attributes, each after a blank; undefined when the element is not listed. */
export function safeAttributes(tag: OpenTag, list: AllowList, home: string | undefined): string | undefined {
  const own = attributesOf(list, tag.lowerName)
  if (own === undefined) return undefined
  if (tag.attributes.length === 0 || (tag.lowerName === 'object' && !isOwnDocument(tag, home))) return ''
  const seen = new Set<string>()
  let written = ''
  for (const { name, value } of tag.attributes) {
    const lowerName = name.toLowerCase()
    const isListed = own.includes(lowerName) || list.everywhere.has(lowerName) || (list.hasData && DATA.test(lowerName))
    // A browser reads the first of several attributes with one name, so the first wins here.
    if (!isListed || seen.has(lowerName)) continue
    seen.add(lowerName)
    written += safeAttribute(lowerName, value)
  }
  return written
}

function safeAttribute(name: string, source: string | null): string {
  if (source === null) return name === 'style' ? '' : ` ${name}`
  // Interface: the filter removes the file name that `download` proposes.
  if (name === 'download') return ''
  if (name === 'style') {
    const style = safeStyle(decodeReferences(source))
    return style === '' ? '' : ` style="${escapeValue(style)}"`
  }
  return ` ${name}="${ADDRESSES.has(name) ? addressValue(source) : safeValue(source)}"`
}

/** The colon of a protocol, written as a reference. */
const REFERRED_COLON = /^([\0-\x20]*[a-z][a-z0-9+.-]*)&(?:#0*58|#x0*3a|colon);/i

/** Keeps the references of an address that needs no change, but for that of the colon behind its protocol. */
function addressValue(written: string): string {
  const source = written.replace(REFERRED_COLON, '$1:')
  const address = decodeReferences(source)
  const safe = safeAddress(address)
  return safe === address ? safeValue(source) : escapeValue(safe)
}

const OWN_DOCUMENT = /^https?:\/\/([^/?#\\@]+)\/[^?#\\]*\.pdf$/

/** Interface: an `object` may only show a PDF file of the site's host, named by its full address. */
function isOwnDocument({ attributes }: OpenTag, home: string | undefined): boolean {
  if (home === undefined || decodedValue(attributes, 'type') !== 'application/pdf') return false
  const [, host] = OWN_DOCUMENT.exec(decodedValue(attributes, 'data')) ?? []
  return host !== undefined && host === hostOf(home)
}

const decodedValue = (attributes: readonly Attribute[], name: string): string =>
  decodeReferences(attributes.find((attribute) => attribute.name.toLowerCase() === name)?.value ?? '')

const hostOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined)
