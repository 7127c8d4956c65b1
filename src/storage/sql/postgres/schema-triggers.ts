/**
 * The migration that runs one trigger where there were three: beginning a function, and each of its statements, takes about as long as
 * the change of a counter. A type is marked once in a transaction, and what a statement did not change starts nothing.
 */
import { mediaPart, type PostgresMigration, randomToken, recordPart, SHARD } from './schema-parts.ts'

/**
 * `types` is a list of types, once each. Nobody has seen a mark of a transaction that runs. One made in a savepoint is made again: it
 * may be rolled back alone.
 */
const markOnce = (schema: string, types: string) => `
  insert into ${schema}.post_changes (type, version) select t.type, ${randomToken} from (${types}) t
    where not exists (
      select from ${schema}.post_changes c where c.type = t.type and c.xmin = pg_current_xact_id()::xid
    )
    on conflict (type) do update set version = excluded.version;`

/** `sign` is empty for new rows, or a minus. */
const countMedia = (schema: string, rows: string, sign: string) => `
  if exists (select from ${rows} where mime_type <> '') then
    insert into ${schema}.list_counts as c
      select 'media', ${mediaPart('')}, ${SHARD}, ${sign}count(*) from ${rows}
        where mime_type <> '' group by type, status, mime_type
      on conflict (list, part, shard) do update set count = c.count + excluded.count;
  end if;`

export const fewerTriggers: PostgresMigration = {
  name: 'fewer-triggers',
  sql: (schema) => `
drop trigger posts_change_inserted on ${schema}.posts;
drop trigger posts_media_inserted on ${schema}.posts;
create or replace function ${schema}.posts_inserted() returns trigger language plpgsql as $$
begin
  if not exists (select from fresh) then return null; end if;${markOnce(schema, 'select distinct type from fresh')}
  insert into ${schema}.post_counts as c (type, status, count)
    select type, status, count(*) from fresh group by type, status
    on conflict (type, status) do update set count = c.count + excluded.count;${countMedia(schema, 'fresh', '')}
  return null;
end $$;

drop trigger posts_change_deleted on ${schema}.posts;
drop trigger posts_media_deleted on ${schema}.posts;
drop function ${schema}.posts_media_listed();
create or replace function ${schema}.posts_deleted() returns trigger language plpgsql as $$
begin
  if not exists (select from gone) then return null; end if;${markOnce(schema, 'select distinct type from gone')}
  update ${schema}.post_counts c set count = c.count - g.count
    from (select type, status, count(*) from gone group by type, status) g
    where c.type = g.type and c.status = g.status;
  delete from ${schema}.meta where owner = 'post' and owner_id in (select id from gone);${countMedia(schema, 'gone', '- ')}
  return null;
end $$;

create or replace function ${schema}.posts_replaced() returns trigger language plpgsql as $$
begin${markOnce(schema, 'select type from replaced union select type from changed')}
  return null;
end $$;

drop trigger post_terms_change_inserted on ${schema}.post_terms;
create or replace function ${schema}.post_terms_inserted() returns trigger language plpgsql as $$
begin
  if not exists (select from fresh) then return null; end if;${markOnce(schema, 'select distinct type from fresh')}
  insert into ${schema}.term_counts as c (term_id, type, status, count)
    select term_id, type, status, count(*) from fresh group by term_id, type, status
    on conflict (term_id, type, status) do update set count = c.count + excluded.count;
  return null;
end $$;

drop trigger post_terms_change_deleted on ${schema}.post_terms;
drop function ${schema}.posts_changed();
create or replace function ${schema}.post_terms_deleted() returns trigger language plpgsql as $$
begin
  if not exists (select from gone) then return null; end if;${markOnce(schema, 'select distinct type from gone')}
  update ${schema}.term_counts c set count = c.count - g.count
    from (select term_id, type, status, count(*) from gone group by term_id, type, status) g
    where c.term_id = g.term_id and c.type = g.type and c.status = g.status;
  return null;
end $$;

create or replace function ${schema}.records_listed() returns trigger language plpgsql as $$
declare
  sign bigint := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  if not exists (select from ${schema}.record_lists where collection in (select collection from changed)) then
    return null;
  end if;
  insert into ${schema}.list_counts as c
    select l.list, ${recordPart('r')}, ${SHARD}, sign * count(*)
      from changed r join ${schema}.record_lists l on l.collection = r.collection group by 1, 2
    on conflict (list, part, shard) do update set count = c.count + excluded.count;
  return null;
end $$;
`,
}
