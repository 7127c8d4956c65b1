/** Reads a contact whose kind and parts have a common start: `<start>_platform`, `<start>_number`, `<start>_mail`. */
import { linkAddress } from '../../document/addresses.ts'
import { isObject, ownValue, textOf } from '../../document/values.ts'
import { contactAddress } from '../../elements/contact-address.ts'
import type { WidgetContext } from '../context.ts'

const TYPES: ReadonlyMap<string, string> = new Map([
  ['telephone', 'tel'],
  ['phone', 'tel'],
  ['mail', 'email'],
])
const PARTS: ReadonlyMap<string, string> = new Map([
  ['mail_to', 'mail'],
  ['tel_number', 'number'],
])

/** Returns an empty text when no part is stored; a stored address counts for kinds that have no other part. */
export function storedContact({ settings }: WidgetContext, start: string): string {
  const part = (name: string): string => {
    const value = settings.value(`${start}_${name}`)
    return (isObject(value) ? textOf(ownValue(value, 'url')) : textOf(value)).trim()
  }
  const kind = (part('platform') || part('type')).toLowerCase()
  const written = contactAddress(TYPES.get(kind) ?? kind, (name) => part(PARTS.get(name) ?? name))
  return linkAddress(written || part('url') || part('file') || part('link'))
}
