/**
 * The migrations that keep what has changed: numbers for each type of posts and of their terms, so that what was read of one type is not
 * read again after a write to another; and events that nobody has read.
 */

import { formerDeliveryIndexes } from '../stores/delivery-indexes.ts'

const change = (type: string) => `
  insert into post_changes values (${type}, 1) on conflict do update set version = version + 1;`

/** What totals are added up from may have been wrong. */
export const changeAllTypes = `insert into post_changes select distinct type, 1 from post_counts where true
  on conflict do update set version = version + 1`

export const postChangeNumbers = {
  name: 'post-changes',
  sql: `
create table post_changes (
  type text primary key,
  version integer not null
) strict, without rowid;

create trigger posts_change_inserted after insert on posts begin${change('new.type')}
end;
create trigger posts_change_updated after update on posts begin${change('new.type')}
end;
create trigger posts_change_moved after update of type on posts when old.type <> new.type begin${change('old.type')}
end;
create trigger posts_change_deleted after delete on posts begin${change('old.type')}
end;
create trigger post_terms_change_inserted after insert on post_terms begin${change('new.type')}
end;
create trigger post_terms_change_deleted after delete on post_terms begin${change('old.type')}
end;
`,
}

/** Events without a number are kept by transaction. */
export const eventsByTransaction = {
  name: 'outbox-changes',
  sql: `
insert into records (collection, body, folded)
  select 'outbox_changes',
    json_object('events', json_array(json_object('uid', body ->> '$.uid', 'name', body ->> '$.name',
      'subject', body ->> '$.subject', 'data', json(body -> '$.data'))), 'created_at', body ->> '$.created_at'),
    json_object('created_at', lower(body ->> '$.created_at'))
  from records where collection = 'outbox_events' and body ->> '$.sequence' is null order by id;
delete from records where collection = 'outbox_events' and body ->> '$.sequence' is null;
`,
}

/** Collections of deliveries have other orders since; the storage makes their indexes before the next write. */
export const deliveryOrders = {
  name: 'delivery-orders',
  sql: formerDeliveryIndexes.map((name) => `drop index if exists "${name}";`).join('\n'),
}
