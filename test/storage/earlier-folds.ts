/** Rows as earlier versions stored them, whose folds dropped every mark; the statements run on SQLite and PostgreSQL. */
import { expect } from 'vitest'
import type { Storage } from '../../src/contract/storage.ts'
import { things } from '../../src/testing/content.ts'

/** Texts of rows of the stored sites of both engines. `prefix` precedes the names of tables. */
export const earlierRows = (prefix: string): readonly string[] => [
  `update ${prefix}terms set name = 'Año', name_folded = 'ano' where slug = 'harbour-17'`,
  `update ${prefix}terms set name = 'किताब', name_folded = 'कतब' where slug = 'pier-17'`,
  `update ${prefix}posts set title = 'ガム', title_folded = 'カム', content = 'Łódź', content_folded = 'łodz' where title = 'A secret'`,
  `update ${prefix}users set login = 'JosÉ', login_folded = 'jose', email = 'JosÉ@x.org', email_folded = 'jose@x.org' where id = 1`,
  `update ${prefix}records set body = '{"name":"ทำ","size":2,"extra":{"z":1,"a":[1]}}', folded = '{"name":"ทา"}' where collection = 'things'`,
]

/** Takes back the first addition to the schema, which made this version of it. */
export const withoutAddition = (prefix: string, version: number): readonly string[] => [
  ...['users_unique_login', 'users_unique_email', 'users_by_login', 'terms_by_identity'].map(
    (name) => `drop index ${prefix}${name}`,
  ),
  ...['users drop column login_identity', 'users drop column email_identity', 'terms drop column name_identity'].map(
    (change) => `alter table ${prefix}${change}`,
  ),
  `create unique index users_unique_login on ${prefix}users (login_folded)`,
  `create unique index users_unique_email on ${prefix}users (email_folded) where email_folded <> ''`,
  `delete from ${prefix}schema_versions where version >= ${version}`,
]

/** Asserts that the rows above are found as the folds of this version find them. */
export async function expectFolded(storage: Storage): Promise<void> {
  const all = { order: { by: 'id', descending: false }, offset: 0, limit: 99 } as const
  const named = async (...names: readonly string[]) => (await storage.terms.query({ ...all, names })).rows.length
  expect([await named('AÑO'), await named('ano'), await named('किताब'), await named('कतब')]).toEqual([1, 0, 1, 0])
  const searched = async (word: string) => {
    const search = { every: [word], none: [], columns: ['title', 'content'], exact: false } as const
    return (await storage.posts.query({ ...all, types: ['post'], search })).idsPage.length
  }
  expect([await searched('ガム'), await searched('カム'), await searched('lodz')]).toEqual([1, 0, 1])
  const users = async (...names: readonly string[]) => (await storage.users.query({ ...all, names })).rows.length
  expect([await users('josé'), await users('jose'), await users('JOSÉ@x.org')]).toEqual([1, 0, 1])
  const records = async (holds: string) =>
    (await storage.records.query(things, { where: { field: 'name', holds } })).rows.length
  expect([await records('ทำ'), await records('ทา')]).toEqual([1, 0])
}
