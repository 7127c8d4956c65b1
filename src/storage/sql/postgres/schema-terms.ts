/**
 * The migration that counts, for each term, the terms with published posts among itself and those below: `used_in_tree`. A list
 * without unused terms reads it, and an index that holds no other terms, in place of the trees below the terms that it meets.
 *
 * A change walks to the top of the tree, one term after the other: a plan for sets would be kept from when the table was
 * small. The triggers of a statement run after all of its changes: each adds the old number of its row along the new parents,
 * whose sum is right in any order. A circle of parents is counted anew.
 */
import { usedInTrees } from '../counters.ts'
import { INDEXED_LENGTH, type PostgresMigration, SHARD } from './schema-parts.ts'

const isUsed = (row: string) => `(${row}.count > 0)::int`
const becameUsed = `(${isUsed('new')} - ${isUsed('old')})`

export const termsInUse: PostgresMigration = {
  name: 'terms-in-use',
  sql: (schema) => `
alter table ${schema}.terms add column used_in_tree bigint not null default 0;
${usedInTrees(`${schema}.`)};
create index terms_used_by_id on ${schema}.terms (taxonomy, id) where used_in_tree > 0;
create index terms_used_by_name on ${schema}.terms (taxonomy, left(name_folded, ${INDEXED_LENGTH}), id) where used_in_tree > 0;
create index terms_used_by_slug on ${schema}.terms (taxonomy, slug, id) where used_in_tree > 0;
create index terms_used_by_description on ${schema}.terms (taxonomy, left(description, ${INDEXED_LENGTH}), id)
  where used_in_tree > 0;
create index terms_used_by_count on ${schema}.terms (taxonomy, count, id) where used_in_tree > 0;
insert into ${schema}.list_counts (list, part, count)
  select 'used trees', taxonomy, count(*) from ${schema}.terms where used_in_tree > 0 group by taxonomy;

-- Adds to a term and those above it. Returns the id at which the walk ended, of which there is no term; null for a circle,
-- and where the walk passed a term that has left one.
create function ${schema}.add_used_terms(start bigint, change bigint, moved bigint default null) returns bigint language plpgsql as $$
declare
  at bigint := start;
  above bigint;
  seen bigint[] := '{}';
begin
  loop
    update ${schema}.terms set used_in_tree = used_in_tree + change where id = at returning parent into above;
    if not found then return case when moved = any (seen) then null else at end; end if;
    seen := seen || at;
    at := above;
    if at = any (seen) then return null; end if;
  end loop;
end $$;

create function ${schema}.recount_used_terms(start bigint) returns void language sql as $$
  update ${schema}.terms t set used_in_tree = (
      select count(*) from ${schema}.terms u where u.count > 0 and u.id in (with recursive below (id) as (
        select t.id union select c.id from ${schema}.terms c join below b on c.parent = b.id
      ) select id from below)
    )
    where t.id in (with recursive above (id, parent) as (
      select c.id, c.parent from ${schema}.terms c where c.id = start
      union select c.id, c.parent from ${schema}.terms c join above a on c.id = a.parent
    ) select id from above)
$$;

create function ${schema}.terms_use_changed() returns trigger language plpgsql as $$
begin
  perform ${schema}.add_used_terms(new.id, ${becameUsed});
  return null;
end $$;
create trigger terms_use_changed after update of count on ${schema}.terms
  for each row when (old.parent = new.parent and (old.count > 0) <> (new.count > 0))
  execute function ${schema}.terms_use_changed();

create function ${schema}.terms_use_moved() returns trigger language plpgsql as $$
declare
  old_end bigint := ${schema}.add_used_terms(old.parent, - old.used_in_tree, old.id);
  new_end bigint := ${schema}.add_used_terms(new.parent, old.used_in_tree + ${becameUsed});
begin
  update ${schema}.terms set used_in_tree = used_in_tree + ${becameUsed} where id = new.id and ${becameUsed} <> 0;
  if old_end is null or new_end is null then
    perform ${schema}.recount_used_terms(old.parent), ${schema}.recount_used_terms(new.parent);
  end if;
  return null;
end $$;
create trigger terms_use_moved after update of parent on ${schema}.terms
  for each row when (old.parent <> new.parent and (old.used_in_tree > 0 or new.count > 0))
  execute function ${schema}.terms_use_moved();

create function ${schema}.terms_use_inserted() returns trigger language plpgsql as $$
declare
  found_term record;
begin
  for found_term in select id, used from (
    select f.id, ${isUsed('f')} + (select coalesce(sum(c.used_in_tree), 0)::bigint from ${schema}.terms c
      where c.parent = f.id and c.used_in_tree > 0 and c.id not in (select n.id from fresh n)) as used from fresh f
  ) f where used > 0
  loop
    if ${schema}.add_used_terms(found_term.id, found_term.used) is null then
      perform ${schema}.recount_used_terms(found_term.id);
    end if;
  end loop;
  return null;
end $$;
create trigger terms_use_inserted after insert on ${schema}.terms
  referencing new table as fresh for each statement execute function ${schema}.terms_use_inserted();

create function ${schema}.terms_use_deleted() returns trigger language plpgsql as $$
declare
  term record;
  walk_end bigint;
  broken bigint[] := '{}';
begin
  for term in select parent, used_in_tree from gone where used_in_tree > 0 loop
    walk_end := ${schema}.add_used_terms(term.parent, - term.used_in_tree);
    -- Above a term that is removed is one that was below it: there was a circle.
    if walk_end <> term.parent and exists (select from gone where id = walk_end) then
      broken := broken || term.parent;
    end if;
  end loop;
  perform ${schema}.recount_used_terms(start) from unnest(broken) start;
  return null;
end $$;
create trigger terms_use_deleted after delete on ${schema}.terms
  referencing old table as gone for each statement execute function ${schema}.terms_use_deleted();

create function ${schema}.terms_trees_listed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.used_in_tree > 0 then
    insert into ${schema}.list_counts as c values ('used trees', old.taxonomy, ${SHARD}, -1)
      on conflict (list, part, shard) do update set count = c.count - 1;
  end if;
  if tg_op <> 'DELETE' and new.used_in_tree > 0 then
    insert into ${schema}.list_counts as c values ('used trees', new.taxonomy, ${SHARD}, 1)
      on conflict (list, part, shard) do update set count = c.count + 1;
  end if;
  return null;
end $$;
create trigger terms_trees_inserted after insert on ${schema}.terms
  for each row when (new.used_in_tree > 0) execute function ${schema}.terms_trees_listed();
create trigger terms_trees_deleted after delete on ${schema}.terms
  for each row when (old.used_in_tree > 0) execute function ${schema}.terms_trees_listed();
create trigger terms_trees_changed after update of used_in_tree, taxonomy on ${schema}.terms
  for each row when ((old.used_in_tree > 0) <> (new.used_in_tree > 0) or old.taxonomy <> new.taxonomy)
  execute function ${schema}.terms_trees_listed();
`,
}
