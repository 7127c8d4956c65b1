/** Lifts a file of schema version 17: its counters, indexes and triggers are made anew, its rows stay. */
import { counters } from '../counters.ts'
import { rowsOf, type Steps } from '../engine/steps.ts'
import { firstIndexes } from '../schema/additions.ts'
import { sqliteSchema } from '../schema/sqlite.ts'
import { hasSearchIndex } from './search-index.ts'

/** Tables whose indexes and triggers are called after them; those of others, and of collections, are left alone. */
const lifted = ['posts', 'post_terms', 'term_counts', 'terms', 'users', 'records_list']

/** These indexes were there already. */
const left = ['records_by_collection', 'user_roles_by_user']

export function* liftStatements(): Steps<readonly string[]> {
  const { tables, indexes, triggers } = sqliteSchema({ hasSearchIndex: yield* hasSearchIndex() })
  const first = firstIndexes('sqlite')
  // The cast: the description has these tables.
  const create = (table: string) => tables.get(table) as string
  return [
    ...(yield* formerParts()).map(([type, name]) => `drop ${type} "${name}"`),
    ...['post_counts', 'term_counts', 'post_changes'].flatMap((table) => [`drop table ${table}`, create(table)]),
    'alter table post_terms rename to former_post_terms',
    create('post_terms'),
    `insert into post_terms (post_id, term_id, type, status, date, author)
      select x.post_id, x.term_id, p.type, p.status, p.date, p.author from former_post_terms x join posts p on p.id = x.post_id`,
    'drop table former_post_terms',
    'alter table terms drop column count',
    'alter table terms drop column used_in_tree',
    'drop table list_counts',
    'drop table record_lists',
    ...[...indexes].flatMap(([name, sql]) => (first.has(name) && !left.includes(name) ? [sql] : [])),
    ...counters({ prefix: '', hasRoleTable: true }).flatMap(({ rebuild }) => rebuild),
    ...triggers.values(),
  ]
}

function* formerParts(): Steps<readonly (readonly [string, string])[]> {
  const rows = yield* rowsOf(
    "select type, name from sqlite_master where type in ('index', 'trigger') and sql is not null",
  )
  return rows
    .map(([type, name]) => [String(type), String(name)] as const)
    .filter(([, name]) => lifted.some((table) => name.startsWith(`${table}_`)))
}
