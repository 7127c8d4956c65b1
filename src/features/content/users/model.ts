/** The public view of users: without e-mail address and login. */

import type { Storage, User } from '../../../contract/storage.ts'
import { int, str } from '../../../core/declare/args.ts'
import { fields, links } from '../../../core/declare/response-schema.ts'
import type { Names } from '../../../names/word-map.ts'
import { avatarAddress, avatarSizes } from '../../../site/comments/avatar-address.ts'
import type { Settings } from '../../../site/settings.ts'

/**
 * Images by size. Choice: pictures of the initials, which the service draws itself; the field's picture service would learn
 * who visits the site, and would get a digest of the e-mail address.
 */
export function avatarUrls(
  user: Pick<User, 'displayName'>,
  settings: Pick<Settings, 'apiRoot'>,
): { readonly [size: string]: string } {
  return Object.fromEntries(avatarSizes.map((size) => [String(size), avatarAddress(user, size, settings)]))
}

export const avatarUrlsSchema = fields(
  { 24: str({ format: 'uri' }), 48: str({ format: 'uri' }), 96: str({ format: 'uri' }) },
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

/** Meta keys of what the view of a user shows. */
export const descriptionKey = 'description'

/** The record that `_embed` adds for an author. */
export function publicUser(user: User, settings: Settings, names: Names, description = '') {
  const { home, apiRoot } = settings
  const root = `${apiRoot}/${names.toPublic('cms/v2')}/users`
  return {
    id: user.id,
    name: user.displayName,
    url: user.url,
    description,
    link: `${home}/author/${user.slug}/`,
    slug: user.slug,
    avatar_urls: avatarUrls(user, settings),
    _links: { self: [{ href: `${root}/${user.id}` }], collection: [{ href: root }] },
  }
}

/** By id, what users say of themselves. */
export async function descriptionsOf(storage: Storage, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const entries = await storage.meta.read('user', ids, [descriptionKey])
  return new Map(entries.map(({ id, value }) => [id, typeof value === 'string' ? value : '']))
}
