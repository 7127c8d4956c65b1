/** Users in SQL. Unique indexes enforce the uniqueness of login, slug and email. */
import { sql } from 'kysely'
import { fold } from '../../../site/text-fold.ts'
import type { MaybePromise, User, UserQuery, UserStore } from '../../contract.ts'
import { fieldsOf } from '../engine/fields.ts'
import type { Session } from '../engine/session.ts'
import type { Statements } from '../engine/statements.ts'
import { ListConditions, listRows } from './listing.ts'
import { insertRows, removeRows, updateRows } from './rows.ts'

const text = { kind: 'text' } as const

const users = {
  name: 'users',
  fields: fieldsOf({
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
  }),
  orders: {
    id: 'id',
    login: 'login_folded',
    slug: 'slug',
    displayName: 'display_name_folded',
    registered: 'registered',
  },
} as const

const searchColumns: { readonly [field: string]: string } = {
  login: 'login_folded',
  slug: 'slug_folded',
  email: 'email_folded',
  displayName: 'display_name_folded',
}

export function userStore(statements: Statements, session: Session): UserStore {
  return {
    query: (query) => queryUsers(statements, session, query),
    insert: (rows) => insertRows(statements, session, users, rows),
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
  conditions.inList('login_folded', query.logins?.map(fold), 'text')
  conditions.inList('slug', query.slugs, 'text')
  conditions.inList('email_folded', query.emails?.map(fold), 'text')
  if (query.roles !== undefined) {
    const roles = conditions.values.addList(query.roles)
    conditions.add('roles', () => dialect.jsonArrayHasOne(sql.ref('roles'), roles))
  }
  conditions.contains((query.search?.fields ?? []).map(searchColumn), query.search?.text)
  return listRows(statements, session, users, conditions, query)
}

function searchColumn(field: string): string {
  const column = searchColumns[field]
  if (column === undefined) throw new TypeError(`unknown field ${field}`)
  return column
}
