/** Dynamic tags that return addresses: of records of the site, and for messages and calls. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { addressPart } from '../document/addresses.ts'
import { idOf } from '../document/values.ts'
import type { Pass, Tag, TagContext, TagTable } from '../pass/pass.ts'
import { terms } from '../records/kinds.ts'
import { authorAddress } from '../template-context/current-post.ts'

type AddressOf = (id: number, pass: Pass) => string | undefined

/** Returns addresses only of posts that visitors may open, whoever the reader is. */
const postAddress: AddressOf = (id, pass) => {
  const post = pass.post(id)
  return post?.status === 'publish' ? pass.addressOf(id) : undefined
}

const KINDS: { readonly [type: string]: { readonly settings: readonly string[]; readonly address: AddressOf } } =
  lookupTable({
    post: { settings: ['post_id'], address: postAddress },
    taxonomy: {
      settings: ['taxonomy_id', 'term_id'],
      address: (id, pass) => {
        pass.depend(`term:${id}`)
        const term = pass.get(terms, id)
        return term?.address
      },
    },
    attachment: { settings: ['attachment_id'], address: (id, pass) => pass.medium(id)?.address },
    author: {
      settings: ['author_id'],
      address: (id, pass) => {
        const user = pass.user(id)
        return user && authorAddress(user, pass)
      },
    },
  })

const internalUrl: Tag = ({ settings, pass }) => {
  const type = settings.text('type', 'post')
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
  const id = kind?.settings.map((name) => idOf(settings.value(name))).find((found) => found !== undefined)
  return id === undefined ? undefined : { url: kind?.address(id, pass) ?? '' }
}

// ---------------------------------------------------------------- contacts

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

const contactUrl = ({ settings }: TagContext) => {
  const type = settings.text('link_type')
  const contact = Object.hasOwn(CONTACTS, type) ? CONTACTS[type] : undefined
  return contact && { url: contact((name) => settings.text(name).trim()) }
}

export const linkTags: TagTable = { 'internal-url': internalUrl, 'contact-url': contactUrl }
