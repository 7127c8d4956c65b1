/** Applies the conditions of a query of terms or users that a row alone decides: no posts, no counts, no order and no page. */

import type { Term, TermQuery, User, UserQuery } from './storage.ts'
import { fold, identityFold } from './text-fold.ts'
import type { CapabilityGrant, UserSearchField } from './users.ts'

type Test<R> = (row: R) => boolean

/** The count follows from the posts. */
type TermRow = Omit<Term, 'count'>

/** Rows are immutable, so a folded name is cached by its row. */
const foldedNames = new WeakMap<TermRow, string>()

export function foldedName(term: TermRow): string {
  const known = foldedNames.get(term) ?? fold(term.name)
  foldedNames.set(term, known)
  return known
}

export function termFilter(query: TermQuery): Test<TermRow> {
  const { search } = query
  for (const field of search?.fields ?? [])
    if (field !== 'name' && field !== 'slug') throw new TypeError(`unknown field ${String(field)}`)
  return every<TermRow>([
    ...anyOf(query.taxonomies, ({ taxonomy }: TermRow) => taxonomy),
    ...anyOf(query.ids, ({ id }: TermRow) => id),
    ...noneOf(query.notIds),
    ...anyOf(query.slugs, ({ slug }: TermRow) => slug),
    ...anyOf(query.names?.map(identityFold), ({ name }: TermRow) => identityFold(name)),
    ...anyOf(query.parents, ({ parent }: TermRow) => parent),
    ...(search
      ? [
          (term: TermRow) =>
            search.fields.some((field) => (field === 'name' ? foldedName(term) : term.slug).includes(search.text)),
        ]
      : []),
  ])
}

const userSearchFields: readonly string[] = ['id', 'login', 'slug', 'email', 'displayName']

export function userFilter(query: UserQuery): Test<User> {
  const { roles, search, capabilities = [] } = query
  for (const field of search?.fields ?? [])
    if (!userSearchFields.includes(field)) throw new TypeError(`unknown field ${field}`)
  const names = query.names && new Set(query.names.map(identityFold))
  return every<User>([
    ...anyOf(query.ids, ({ id }: User) => id),
    ...noneOf(query.notIds),
    ...anyOf(query.logins?.map(identityFold), ({ login }: User) => identityFold(login)),
    ...anyOf(query.slugs, ({ slug }: User) => slug),
    ...anyOf(query.emails?.map(identityFold), ({ email }: User) => identityFold(email)),
    ...(names
      ? [
          (user: User) =>
            names.has(identityFold(user.login)) || (user.email !== '' && names.has(identityFold(user.email))),
        ]
      : []),
    ...(roles ? [(user: User) => user.roles.some((role) => roles.includes(role))] : []),
    ...capabilities.map(
      (grants): Test<User> =>
        (user) =>
          grants.some((grant) => isGranted(user, grant)),
    ),
    ...(search ? [(user: User) => search.fields.some((field) => holds(user, field, search.text))] : []),
  ])
}

const every =
  <R>(tests: readonly Test<R>[]): Test<R> =>
  (row) =>
    tests.every((test) => test(row))

function anyOf<R, T>(values: readonly T[] | undefined, column: (row: R) => T): Test<R>[] {
  if (values === undefined) return []
  const wanted = new Set(values)
  return [(row) => wanted.has(column(row))]
}

const noneOf = (ids: readonly number[] | undefined): Test<{ readonly id: number }>[] =>
  ids ? [({ id }) => !ids.includes(id)] : []

function isGranted({ capabilities, roles }: User, grant: CapabilityGrant): boolean {
  if (Object.hasOwn(capabilities, grant.capability)) return capabilities[grant.capability] === true
  return roles.some((role) => grant.roles.includes(role))
}

const holds = (user: User, field: UserSearchField, text: string): boolean =>
  field === 'id' ? String(user.id) === text : fold(user[field]).includes(text)
