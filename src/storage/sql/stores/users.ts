/** Users in SQL. Unique indexes enforce the uniqueness of login, slug and email. */

import { userFields } from '../../../contract/fields/users.ts'
import type { UserQuery, UserStore } from '../../../contract/storage.ts'
import { identityFold } from '../../../contract/text-fold.ts'
import type { CapabilityGrant } from '../../../contract/users.ts'
import type { Dialect } from '../engine/dialect.ts'
import { rowReader } from '../engine/fields.ts'
import { type Fragment, some, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { containsIn, hasNoneOf, isOneOf, type ListOrder, listRows, type PlaceOrder } from './listing.ts'
import { insertRows, removeRows, updateRows } from './rows.ts'

const users = {
  name: 'users',
  fields: userFields,
  reader: rowReader({ id: { kind: 'integer', column: 'id' }, ...userFields }),
  orders: {
    id: 'id',
    login: 'login_folded',
    slug: 'slug',
    displayName: 'display_name_folded',
    email: 'email_folded',
    url: 'url',
    registered: 'registered',
  },
  longTexts: ['login_folded', 'display_name_folded', 'email_folded', 'url'],
} as const

const searchColumns = {
  login: 'login_folded',
  slug: 'slug_folded',
  email: 'email_folded',
  displayName: 'display_name_folded',
}

export function userStore(session: Session): UserStore {
  return {
    query: (query) =>
      listRows(session, users, conditionsOf(session.dialect, query), { ...query, order: orderOf(query) }),
    insert: (rows, ids) => insertRows(session, users, rows, { ids }),
    update: (updates) => updateRows(session, users, updates),
    remove: (ids) => removeRows(session, users, ids),
  }
}

function conditionsOf(dialect: Dialect, query: UserQuery): Fragment[] {
  const { names, roles, capabilities = [], authorsOf } = query
  return [
    ...isOneOf(dialect, 'id', query.ids),
    ...hasNoneOf(dialect, query.notIds),
    ...isOneOf(dialect, 'login_identity', query.logins?.map(identityFold)),
    ...isOneOf(dialect, 'slug', query.slugs),
    ...isOneOf(dialect, 'email_identity', query.emails?.map(identityFold)),
    ...(names === undefined ? [] : [isNamed(dialect, names.map(identityFold))]),
    ...(roles === undefined ? [] : [dialect.hasRole(roles)]),
    ...capabilities.map((grants) => some(grants.map((grant) => isGranted(dialect, grant)))),
    ...(authorsOf === undefined ? [] : [isAuthorOf(dialect, authorsOf)]),
    ...searchConditions(dialect, query),
  ]
}

/** With `email_identity <> ''`, so that the index on addresses serves it. */
const isNamed = ({ inList }: Dialect, names: readonly string[]): Fragment =>
  sql`(${inList('login_identity', names)} or (${inList('email_identity', names)} and email_identity <> ''))`

const isGranted = ({ jsonFlag, hasRole }: Dialect, { capability, roles }: CapabilityGrant): Fragment =>
  sql`coalesce(${jsonFlag('capabilities', capability)}, case when ${hasRole(roles)} then 1 else 0 end) = 1`

/** The counters of posts have their authors. */
const isAuthorOf = ({ inList }: Dialect, { types, statuses }: NonNullable<UserQuery['authorsOf']>): Fragment =>
  sql`id in (select c.author from post_counts c where c.count > 0
      and ${inList('c.type', types)} and ${inList('c.status', statuses)})`

function searchConditions(dialect: Dialect, { search }: UserQuery): Fragment[] {
  if (search === undefined) return []
  const { text, fields } = search
  const isId = fields.includes('id') && /^[1-9]\d{0,14}$/.test(text)
  const contains = containsIn(dialect, searchColumns, { text, fields: fields.filter((field) => field !== 'id') })
  return [isId ? some([sql`id = ${Number(text)}`, contains]) : contains]
}

function orderOf({ order, ids, slugs }: UserQuery): ListOrder | PlaceOrder {
  if ('descending' in order) return order
  const values = order.by === 'ids' ? ids : slugs
  if (values === undefined) throw new TypeError(`the order ${order.by} needs the list that it follows`)
  return order.by === 'ids' ? { column: 'id', values, type: 'integer' } : { column: 'slug', values, type: 'text' }
}
