/** Dynamic tags that return addresses: of records of the site, and for messages and calls. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { idOf, nameOf } from '../document/values.ts'
import { contactAddress } from '../elements/contact-address.ts'
import { actionAddress } from '../elements/popup.ts'
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

const contactUrl = ({ settings }: TagContext) => {
  const url = contactAddress(settings.text('link_type'), (name) => settings.text(name).trim())
  return url === undefined ? undefined : { url }
}

/** Leads to a panel over the page, which its address opens. */
const offCanvas: Tag = ({ settings }) => {
  const id = nameOf(settings.value('off_canvas'))
  return id === '' ? undefined : { url: `#off-canvas-${id}` }
}

/** Leads to a popup, which the script of a page opens over it; `close` leaves the popup around the link. */
const popup: Tag = ({ settings }) => {
  const forEver = settings.isOn('do_not_show_again')
  const url = actionAddress(settings.text('action', 'open'), idOf(settings.value('popup')), forEver)
  return url === undefined ? undefined : { url }
}

export const linkTags: TagTable = {
  'internal-url': internalUrl,
  'contact-url': contactUrl,
  'off-canvas': offCanvas,
  popup,
}
