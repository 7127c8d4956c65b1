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

const isOn = (value: unknown): boolean => value === 'on' || value === true || value === 'yes' || value === 'true'
