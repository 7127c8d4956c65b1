/**
 * The migration that marks the changes of each type of posts and of their terms: what was read of one type is not read again after a
 * write to another. Like those of the table `changes`, the marks are random: a server that fails may forget a commit, and no later
 * one may have the same.
 */
import { formerDeliveryIndexes } from '../stores/delivery-indexes.ts'
import { type PostgresMigration, randomToken, textsByCodePoint } from './schema-parts.ts'

/** `types` is a list of types, once each. */
const mark = (schema: string, types: string) => `
  insert into ${schema}.post_changes (type, version) select t.type, ${randomToken} from (${types}) t
    on conflict (type) do update set version = excluded.version;`

/** What totals are added up from may have been wrong. */
export const markAllTypes = (schema: string) => mark(schema, `select distinct type from ${schema}.post_counts`)

export const postChangeMarks: PostgresMigration = {
  name: 'post-changes',
  sql: (schema) => `${textsByCodePoint(`
create table ${schema}.post_changes (
  type text primary key,
  version bigint not null
);`)}

create function ${schema}.posts_changed() returns trigger language plpgsql as $$
begin${mark(schema, 'select distinct type from changed')}
  return null;
end $$;
create function ${schema}.posts_replaced() returns trigger language plpgsql as $$
begin${mark(schema, 'select type from replaced union select type from changed')}
  return null;
end $$;
create trigger posts_change_inserted after insert on ${schema}.posts
  referencing new table as changed for each statement execute function ${schema}.posts_changed();
create trigger posts_change_updated after update on ${schema}.posts
  referencing old table as replaced new table as changed for each statement execute function ${schema}.posts_replaced();
create trigger posts_change_deleted after delete on ${schema}.posts
  referencing old table as changed for each statement execute function ${schema}.posts_changed();
create trigger post_terms_change_inserted after insert on ${schema}.post_terms
  referencing new table as changed for each statement execute function ${schema}.posts_changed();
create trigger post_terms_change_deleted after delete on ${schema}.post_terms
  referencing old table as changed for each statement execute function ${schema}.posts_changed();
`,
}

/** Collections of deliveries have other orders since; the storage makes their indexes before the next write. */
export const deliveryOrders: PostgresMigration = {
  name: 'delivery-orders',
  sql: (schema) => formerDeliveryIndexes.map((name) => `drop index if exists ${schema}."${name}";`).join('\n'),
}
