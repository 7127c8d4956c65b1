/** Converts the arguments of the list to the query of the storage. */

import type { UserQuery } from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import type { CapabilityGrant, UserSearchField } from '../../../contract/users.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { Roles } from '../../../site/roles.ts'
import { toSlug } from '../../../site/slug.ts'
import type { ListArgs } from './args.ts'
import { publicTypes } from './permissions.ts'

export type ListContext = Context<ListArgs, undefined>

const searchFields = { email: 'email', name: 'displayName', id: 'id', username: 'login', slug: 'slug' } as const
const columns = {
  id: 'id',
  name: 'displayName',
  registered_date: 'registered',
  slug: 'slug',
  email: 'email',
  url: 'url',
}

export function toUserQuery(context: ListContext): UserQuery {
  const { args } = context
  return {
    ...idFilter(args),
    ...(args.slug?.length ? { slugs: args.slug.map(toSlug) } : {}),
    ...(args.roles?.length ? { roles: args.roles } : {}),
    ...capabilityFilter(context),
    ...authorFilter(context),
    ...searchFilter(context),
    order: orderOf(args),
    limit: args.per_page,
    offset: args.offset === undefined ? (args.page - 1) * args.per_page : Math.abs(args.offset),
    total: true,
  }
}

/** Interface: `include` wins over `exclude`. */
function idFilter({ include, exclude }: ListArgs): Pick<UserQuery, 'ids' | 'notIds'> {
  if (include.length > 0) return { ids: include.map(Math.abs) }
  return exclude.length > 0 ? { notIds: exclude.map(Math.abs) } : {}
}

function capabilityFilter({ args, settings }: ListContext): Pick<UserQuery, 'capabilities'> {
  const lists = [
    ...(args.capabilities?.length ? [args.capabilities] : []),
    ...(args.who === 'authors' ? [['edit_posts']] : []),
  ]
  if (lists.length === 0) return {}
  return { capabilities: lists.map((names) => names.map((name) => grantOf(name, settings.roles))) }
}

const grantOf = (capability: string, roles: Roles): CapabilityGrant => ({
  capability,
  roles: Object.keys(roles).filter((role) => roles[role]?.[capability] === true),
})

/**
 * Interface: without `list_users` the list has only users with published posts of public types. The list of users who may write needs
 * another capability, and has all of them.
 */
function authorFilter(context: ListContext): Pick<UserQuery, 'authorsOf'> {
  const { args, user } = context
  const asked = args.has_published_posts
  const isLister = user.can('list_users')
  const open = publicTypes(context)
  if (typeof asked === 'object' && asked.length > 0) {
    return published(isLister ? asked : asked.filter((type) => open.includes(type)))
  }
  return asked === true || !(isLister || args.who === 'authors') ? published(open) : {}
}

const published = (types: readonly string[]) => ({ authorsOf: { types, statuses: ['publish'] } })

/** Interface: addresses are searched for those with `list_users` only. Choice: so are logins, which the others do not see either. */
function searchFilter({ args, user }: ListContext): Pick<UserQuery, 'search'> {
  const text = fold(args.search ?? '').trim()
  if (text === '') return {}
  const names = args.search_columns.length > 0 ? args.search_columns : (Object.keys(searchFields) as Column[])
  const fields = [...new Set(names.map((name): UserSearchField => searchFields[name]))]
  return {
    search: {
      text,
      fields: user.can('list_users') ? fields : fields.filter((field) => field !== 'email' && field !== 'login'),
    },
  }
}

type Column = keyof typeof searchFields

/** Choice: an order by a list that was not sent is the default order. */
function orderOf({ orderby, order, include, slug }: ListArgs): UserQuery['order'] {
  const descending = order === 'desc'
  if (orderby === 'include' && include.length > 0) return { by: 'ids' }
  if (orderby === 'include_slugs' && slug?.length) return { by: 'slugs' }
  if (orderby === 'include' || orderby === 'include_slugs') return { by: 'displayName', descending }
  // The cast: the table has the names of the contract.
  return { by: columns[orderby] as 'id', descending }
}
