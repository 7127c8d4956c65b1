/** Writes addresses that begin a message, a call or a route. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { addressPart } from '../document/addresses.ts'

const part = addressPart
const digits = (text: string): string => text.replace(/[^\d+]+/g, '')

function withQuery(start: string, values: readonly (readonly [name: string, value: string])[]): string {
  const given = values.filter(([, value]) => value !== '').map(([name, value]) => `${name}=${part(value)}`)
  return given.length === 0 ? start : `${start}?${given.join('&')}`
}

type Contact = (text: (name: string) => string) => string

const numbered =
  (scheme: string): Contact =>
  (text) => {
    const number = digits(text('tel_number'))
    return number === '' ? '' : scheme + number
  }

const CONTACTS: { readonly [type: string]: Contact } = lookupTable({
  email: (text) => {
    // An address must not contain signs that begin a query.
    const address = text('mail_to').replace(/[\s?#&]+/g, '')
    if (address === '') return ''
    return withQuery(`mailto:${address}`, [
      ['subject', text('mail_subject')],
      ['body', text('mail_body')],
    ])
  },
  tel: numbered('tel:'),
  sms: numbered('sms:'),
  whatsapp: (text) => {
    const number = digits(text('tel_number')).replaceAll('+', '')
    return number === '' ? '' : `https://wa.me/${number}`
  },
  skype: (text) => {
    const name = text('username')
    return name === '' ? '' : `skype:${part(name)}?${text('skype_action') === 'chat' ? 'chat' : 'call'}`
  },
  messenger: (text) => {
    const name = text('username')
    return name === '' ? '' : `https://m.me/${part(name)}`
  },
  viber: (text) => {
    const number = digits(text('tel_number'))
    return number === '' ? '' : `viber://chat?number=${part(number)}`
  },
  waze: (text) => {
    const place = text('location')
    return place === '' ? '' : `https://waze.com/ul?q=${part(place)}&navigate=yes`
  },
})

/** Returns undefined for an unknown type, and an empty text when the part that it needs is absent. */
export function contactAddress(type: string, text: (name: string) => string): string | undefined {
  return Object.hasOwn(CONTACTS, type) ? CONTACTS[type]?.(text) : undefined
}
