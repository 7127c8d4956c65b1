/**
 * The migration that counts, for each term, the terms with published posts among itself and those below: `used_in_tree`. A list
 * without unused terms reads it, and an index that holds no other terms, in place of the trees below the terms that it meets.
 *
 * A change walks to the top of the tree. The sets of terms are distinct, so each change is right where parents form a circle;
 * making or breaking a circle counts its terms anew.
 */
import { usedInTrees } from '../counters.ts'

/** The ids of a term and those above it. */
const above = (id: string) => `(with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = ${id}
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above)`

/** The right number of the term that an update changes. */
const recount = `(select count(*) from terms u where u.count > 0 and u.id in (with recursive below (id) as (
    select terms.id union select t.id from terms t join below b on t.parent = b.id
  ) select id from below))`

const isUsed = (row: string) => `(${row}.count > 0)`
const becameUsed = `${isUsed('new')} - ${isUsed('old')}`

/** Adds to the length of the list of each taxonomy. */
const addToList = (row: string, change: string) => `
  insert into list_counts values ('used trees', ${row}.taxonomy, ${change})
    on conflict do update set count = count + excluded.count;`

export const termsInUse = {
  name: 'terms-in-use',
  sql: `
alter table terms add column used_in_tree integer not null default 0;
${usedInTrees('')};
create index terms_used_by_id on terms (taxonomy, id) where used_in_tree > 0;
create index terms_used_by_name on terms (taxonomy, name_folded, id) where used_in_tree > 0;
create index terms_used_by_slug on terms (taxonomy, slug) where used_in_tree > 0;
create index terms_used_by_description on terms (taxonomy, description, id) where used_in_tree > 0;
create index terms_used_by_count on terms (taxonomy, count, id) where used_in_tree > 0;
insert into list_counts select 'used trees', taxonomy, count(*) from terms where used_in_tree > 0 group by taxonomy;

create trigger terms_use_changed after update of count on terms
when old.parent = new.parent and ${isUsed('old')} <> ${isUsed('new')} begin
  update terms set used_in_tree = used_in_tree + ${becameUsed} where id in ${above('new.id')};
end;
create trigger terms_use_moved after update of parent on terms
when old.parent <> new.parent and (old.used_in_tree > 0 or new.count > 0) begin
  update terms set used_in_tree = used_in_tree - old.used_in_tree where id in ${above('old.parent')};
  update terms set used_in_tree = used_in_tree + ${becameUsed} where id = new.id and ${isUsed('old')} <> ${isUsed('new')};
  update terms set used_in_tree = used_in_tree + old.used_in_tree + ${becameUsed} where id in ${above('new.parent')};
  update terms set used_in_tree = ${recount}
    where (new.id in ${above('old.parent')} or new.id in ${above('new.parent')})
      and (id in ${above('old.parent')} or id in ${above('new.parent')});
end;
create trigger terms_use_inserted after insert on terms
when new.count > 0 or exists (select 1 from terms where parent = new.id) begin
  update terms set used_in_tree = ${isUsed('new')}
    + (select coalesce(sum(c.used_in_tree), 0) from terms c where c.parent = new.id and c.id <> new.id) where id = new.id;
  update terms set used_in_tree = used_in_tree + (select t.used_in_tree from terms t where t.id = new.id)
    where id in ${above('new.parent')};
  update terms set used_in_tree = ${recount} where new.id in ${above('new.parent')} and id in ${above('new.parent')};
end;
create trigger terms_use_deleted after delete on terms when old.used_in_tree > 0 begin
  update terms set used_in_tree = used_in_tree - old.used_in_tree where id in ${above('old.parent')};
  update terms set used_in_tree = ${recount}
    where exists (select 1 from terms t where t.parent = old.id and t.id in ${above('old.parent')})
      and id in ${above('old.parent')};
end;

create trigger terms_trees_inserted after insert on terms when new.used_in_tree > 0 begin${addToList('new', '1')}
end;
create trigger terms_trees_deleted after delete on terms when old.used_in_tree > 0 begin${addToList('old', '-1')}
end;
create trigger terms_trees_changed after update of used_in_tree, taxonomy on terms
when (old.used_in_tree > 0) <> (new.used_in_tree > 0) or old.taxonomy <> new.taxonomy begin${addToList('old', '-(old.used_in_tree > 0)')}${addToList('new', 'new.used_in_tree > 0')}
end;
`,
}
