/** Users in SQL. The unique indexes decide who has a login, a slug and an address. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { fold } from '../../../site/text-fold.ts'
import type { MaybePromise, User, UserQuery, UserStore } from '../../contract.ts'
import { type Fields, fieldsOf, parseJson } from '../engine/fields.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type Row, type Statements, Values } from '../engine/statements.ts'
import { listRows } from './listing.ts'
import { insertRows, removeRows, type Table, updateRows } from './rows.ts'

const text = { kind: 'text' } as const

const fields: Fields = fieldsOf({
  login: { kind: 'text', folded: 'login_folded' },
  slug: { kind: 'text', folded: 'slug_folded' },
  displayName: { kind: 'text', folded: 'display_name_folded' },
  email: { kind: 'text', folded: 'email_folded' },
  url: text,
  roles: { kind: 'json' },
  capabilities: { kind: 'json' },
  password: text,
  blocked: { kind: 'boolean' },
  registered: text,
})
const table: Table = { name: 'users', fields }

const columns = [
  'id',
  'login',
  'slug',
  'display_name',
  'email',
  'url',
  'roles',
  'capabilities',
  'password',
  'blocked',
  'registered',
]
const orders: { readonly [by: string]: string } = {
  id: 'id',
  login: 'login_folded',
  slug: 'slug',
  displayName: 'display_name_folded',
  registered: 'registered',
}
const searchColumns: { readonly [field: string]: RawBuilder<string> } = {
  login: sql`login_folded`,
  slug: sql`slug_folded`,
  email: sql`email_folded`,
  displayName: sql`display_name_folded`,
}

export function userStore(statements: Statements, session: Session): UserStore {
  return {
    query: (query) => queryUsers(statements, session, query),
    insert: (rows) => insertRows(statements, session, table, rows),
    update: (updates) => updateRows(statements, session, table, updates),
    remove: (ids) => removeRows(statements, session, table, ids),
  }
}

function queryUsers(
  statements: Statements,
  session: Session,
  query: UserQuery,
): MaybePromise<{ rows: User[]; total: number }> {
  const { dialect } = statements
  const column = orders[query.order.by]
  if (column === undefined) throw new TypeError(`unknown field ${query.order.by}`)
  const values = new Values()
  const list = (wanted: readonly (number | string)[] | undefined) =>
    wanted === undefined ? undefined : values.addList(wanted)
  const slots = {
    ids: list(query.ids),
    logins: list(query.logins?.map(fold)),
    slugs: list(query.slugs),
    emails: list(query.emails?.map(fold)),
    roles: list(query.roles),
    search: query.search && { text: values.add(query.search.text), fields: query.search.fields.map(knownField) },
  }
  const conditions = (): RawBuilder<SqlBool>[] => {
    const found: RawBuilder<SqlBool>[] = []
    if (slots.ids !== undefined) found.push(dialect.within(sql`id`, slots.ids, 'integer'))
    if (slots.logins !== undefined) found.push(dialect.within(sql`login_folded`, slots.logins, 'text'))
    if (slots.slugs !== undefined) found.push(dialect.within(sql`slug`, slots.slugs, 'text'))
    if (slots.emails !== undefined) found.push(dialect.within(sql`email_folded`, slots.emails, 'text'))
    if (slots.roles !== undefined) found.push(dialect.jsonArrayHasOne(sql`roles`, slots.roles))
    if (slots.search !== undefined) found.push(searchCondition(statements, slots.search.text, slots.search.fields))
    return found
  }
  const order = { column, descending: query.order.descending }
  return listRows(
    statements,
    session,
    { table: 'users', columns, shape: slots, values, conditions, order },
    query,
    userOf,
  )
}

function knownField(field: string): string {
  if (searchColumns[field] === undefined) throw new TypeError(`unknown field ${field}`)
  return field
}

function searchCondition({ dialect }: Statements, part: number, names: readonly string[]): RawBuilder<SqlBool> {
  if (names.length === 0) return sql`1 = 0`
  // The cast: `knownField` let them pass.
  const each = names.map((name) => dialect.holds(searchColumns[name] as RawBuilder<string>, parameter(part)))
  return sql`(${sql.join(each, sql` or `)})`
}

function userOf(row: Row): User {
  const [id, login, slug, displayName, email, url, roles, capabilities, password, blocked, registered] = row
  const user = {
    id,
    login,
    slug,
    displayName,
    email,
    url,
    roles: parseJson(roles),
    capabilities: parseJson(capabilities),
    password,
    blocked: blocked === 1,
    registered,
  }
  // The cast: the columns are typed by the schema, and strict tables keep to it.
  return user as User
}
