/** Lifts a schema of version 21: its counters, indexes and triggers are made anew, its rows stay. */
import { counters } from '../counters.ts'
import { markAllTypes, postgresIndexes, postgresTables, postgresTriggers } from '../schema/postgres.ts'

/** The functions of that version; their triggers go with them. */
const functions = `posts_inserted posts_deleted posts_moved posts_replaced posts_media_moved post_terms_inserted post_terms_deleted
  post_terms_moved terms_deleted users_deleted term_counts_changed terms_listed terms_moved users_listed records_listed records_relisted
  add_used_terms recount_used_terms terms_use_changed terms_use_moved terms_use_inserted terms_use_deleted terms_trees_listed`

/** Its indexes on posts, terms and their pairs. */
const indexes = `posts_unique_slug posts_by_date posts_by_modified posts_by_title posts_by_id posts_by_author posts_by_slug posts_by_parent
  posts_sticky posts_by_menu_order posts_featured posts_by_mime posts_by_format posts_in_author_order posts_by_format_date
  posts_by_format_modified posts_by_format_title posts_by_format_slug posts_by_format_author post_terms_by_date terms_by_count
  terms_by_description terms_used_by_id terms_used_by_name terms_used_by_slug terms_used_by_description terms_used_by_count`

const names = (list: string) => list.split(/\s+/)

/** `schema` must be quoted. */
export function liftStatements(schema: string): readonly string[] {
  const isNew = (sql: string) => /^create (?:unique )?index (?:posts|post_terms)_/.test(sql)
  return [
    ...names(functions).map((name) => `drop function if exists ${schema}.${name} cascade;`),
    ...names(indexes).map((name) => `drop index if exists ${schema}.${name};`),
    `drop table ${schema}.post_counts, ${schema}.list_counts, ${schema}.record_lists;`,
    // The cast: the description has this table.
    postgresTables(schema).get('post_counts') as string,
    `alter table ${schema}.terms drop column count, drop column used_in_tree;`,
    `alter table ${schema}.post_terms add column author bigint;`,
    `update ${schema}.post_terms x set author = p.author from ${schema}.posts p where p.id = x.post_id;`,
    `alter table ${schema}.post_terms alter column author set not null;`,
    ...postgresIndexes(schema).filter(isNew),
    ...counters({ prefix: `${schema}.`, hasRoleTable: false }).flatMap(({ rebuild }) =>
      rebuild.map((sql) => `${sql};`),
    ),
    ...postgresTriggers(schema),
    `${markAllTypes(schema)};`,
  ]
}
