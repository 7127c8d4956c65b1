/** The later migrations of PostgreSQL: the lengths of lists, kept by triggers, and indexes of lists. */
import {
  INDEXED_LENGTH,
  mediaPart,
  type PostgresMigration,
  recordPart,
  SHARD,
  textsByCodePoint,
} from './schema-parts.ts'

export const listMigrations: readonly PostgresMigration[] = [
  {
    // The totals of whole lists, which would otherwise be counted row by row after each write.
    name: 'list-counts',
    sql: (schema) => `
create index terms_by_description on ${schema}.terms (taxonomy, left(description, ${INDEXED_LENGTH}), id);

${textsByCodePoint(`create table ${schema}.list_counts (
  list text not null,
  part text not null,
  shard integer not null default 0,
  count bigint not null,
  primary key (list, part, shard)
);

create table ${schema}.record_lists (
  list text primary key,
  collection text not null,
  fields text not null
);`)}
insert into ${schema}.list_counts (list, part, count)
  select 'terms', taxonomy, count(*) from ${schema}.terms group by taxonomy
  union all select 'used terms', taxonomy, count(*) from ${schema}.terms where count > 0 group by taxonomy
  union all select 'users', '', count(*) from ${schema}.users;

create function ${schema}.terms_listed() returns trigger language plpgsql as $$
declare
  sign bigint := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  insert into ${schema}.list_counts as c
    select 'terms', taxonomy, ${SHARD}, sign * count(*) from changed group by taxonomy
    union all select 'used terms', taxonomy, ${SHARD}, sign * count(*) from changed where count > 0 group by taxonomy
    on conflict (list, part, shard) do update set count = c.count + excluded.count;
  return null;
end $$;
create trigger terms_list_inserted after insert on ${schema}.terms
  referencing new table as changed for each statement execute function ${schema}.terms_listed();
create trigger terms_list_deleted after delete on ${schema}.terms
  referencing old table as changed for each statement execute function ${schema}.terms_listed();

create function ${schema}.terms_moved() returns trigger language plpgsql as $$
begin
  insert into ${schema}.list_counts as c
    select l.list, l.part, ${SHARD}, sum(l.count) from (values
      ('terms', old.taxonomy, -1), ('used terms', old.taxonomy, - (old.count > 0)::int),
      ('terms', new.taxonomy, 1), ('used terms', new.taxonomy, (new.count > 0)::int)
    ) l (list, part, count) group by l.list, l.part
    on conflict (list, part, shard) do update set count = c.count + excluded.count;
  return null;
end $$;
create trigger terms_list_moved after update of taxonomy, count on ${schema}.terms
  for each row when (old.taxonomy <> new.taxonomy or (old.count > 0) <> (new.count > 0))
  execute function ${schema}.terms_moved();

create function ${schema}.users_listed() returns trigger language plpgsql as $$
begin
  insert into ${schema}.list_counts as c
    select 'users', '', ${SHARD}, case when tg_op = 'INSERT' then count(*) else - count(*) end from changed
    on conflict (list, part, shard) do update set count = c.count + excluded.count;
  return null;
end $$;
create trigger users_list_inserted after insert on ${schema}.users
  referencing new table as changed for each statement execute function ${schema}.users_listed();
create trigger users_list_deleted after delete on ${schema}.users
  referencing old table as changed for each statement execute function ${schema}.users_listed();

create function ${schema}.records_listed() returns trigger language plpgsql as $$
declare
  sign bigint := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  insert into ${schema}.list_counts as c
    select l.list, ${recordPart('r')}, ${SHARD}, sign * count(*)
      from changed r join ${schema}.record_lists l on l.collection = r.collection group by 1, 2
    on conflict (list, part, shard) do update set count = c.count + excluded.count;
  return null;
end $$;
create trigger records_list_inserted after insert on ${schema}.records
  referencing new table as changed for each statement execute function ${schema}.records_listed();
create trigger records_list_deleted after delete on ${schema}.records
  referencing old table as changed for each statement execute function ${schema}.records_listed();

create function ${schema}.records_relisted() returns trigger language plpgsql as $$
begin
  insert into ${schema}.list_counts as c
    select r.list, r.part, ${SHARD}, sum(r.sign) from (
      select l.list, ${recordPart('r')} as part, -1 as sign
        from gone r join ${schema}.record_lists l on l.collection = r.collection
      union all select l.list, ${recordPart('r')}, 1
        from fresh r join ${schema}.record_lists l on l.collection = r.collection
    ) r group by 1, 2 having sum(r.sign) <> 0
    on conflict (list, part, shard) do update set count = c.count + excluded.count;
  return null;
end $$;
create trigger records_list_changed after update on ${schema}.records
  referencing old table as gone new table as fresh for each statement execute function ${schema}.records_relisted();
`,
  },
  {
    // The terms below one, by name.
    name: 'terms-in-trees',
    sql: (schema) => `
create index terms_in_trees on ${schema}.terms (taxonomy, parent, left(name_folded, ${INDEXED_LENGTH}), id);
`,
  },
  {
    // The totals of files by their type, and the few files of a rare one.
    name: 'media-counts',
    sql: (schema) => `
create index posts_by_mime on ${schema}.posts (type, mime_type, id) where mime_type <> '';
insert into ${schema}.list_counts (list, part, count)
  select 'media', ${mediaPart('')}, count(*) from ${schema}.posts where mime_type <> '' group by type, status, mime_type;

create function ${schema}.posts_media_listed() returns trigger language plpgsql as $$
declare
  sign bigint := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  insert into ${schema}.list_counts as c
    select 'media', ${mediaPart('')}, ${SHARD}, sign * count(*) from changed
      where mime_type <> '' group by type, status, mime_type
    on conflict (list, part, shard) do update set count = c.count + excluded.count;
  return null;
end $$;
create trigger posts_media_inserted after insert on ${schema}.posts
  referencing new table as changed for each statement execute function ${schema}.posts_media_listed();
create trigger posts_media_deleted after delete on ${schema}.posts
  referencing old table as changed for each statement execute function ${schema}.posts_media_listed();

create function ${schema}.posts_media_moved() returns trigger language plpgsql as $$
begin
  insert into ${schema}.list_counts as c
    select 'media', l.part, ${SHARD}, l.count from (values
      (${mediaPart('old.')}, -1, old.mime_type), (${mediaPart('new.')}, 1, new.mime_type)
    ) l (part, count, mime) where l.mime <> ''
    on conflict (list, part, shard) do update set count = c.count + excluded.count;
  return null;
end $$;
create trigger posts_media_moved after update of type, status, mime_type on ${schema}.posts
  for each row
  when (old.type <> new.type or old.status <> new.status or old.mime_type <> new.mime_type)
  execute function ${schema}.posts_media_moved();
`,
  },
]
