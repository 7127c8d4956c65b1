/** Writes the attributes of a url value: `{ url, is_external, nofollow, custom_attributes }`. */
import { linkAddress } from '../document/addresses.ts'
import { isObject, ownValue, textOf } from '../document/values.ts'
import type { Attributes } from '../html/nodes.ts'
import { customAttributes } from './wrapper.ts'

/** Returns undefined when the value has no allowed address. */
export function linkAttributes(value: unknown): Attributes | undefined {
  const stored = isObject(value) ? value : { url: value }
  const href = linkAddress(textOf(ownValue(stored, 'url')))
  if (href === '') return undefined
  const isExternal = isOn(ownValue(stored, 'is_external'))
  const rel = [...(isOn(ownValue(stored, 'nofollow')) ? ['nofollow'] : []), ...(isExternal ? ['noopener'] : [])]
  const {
    rel: ownRel,
    target: ownTarget,
    ...custom
  } = customAttributes(textOf(ownValue(stored, 'custom_attributes')), ',')
  const target = isExternal ? '_blank' : ownTarget
  return { href, target, rel: rel.length > 0 ? rel.join(' ') : ownRel, ...custom }
}

/** Names a link whose only content is an icon, by its address: the page, the site, the number. Its own name stays. */
export function linkName({ href, title, 'aria-label': name }: Attributes): Attributes {
  if (name !== undefined || title !== undefined || typeof href !== 'string') return {}
  const label = nameOfAddress(href)
  return label === '' ? {} : { 'aria-label': label }
}

function nameOfAddress(href: string): string {
  const contact = /^(?:mailto|tel|sms|callto|skype):([^?]*)/i.exec(href)?.[1]
  if (contact !== undefined) return decoded(contact)
  const address = href.replace(/^#/, '/#')
  if (!URL.canParse(address, 'https://site.invalid')) return ''
  const { pathname, hash, hostname } = new URL(address, 'https://site.invalid')
  const last = pathname.split('/').findLast((part) => part !== '') ?? hash.slice(1)
  const words = decoded(last)
    .replace(/\.\w{2,5}$/, '')
    .replace(/[-_+]+/g, ' ')
    .trim()
  if (hostname !== 'site.invalid') return hostname.replace(/^www\./, '')
  return words === '' ? 'Home' : words
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isOn = (value: unknown): boolean => value === 'on' || value === true || value === 'yes' || value === 'true'
