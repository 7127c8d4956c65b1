-- A database of schema version 2, as `.dump` of sqlite3 writes it: tables, rows, then indexes and triggers.
pragma foreign_keys = off;
begin;
CREATE TABLE schema_versions (version integer primary key, name text not null) strict;
insert into schema_versions (version, name) values (1, 'tables');
insert into schema_versions (version, name) values (2, 'counters');
CREATE TABLE posts (
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
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (1, 'post', 'publish', 1, 0, 4, 'hello', '2024-01-10T09:00:00', '2024-01-10T08:00:00', '2024-01-10T09:00:00', '2024-01-10T08:00:00', 'Hello', 'hello', '', 'open', 'open', 'standard', 1, '', 0, '', '', '<p>First words.</p>', '', '<p>first words.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (2, 'page', 'publish', 1, 0, 1, 'about', '2024-01-10T09:00:00', '2024-01-10T08:00:00', '2024-01-10T09:00:00', '2024-01-10T08:00:00', 'About', 'about', '', 'open', 'open', 'standard', 0, '', 0, '', '', '', '', '');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (3, 'page', 'publish', 1, 2, 1, 'team', '2024-01-10T09:00:00', '2024-01-10T08:00:00', '2024-01-10T09:00:00', '2024-01-10T08:00:00', 'Team', 'team', '', 'open', 'open', 'standard', 0, '', 0, '', '', '', '', '');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (4, 'revision', 'inherit', 1, 1, 1, '1-revision-v1', '2024-01-10T09:00:00', '2024-01-10T08:00:00', '2024-01-10T09:00:00', '2024-01-10T08:00:00', 'Hello', 'hello', '', 'open', 'open', 'standard', 0, '', 0, '', '', '', '', '');
CREATE TABLE post_counts (
  type text not null,
  status text not null,
  count integer not null,
  primary key (type, status)
) strict, without rowid;
insert into post_counts (type, status, count) values ('page', 'publish', 2);
insert into post_counts (type, status, count) values ('post', 'publish', 1);
insert into post_counts (type, status, count) values ('revision', 'inherit', 1);
CREATE TABLE terms (
  id integer primary key autoincrement,
  taxonomy text not null,
  slug text not null,
  name text not null,
  name_folded text not null,
  description text not null,
  parent integer not null
) strict;
insert into terms (id, taxonomy, slug, name, name_folded, description, parent) values (1, 'category', 'news', 'News', 'news', '', 0);
CREATE TABLE post_terms (
  post_id integer not null references posts (id) on delete cascade,
  term_id integer not null references terms (id) on delete cascade,
  type text not null,
  status text not null,
  date text not null,
  primary key (post_id, term_id)
) strict, without rowid;
insert into post_terms (post_id, term_id, type, status, date) values (1, 1, 'post', 'publish', '2024-01-10T09:00:00');
CREATE TABLE term_counts (
  term_id integer not null,
  type text not null,
  status text not null,
  count integer not null,
  primary key (term_id, type, status)
) strict, without rowid;
insert into term_counts (term_id, type, status, count) values (1, 'post', 'publish', 1);
CREATE TABLE users (
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
insert into users (id, login, login_folded, slug, slug_folded, display_name, display_name_folded, email, email_folded, url, roles, capabilities, password, blocked, registered) values (1, 'ada', 'ada', 'ada', 'ada', 'Ada', 'ada', '', '', '', '["administrator"]', '{}', '', 0, '2024-01-01T00:00:00');
CREATE TABLE meta (
  owner text not null,
  owner_id integer not null,
  key text not null,
  value text not null,
  primary key (owner, owner_id, key)
) strict;
insert into meta (owner, owner_id, key, value) values ('post', 1, 'footnotes', '"[]"');
CREATE TABLE options (
  name text primary key,
  value text not null,
  canonical text not null
) strict, without rowid;
insert into options (name, value, canonical) values ('name', '"Quay"', '"Quay"');
CREATE TABLE records (
  id integer primary key autoincrement,
  collection text not null,
  body text not null,
  folded text not null
) strict;
CREATE UNIQUE INDEX posts_unique_slug on posts (type, slug) where slug <> '' and type <> 'revision';
CREATE INDEX posts_by_date on posts (type, status, date, id);
CREATE INDEX posts_by_modified on posts (type, status, modified, id);
CREATE INDEX posts_by_title on posts (type, status, title_folded, id);
CREATE INDEX posts_by_id on posts (type, status, id);
CREATE INDEX posts_by_author on posts (type, status, author, date, id);
CREATE INDEX posts_by_slug on posts (type, slug, status, id);
CREATE INDEX posts_by_parent on posts (type, parent, id);
CREATE INDEX posts_sticky on posts (type, status, date, id) where sticky = 1;
CREATE UNIQUE INDEX terms_unique_slug on terms (taxonomy, slug);
CREATE INDEX terms_by_name on terms (taxonomy, name_folded, id);
CREATE INDEX terms_by_parent on terms (parent, id);
CREATE INDEX post_terms_by_date on post_terms (term_id, type, status, date, post_id);
CREATE UNIQUE INDEX users_unique_login on users (login_folded);
CREATE UNIQUE INDEX users_unique_slug on users (slug);
CREATE UNIQUE INDEX users_unique_email on users (email_folded) where email_folded <> '';
CREATE INDEX records_by_collection on records (collection, id);
CREATE TRIGGER posts_inserted after insert on posts begin
  insert into post_counts values (new.type, new.status, 1)
    on conflict do update set count = count + 1;
end;
CREATE TRIGGER posts_deleted after delete on posts begin
  update post_counts set count = count - 1 where type = old.type and status = old.status;
  delete from meta where owner = 'post' and owner_id = old.id;
end;
CREATE TRIGGER posts_moved after update of type, status on posts
when old.type <> new.type or old.status <> new.status begin
  update post_counts set count = count - 1 where type = old.type and status = old.status;
  insert into post_counts values (new.type, new.status, 1)
    on conflict do update set count = count + 1;
end;
CREATE TRIGGER posts_listed after update of type, status, date on posts
when old.type <> new.type or old.status <> new.status or old.date <> new.date begin
  update post_terms set type = new.type, status = new.status, date = new.date where post_id = new.id;
end;
CREATE TRIGGER post_terms_inserted after insert on post_terms begin
  insert into term_counts values (new.term_id, new.type, new.status, 1)
    on conflict do update set count = count + 1;
end;
CREATE TRIGGER post_terms_deleted after delete on post_terms begin
  update term_counts set count = count - 1
    where term_id = old.term_id and type = old.type and status = old.status;
end;
CREATE TRIGGER post_terms_moved after update of type, status on post_terms
when old.type <> new.type or old.status <> new.status begin
  update term_counts set count = count - 1
    where term_id = old.term_id and type = old.type and status = old.status;
  insert into term_counts values (new.term_id, new.type, new.status, 1)
    on conflict do update set count = count + 1;
end;
CREATE TRIGGER terms_deleted after delete on terms begin
  delete from term_counts where term_id = old.id;
  delete from meta where owner = 'term' and owner_id = old.id;
end;
CREATE TRIGGER users_deleted after delete on users begin
  delete from meta where owner = 'user' and owner_id = old.id;
end;
commit;
