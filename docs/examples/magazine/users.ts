/** Users, in the authors of the magazine. */
import { type CapabilityGrant, identityFold, type User, type UserQuery, type UserStore } from 'site-api/storage'
import {
  contains,
  foldedText,
  given,
  hasIdOf,
  hasNoIdOf,
  identityOf,
  insertRows,
  isOneOf,
  orderBy,
  orderOf,
  readPage,
  textOf,
  updateRows,
  type View,
} from './rows.ts'
import type { Session } from './session.ts'
import { and, column, or, type Sql, sql } from './sql.ts'

const view: View = {
  name: 'site_users',
  fields: {
    login: 'text',
    slug: 'text',
    displayName: 'text',
    email: 'text',
    url: 'text',
    roles: 'json',
    capabilities: 'json',
    password: 'text',
    blocked: 'boolean',
    registered: 'text',
  },
}

export function userStore(session: Session): UserStore {
  return {
    query: async (query) =>
      readPage<User>(session, {
        from: sql`site_users`,
        where: conditionOf(query),
        order: orderOfUsers(query),
        page: query,
      }),
    insert: (rows) => session.atomic((inside) => insertRows(inside, view, rows)),
    update: (updates) => session.atomic((inside) => updateRows(inside, view, updates)),
    // A trigger removes the meta.
    remove: async (ids) => {
      await session.atomic((inside) => inside.query(sql`delete from site_users where id = any(${ids}::bigint[])`))
    },
  }
}

function conditionOf(query: UserQuery): Sql {
  const login = identityOf('login')
  const email = identityOf('email')
  return and([
    hasIdOf(sql`id`, query.ids),
    hasNoIdOf(sql`id`, query.notIds),
    isOneOf(login, query.logins?.map(identityFold)),
    isOneOf(sql`slug`, query.slugs),
    isOneOf(email, query.emails?.map(identityFold)),
    given(query.names?.map(identityFold), (names) => {
      return sql`(${isOneOf(login, names)} or (email <> '' and ${isOneOf(email, names)}))`
    }),
    given(query.roles, hasRole),
    ...(query.capabilities ?? []).map((grants) => or(grants.map(isGranted))),
    given(query.authorsOf, ({ types, statuses }) => {
      const where = and([sql`author = site_users.id`, isOneOf(sql`type`, types), isOneOf(sql`status`, statuses)])
      return sql`exists (select from site_posts where ${where})`
    }),
    given(query.search, ({ text, fields }) => or(fields.map((field) => matches(field, text)))),
  ])
}

const hasRole = (roles: readonly string[]): Sql => sql`roles ?| ${roles}::text[]`

const isGranted = ({ capability, roles }: CapabilityGrant): Sql =>
  sql`coalesce((capabilities ->> ${capability}::text)::boolean, ${hasRole(roles)})`

const searched: readonly string[] = ['login', 'slug', 'email', 'displayName']

function matches(field: string, text: string): Sql {
  if (field === 'id') return sql`id::text = ${text}`
  if (!searched.includes(field)) throw new TypeError(`unknown field ${field}`)
  return contains(foldedText(field), text)
}

function orderOfUsers({ order, ids, slugs }: UserQuery): Sql {
  switch (order.by) {
    case 'ids':
      return orderOf(ids, sql`id`)
    case 'slugs':
      return orderOf(slugs, sql`slug`)
    case 'login':
    case 'email':
    case 'displayName':
      return orderBy(foldedText(order.by), order)
    case 'slug':
    case 'url':
    case 'registered':
      return orderBy(textOf(order.by), order)
    case 'id':
      return orderBy(column('id'), order)
    default:
      throw new TypeError(`unknown field ${String((order as { readonly by: unknown }).by)}`)
  }
}
