/**
 * The schema of SQLite as numbered, forward-only migrations. A published migration is never changed. Triggers maintain the
 * counters and the term index: no statement, of a host either, can miss them, and they cost less than separate statements.
 */

import { addedColumns, type ColumnTypes } from '../engine/columns.ts'
import { applicationId } from './identity.ts'
import { deliveryOrders, eventsByTransaction, postChangeNumbers } from './schema-changes.ts'
import { termsInUse } from './schema-terms.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** The list and the JSON text of its fields of a record; followed by a count and `from record_lists l`. */
const recordParts = (record: string) => `select l.list, ${recordPart(record)}`

/** The JSON text of the fields of the list `l` of a record. */
export const recordPart = (record: string) =>
  `(select json_group_object(f.value, json(${record}.body -> ('$."' || f.value || '"'))) from json_each(l.fields) f)`

/** What a file is counted by; `row` is empty, or a name and a dot. */
const mediaPart = (row: string) => `${row}type || ' ' || ${row}status || ' ' || ${row}mime_type`

const columnTypes: ColumnTypes = { text: 'text', integer: 'integer', boolean: 'integer', texts: 'text', flags: 'text' }

export const sqliteMigrations: readonly Migration[] = [
  {
    name: 'tables',
    sql: `
create table posts (
  id integer primary key autoincrement,
  type text not null,
  status text not null,
  author integer not null,
  parent integer not null,
  version integer not null default 1,
  slug text not null,
  date text not null,
  date_gmt text,
  modified text not null,
  modified_gmt text not null,
  title text not null,
  title_folded text not null,
  password text not null,
  comment_status text not null,
  ping_status text not null,
  format text not null,
  sticky integer not null,
  template text not null,
  featured_media integer not null,
  mime_type text not null,
  excerpt text not null,
  content text not null,
  excerpt_folded text not null,
  content_folded text not null
) strict;
create unique index posts_unique_slug on posts (type, slug) where slug <> '' and type <> 'revision';
create index posts_by_date on posts (type, status, date, id);
create index posts_by_modified on posts (type, status, modified, id);
create index posts_by_title on posts (type, status, title_folded, id);
create index posts_by_id on posts (type, status, id);
create index posts_by_author on posts (type, status, author, date, id);
create index posts_by_slug on posts (type, slug, status, id);
create index posts_by_parent on posts (type, parent, id);
create index posts_sticky on posts (type, status, date, id) where sticky = 1;

create table post_counts (
  type text not null,
  status text not null,
  count integer not null,
  primary key (type, status)
) strict, without rowid;

create table terms (
  id integer primary key autoincrement,
  taxonomy text not null,
  slug text not null,
  name text not null,
  name_folded text not null,
  description text not null,
  parent integer not null
) strict;
create unique index terms_unique_slug on terms (taxonomy, slug);
create index terms_by_name on terms (taxonomy, name_folded, id);
create index terms_by_parent on terms (parent, id);

create table post_terms (
  post_id integer not null references posts (id) on delete cascade,
  term_id integer not null references terms (id) on delete cascade,
  type text not null,
  status text not null,
  date text not null,
  primary key (post_id, term_id)
) strict, without rowid;
create index post_terms_by_date on post_terms (term_id, type, status, date, post_id);

create table term_counts (
  term_id integer not null,
  type text not null,
  status text not null,
  count integer not null,
  primary key (term_id, type, status)
) strict, without rowid;

create table users (
  id integer primary key autoincrement,
  login text not null,
  login_folded text not null,
  slug text not null,
  slug_folded text not null,
  display_name text not null,
  display_name_folded text not null,
  email text not null,
  email_folded text not null,
  url text not null,
  roles text not null,
  capabilities text not null,
  password text not null,
  blocked integer not null,
  registered text not null
) strict;
create unique index users_unique_login on users (login_folded);
create unique index users_unique_slug on users (slug);
create unique index users_unique_email on users (email_folded) where email_folded <> '';

create table meta (
  owner text not null,
  owner_id integer not null,
  key text not null,
  value text not null,
  primary key (owner, owner_id, key)
) strict;

create table options (
  name text primary key,
  value text not null,
  canonical text not null
) strict, without rowid;

create table records (
  id integer primary key autoincrement,
  collection text not null,
  body text not null,
  folded text not null
) strict;
create index records_by_collection on records (collection, id);
`,
  },
  {
    name: 'counters',
    sql: `
create trigger posts_inserted after insert on posts begin
  insert into post_counts values (new.type, new.status, 1)
    on conflict do update set count = count + 1;
end;
create trigger posts_deleted after delete on posts begin
  update post_counts set count = count - 1 where type = old.type and status = old.status;
  delete from meta where owner = 'post' and owner_id = old.id;
end;
create trigger posts_moved after update of type, status on posts
when old.type <> new.type or old.status <> new.status begin
  update post_counts set count = count - 1 where type = old.type and status = old.status;
  insert into post_counts values (new.type, new.status, 1)
    on conflict do update set count = count + 1;
end;
create trigger posts_listed after update of type, status, date on posts
when old.type <> new.type or old.status <> new.status or old.date <> new.date begin
  update post_terms set type = new.type, status = new.status, date = new.date where post_id = new.id;
end;

create trigger post_terms_inserted after insert on post_terms begin
  insert into term_counts values (new.term_id, new.type, new.status, 1)
    on conflict do update set count = count + 1;
end;
create trigger post_terms_deleted after delete on post_terms begin
  update term_counts set count = count - 1
    where term_id = old.term_id and type = old.type and status = old.status;
end;
create trigger post_terms_moved after update of type, status on post_terms
when old.type <> new.type or old.status <> new.status begin
  update term_counts set count = count - 1
    where term_id = old.term_id and type = old.type and status = old.status;
  insert into term_counts values (new.term_id, new.type, new.status, 1)
    on conflict do update set count = count + 1;
end;

create trigger terms_deleted after delete on terms begin
  delete from term_counts where term_id = old.id;
  delete from meta where owner = 'term' and owner_id = old.id;
end;
create trigger users_deleted after delete on users begin
  delete from meta where owner = 'user' and owner_id = old.id;
end;
`,
  },
  {
    name: 'page-order',
    sql: `
alter table posts add column menu_order integer not null default 0;
create index posts_by_menu_order on posts (type, status, menu_order, id);
drop index posts_unique_slug;
create unique index posts_unique_slug on posts (type, parent, slug) where slug <> '' and type <> 'revision';
`,
  },
  {
    name: 'term-counts',
    sql: `
alter table terms add column count integer not null default 0;
update terms set count = (
  select coalesce(sum(c.count), 0) from term_counts c where c.term_id = terms.id and c.status = 'publish'
);
create index terms_by_count on terms (taxonomy, count, id);
create index terms_by_id on terms (taxonomy, id);
create trigger term_counts_inserted after insert on term_counts when new.status = 'publish' begin
  update terms set count = count + new.count where id = new.term_id;
end;
create trigger term_counts_updated after update of count on term_counts when new.status = 'publish' begin
  update terms set count = count + new.count - old.count where id = new.term_id;
end;
`,
  },
  {
    name: 'user-lists',
    sql: `
create index users_by_name on users (display_name_folded, id);
create index users_by_email on users (email_folded, id);
create index users_by_url on users (url, id);
create index users_by_registered on users (registered, id);

create table user_roles (
  role text not null,
  user_id integer not null references users (id) on delete cascade,
  primary key (role, user_id)
) strict, without rowid;
create index user_roles_by_user on user_roles (user_id);
insert or ignore into user_roles select r.value, u.id from users u, json_each(u.roles) r;
create trigger users_roles_inserted after insert on users begin
  insert or ignore into user_roles select value, new.id from json_each(new.roles);
end;
create trigger users_roles_updated after update of roles on users when old.roles <> new.roles begin
  delete from user_roles where user_id = new.id;
  insert or ignore into user_roles select value, new.id from json_each(new.roles);
end;
`,
  },
  {
    name: 'featured-media',
    sql: `
create index posts_featured on posts (featured_media, id) where featured_media > 0;
`,
  },
  {
    name: 'application-id',
    sql: `
pragma application_id = ${applicationId};
`,
  },
  {
    // The totals of whole lists, which would otherwise be counted row by row after each write.
    name: 'list-counts',
    sql: `
create index terms_by_description on terms (taxonomy, description, id);

create table list_counts (
  list text not null,
  part text not null,
  count integer not null,
  primary key (list, part)
) strict, without rowid;
insert into list_counts select 'terms', taxonomy, count(*) from terms group by taxonomy;
insert into list_counts select 'used terms', taxonomy, count(*) from terms where count > 0 group by taxonomy;
insert into list_counts select 'users', '', count(*) from users;

create trigger terms_list_inserted after insert on terms begin
  insert into list_counts values ('terms', new.taxonomy, 1), ('used terms', new.taxonomy, new.count > 0)
    on conflict do update set count = count + excluded.count;
end;
create trigger terms_list_deleted after delete on terms begin
  update list_counts set count = count - 1 where list = 'terms' and part = old.taxonomy;
  update list_counts set count = count - (old.count > 0) where list = 'used terms' and part = old.taxonomy;
end;
create trigger terms_list_used after update of count on terms when (old.count > 0) <> (new.count > 0) begin
  update list_counts set count = count + (new.count > 0) - (old.count > 0)
    where list = 'used terms' and part = new.taxonomy;
end;
create trigger terms_list_moved after update of taxonomy on terms when old.taxonomy <> new.taxonomy begin
  update list_counts set count = count - 1 where list = 'terms' and part = old.taxonomy;
  update list_counts set count = count - (new.count > 0) where list = 'used terms' and part = old.taxonomy;
  insert into list_counts values ('terms', new.taxonomy, 1), ('used terms', new.taxonomy, new.count > 0)
    on conflict do update set count = count + excluded.count;
end;
create trigger users_list_inserted after insert on users begin
  insert into list_counts values ('users', '', 1) on conflict do update set count = count + 1;
end;
create trigger users_list_deleted after delete on users begin
  update list_counts set count = count - 1 where list = 'users' and part = '';
end;

create table record_lists (
  list text primary key,
  collection text not null,
  fields text not null
) strict;
create index record_lists_by_collection on record_lists (collection);

create trigger records_list_inserted after insert on records
  when exists (select 1 from record_lists where collection = new.collection)
begin
  insert into list_counts ${recordParts('new')}, 1 from record_lists l where l.collection = new.collection
    on conflict do update set count = count + 1;
end;
create trigger records_list_deleted after delete on records
  when exists (select 1 from record_lists where collection = old.collection)
begin
  insert into list_counts ${recordParts('old')}, -1 from record_lists l where l.collection = old.collection
    on conflict do update set count = count - 1;
end;
create trigger records_list_changed after update of body on records
  when exists (select 1 from record_lists where collection = new.collection)
begin
  insert into list_counts ${recordParts('old')}, -1 from record_lists l where l.collection = old.collection
    on conflict do update set count = count - 1;
  insert into list_counts ${recordParts('new')}, 1 from record_lists l where l.collection = new.collection
    on conflict do update set count = count + 1;
end;
`,
  },
  {
    // The terms below one, by name.
    name: 'terms-in-trees',
    sql: `
create index terms_in_trees on terms (taxonomy, parent, name_folded, id);
`,
  },
  {
    // The totals of files by their type, and the few files of a rare one.
    name: 'media-counts',
    sql: `
create index posts_by_mime on posts (type, mime_type, id) where mime_type <> '';
insert into list_counts select 'media', ${mediaPart('')}, count(*) from posts where mime_type <> '' group by type, status, mime_type;

create trigger posts_media_inserted after insert on posts when new.mime_type <> '' begin
  insert into list_counts values ('media', ${mediaPart('new.')}, 1) on conflict do update set count = count + 1;
end;
create trigger posts_media_deleted after delete on posts when old.mime_type <> '' begin
  update list_counts set count = count - 1 where list = 'media' and part = ${mediaPart('old.')};
end;
create trigger posts_media_moved after update of type, status, mime_type on posts
when old.type <> new.type or old.status <> new.status or old.mime_type <> new.mime_type begin
  update list_counts set count = count - 1
    where list = 'media' and part = ${mediaPart('old.')} and old.mime_type <> '';
  insert into list_counts select 'media', ${mediaPart('new.')}, 1 where new.mime_type <> ''
    on conflict do update set count = count + 1;
end;
`,
  },
  termsInUse,
  {
    // The few posts with a format of their own: the usual one costs a write nothing.
    name: 'post-formats',
    sql: `
create index posts_by_format on posts (type, status, format, id) where format <> 'standard';
`,
  },
  {
    // The order by author ends in the id; the other index of authors has the date before it.
    name: 'author-order',
    sql: `
create index posts_in_author_order on posts (type, status, author, id);
`,
  },
  postChangeNumbers,
  eventsByTransaction,
  {
    // The few posts of unusual formats in each order; and in orders that need not go with that of the ids, the author of a row, so
    // that the rows of others are passed without being read.
    name: 'ordered-formats',
    sql: `
create index posts_by_format_date on posts (type, status, format, date, id) where format <> 'standard';
create index posts_by_format_modified on posts (type, status, format, modified, id) where format <> 'standard';
create index posts_by_format_title on posts (type, status, format, title_folded, id) where format <> 'standard';
create index posts_by_format_slug on posts (type, status, format, slug, id) where format <> 'standard';
create index posts_by_format_author on posts (type, status, format, author, id) where format <> 'standard';
drop index posts_by_title;
create index posts_by_title on posts (type, status, title_folded, id, author);
drop index posts_by_modified;
create index posts_by_modified on posts (type, status, modified, id, author);
`,
  },
  deliveryOrders,
  ...addedColumns(columnTypes).map((columns, index) => ({
    name: `added-fields-${index + 1}`,
    sql: columns.map(({ table, definition }) => `alter table ${table} add column ${definition};`).join('\n'),
  })),
]
