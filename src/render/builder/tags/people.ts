/** Dynamic tags about the author of the current post and about the reader. No tag returns the e-mail address of an author. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { User } from '../../../contract/storage.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { textOf } from '../document/values.ts'
import type { Tag, TagContext, TagTable } from '../pass/pass.ts'
import { authorAddress, authorOf, currentPost } from '../template-context/current-post.ts'
import { profileField } from '../template-context/fields.ts'

const ofAuthor =
  (answer: (author: User, context: TagContext) => unknown): Tag =>
  (context) => {
    const post = currentPost(context.scope, context.pass)
    const author = post && authorOf(post, context.pass)
    return author && answer(author, context)
  }

type UserValue = (user: User) => string

const PUBLIC: { readonly [key: string]: UserValue } = lookupTable({
  display_name: ({ displayName }) => displayName,
  user_nicename: ({ slug }) => slug,
  nicename: ({ slug }) => slug,
  user_url: ({ url }) => url,
  url: ({ url }) => url,
})

/** Returns HTML. A description may contain markup, which the control filters. */
function publicValue(user: User, key: string, { pass }: TagContext): string {
  if (Object.hasOwn(PUBLIC, key)) return escapeHtml(textOf(PUBLIC[key]?.(user)))
  const text = profileField(user.id, key, pass)
  return key === 'description' ? text : escapeHtml(text)
}

const OWN: { readonly [type: string]: UserValue } = lookupTable({
  ...PUBLIC,
  id: ({ id }) => String(id),
  login: ({ login }) => login,
  email: ({ email }) => email,
})

const userInfo: Tag = (context) => {
  const { pass, settings } = context
  const { user } = pass.reader()
  if (!user) return undefined
  const type = settings.text('type')
  if (Object.hasOwn(OWN, type)) return escapeHtml(textOf(OWN[type]?.(user)))
  return publicValue(user, type === 'meta' ? settings.text('meta_key') : type, context)
}

export const peopleTags: TagTable = {
  'author-name': ofAuthor(({ displayName }) => escapeHtml(displayName)),
  'author-url': ofAuthor((author, { settings, pass }) => ({
    url: settings.text('url', 'archive') === 'website' ? author.url : authorAddress(author, pass),
  })),
  'author-meta': ofAuthor((author, context) => publicValue(author, context.settings.text('key'), context)),
  'author-info': ofAuthor((author, context) =>
    publicValue(author, context.settings.text('key', 'description'), context),
  ),
  'user-info': userInfo,
  // The site stores no pictures of users, so the fallback of the tag is shown.
  'author-profile-picture': () => undefined,
  'user-profile-picture': ({ pass }) => {
    pass.reader()
    return undefined
  },
}
