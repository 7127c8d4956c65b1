/** Users in SQL. Unique indexes enforce the uniqueness of login, slug and email. */

import { userFields } from '../../../contract/fields/users.ts'
import { lookupTable } from '../../../contract/lookup-table.ts'
import type { MaybePromise, User, UserQuery, UserStore } from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import type { CapabilityGrant } from '../../../contract/users.ts'
import type { Dialect } from '../engine/dialect.ts'
import { rowReader } from '../engine/fields.ts'
import { ref, some, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type Statements } from '../engine/statements.ts'
import { ListConditions, type ListOrder, listRows, type PlaceOrder } from './listing.ts'
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
  longTexts: ['display_name_folded', 'email_folded', 'url'],
} as const

const searchColumns: { readonly [field: string]: string } = lookupTable({
  login: 'login_folded',
  slug: 'slug_folded',
  email: 'email_folded',
  displayName: 'display_name_folded',
})

export function userStore(statements: Statements, session: Session): UserStore {
  return {
    query: (query) => queryUsers(statements, session, query),
    insert: (rows, ids) => insertRows(statements, session, users, rows, { ids }),
    update: (updates) => updateRows(statements, session, users, updates),
    remove: (ids) => removeRows(statements, session, users, ids),
  }
}

function queryUsers(
  statements: Statements,
  session: Session,
  query: UserQuery,
): MaybePromise<{ rows: User[]; total: number }> {
  const { dialect } = statements
  const conditions = new ListConditions(dialect)
  conditions.inList('id', query.ids, 'integer')
  conditions.notInList('id', query.notIds)
  conditions.inList('login_folded', query.logins?.map(fold), 'text')
  conditions.inList('slug', query.slugs, 'text')
  conditions.inList('email_folded', query.emails?.map(fold), 'text')
  addNames(conditions, dialect, query)
  if (query.roles !== undefined) {
    const roles = conditions.values.addList(query.roles)
    conditions.add('roles', () => dialect.hasRole(roles))
  }
  for (const grants of query.capabilities ?? []) addCapabilities(conditions, dialect, grants)
  addAuthors(conditions, dialect, query)
  addSearch(conditions, query)
  return listRows(statements, session, users, conditions, { ...query, order: orderOf(conditions, query) })
}

/** With `email_folded <> ''`, so that the index on addresses serves it. */
function addNames(conditions: ListConditions, dialect: Dialect, { names }: UserQuery): void {
  if (names === undefined) return
  const list = conditions.values.addList(names.map(fold))
  const isOne = (column: string) => dialect.inList(ref(column), list, 'text')
  conditions.add('names', () => sql`(${isOne('login_folded')} or (${isOne('email_folded')} and email_folded <> ''))`)
}

function addCapabilities(conditions: ListConditions, dialect: Dialect, grants: readonly CapabilityGrant[]): void {
  const { values } = conditions
  const listed = grants.map(({ capability, roles }) => ({
    capability: values.add(capability),
    roles: values.addList(roles),
  }))
  conditions.add(`capabilities ${grants.length}`, () =>
    some(
      listed.map(
        ({ capability, roles }) =>
          sql`coalesce(${dialect.jsonFlag(ref('capabilities'), capability)}, case when ${dialect.hasRole(roles)} then 1 else 0 end) = 1`,
      ),
    ),
  )
}

/** The counters of posts have their authors. */
function addAuthors(conditions: ListConditions, dialect: Dialect, { authorsOf }: UserQuery): void {
  if (authorsOf === undefined) return
  const types = conditions.values.addList(authorsOf.types)
  const statuses = conditions.values.addList(authorsOf.statuses)
  conditions.add(
    'authorsOf',
    () => sql`id in (select c.author from post_counts c where c.count > 0
      and ${dialect.inList(sql`c.type`, types, 'text')} and ${dialect.inList(sql`c.status`, statuses, 'text')})`,
  )
}

function addSearch(conditions: ListConditions, { search }: UserQuery): void {
  if (search === undefined) return
  const { text, fields } = search
  const columns = fields.filter((field) => field !== 'id').map(searchColumn)
  if (!fields.includes('id') || !/^[1-9]\d{0,14}$/.test(text)) {
    conditions.contains(columns, text)
    return
  }
  const part = conditions.values.add(text)
  const id = conditions.values.add(Number(text))
  conditions.add(`contains id ${columns.join()}`, () =>
    some([sql`id = ${parameter(id)}`, ...columns.map((column) => conditions.containing(column, part))]),
  )
}

function orderOf(conditions: ListConditions, { order, ids, slugs }: UserQuery): ListOrder | PlaceOrder {
  if ('descending' in order) return order
  const [column, list, type] =
    order.by === 'ids' ? (['id', ids, 'integer'] as const) : (['slug', slugs, 'text'] as const)
  if (list === undefined) throw new TypeError(`the order ${order.by} needs the list that it follows`)
  return { column, list: conditions.values.addList(list), type }
}

function searchColumn(field: string): string {
  const column = searchColumns[field]
  if (column === undefined) throw new TypeError(`unknown field ${field}`)
  return column
}
