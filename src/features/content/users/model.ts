/** The public view of users: without e-mail address and login. */

import { int, str } from '../../../core/declare/args.ts'
import { fields, links } from '../../../core/declare/response-schema.ts'
import type { Names } from '../../../names/word-map.ts'
import type { Settings } from '../../../site/settings.ts'
import type { User } from '../../../storage/contract.ts'

const avatarSizes = [24, 48, 96]

/**
 * Images by size. Choice: inline images of the initials; the field's picture service would learn who visits the site,
 * and would get a digest of the e-mail address.
 */
export function avatarUrls({ displayName }: Pick<User, 'displayName'>): { readonly [size: string]: string } {
  const initials = displayName
    .split(/\s+/)
    .filter((word) => /^\p{L}/u.test(word))
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('')
  const svg = (size: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="${size}" height="${size}"><rect width="96" height="96" fill="#ccd3d9"/><text x="48" y="62" font-size="40" font-family="sans-serif" text-anchor="middle" fill="#33414d">${initials}</text></svg>`
  return Object.fromEntries(
    avatarSizes.map((size) => [String(size), `data:image/svg+xml,${encodeURIComponent(svg(size))}`]),
  )
}

export const avatarUrlsSchema = fields(
  { 24: str(), 48: str(), 96: str() },
  { description: 'Pictures by their size in pixels.' },
)

export const publicUserMembers = {
  id: int(),
  name: str({ description: 'The name that is shown.' }),
  url: str(),
  description: str(),
  link: str({ format: 'uri' }),
  slug: str(),
  avatar_urls: avatarUrlsSchema,
  _links: fields({ self: links(), collection: links() }),
}

export const publicUserSchema = fields(publicUserMembers, { title: 'Embedded user' })

/** The record that `_embed` adds for an author. */
export function publicUser(user: User, { home, apiRoot }: Settings, names: Names) {
  const root = `${apiRoot}/${names.toPublic('cms/v2')}/users`
  return {
    id: user.id,
    name: user.displayName,
    url: user.url,
    description: '',
    link: `${home}/author/${user.slug}/`,
    slug: user.slug,
    avatar_urls: avatarUrls(user),
    _links: { self: [{ href: `${root}/${user.id}` }], collection: [{ href: root }] },
  }
}
