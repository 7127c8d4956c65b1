-- A site of version 0.1, as `.dump` of sqlite3 writes it: made by its own `seed` and two writes through its API.
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
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (1, 'attachment', 'inherit', 2, 0, 1, 'pier', '2024-01-02T10:00:00', '2024-01-02T10:00:00', '2024-01-02T10:00:00', '2024-01-02T10:00:00', 'Pier at dusk', 'pier at dusk', '', 'closed', 'closed', 'standard', 0, '', 0, 'image/jpeg', '', '', '', '');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (2, 'page', 'publish', 1, 0, 1, 'front', '2024-01-03T10:00:00', '2024-01-03T10:00:00', '2024-01-03T10:00:00', '2024-01-03T10:00:00', 'Front', 'front', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>Front.</p>', '', '<p>front.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (3, 'page', 'publish', 1, 0, 1, 'journal', '2024-01-04T10:00:00', '2024-01-04T10:00:00', '2024-01-04T10:00:00', '2024-01-04T10:00:00', 'Journal', 'journal', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>Journal.</p>', '', '<p>journal.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (4, 'page', 'publish', 1, 2, 2, 'about', '2024-01-05T10:00:00', '2024-01-05T10:00:00', '2024-01-05T10:00:00', '2024-01-05T10:00:00', 'About', 'about', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>About.</p>', '', '<p>about.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (5, 'post', 'publish', 1, 0, 2, 'hello', '2024-01-10T09:00:00', '2024-01-10T09:00:00', '2026-03-01T12:00:00', '2026-03-01T12:00:00', 'Hello again', 'hello again', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Changed in version 0.1</p>', '', '<p>changed in version 0.1</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (6, 'post', 'publish', 3, 0, 1, 'ferry', '2024-01-12T09:00:00', '2024-01-12T09:00:00', '2024-01-12T09:00:00', '2024-01-12T09:00:00', 'The ferry is late', 'the ferry is late', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of ferry.</p>', '', '<p>plain words of ferry.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (7, 'post', 'publish', 4, 0, 1, 'tide', '2024-01-14T09:00:00', '2024-01-14T09:00:00', '2024-01-14T09:00:00', '2024-01-14T09:00:00', 'Reading the tide', 'reading the tide', '', 'open', 'open', 'standard', 0, '', 1, '', 'A short lighthouse excerpt.', '<p>Plain words of tide.</p>', 'a short lighthouse excerpt.', '<p>plain words of tide.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (8, 'post', 'publish', 3, 0, 1, 'knots', '2024-01-16T09:00:00', '2024-01-16T09:00:00', '2024-01-16T09:00:00', '2024-01-16T09:00:00', 'Knots', 'knots', '', 'open', 'open', 'aside', 0, '', 0, '', '', '<p>Plain words of knots.</p>', '', '<p>plain words of knots.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (9, 'post', 'publish', 2, 0, 1, 'pinned', '2023-06-01T09:00:00', '2023-06-01T08:00:00', '2023-06-01T09:00:00', '2023-06-01T08:00:00', 'Pinned notice', 'pinned notice', '', 'open', 'open', 'standard', 1, '', 0, '', '', '<p>Plain words of pinned.</p>', '', '<p>plain words of pinned.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (10, 'post', 'publish', 3, 0, 1, 'locked', '2024-02-02T09:00:00', '2024-02-02T09:00:00', '2024-02-02T09:00:00', '2024-02-02T09:00:00', 'Behind a password', 'behind a password', 'sesame', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Hidden.</p>', '', '<p>hidden.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (11, 'post', 'publish', 3, 0, 1, 'wide', '2024-02-04T09:00:00', '2024-02-04T09:00:00', '2024-02-04T09:00:00', '2024-02-04T09:00:00', 'Uses a template', 'uses a template', '', 'closed', 'open', 'standard', 0, 'wide.php', 0, '', '', '<p>Plain words of wide.</p>', '', '<p>plain words of wide.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (12, 'post', 'publish', 2, 0, 1, 'built', '2024-02-06T09:00:00', '2024-02-06T09:00:00', '2024-02-06T09:00:00', '2024-02-06T09:00:00', 'Built in the builder', 'built in the builder', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of built.</p>', '', '<p>plain words of built.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (13, 'post', 'private', 3, 0, 1, 'private', '2024-02-08T09:00:00', '2024-02-08T09:00:00', '2024-02-08T09:00:00', '2024-02-08T09:00:00', 'Private of an author', 'private of an author', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of private.</p>', '', '<p>plain words of private.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (14, 'post', 'private', 2, 0, 1, 'private-editor', '2024-02-10T09:00:00', '2024-02-10T09:00:00', '2024-02-10T09:00:00', '2024-02-10T09:00:00', 'Private of an editor', 'private of an editor', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of private-editor.</p>', '', '<p>plain words of private-editor.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (15, 'post', 'draft', 3, 0, 1, 'draft', '2024-03-01T09:00:00', null, '2024-03-01T09:00:00', '2024-03-01T09:00:00', 'Draft of an author', 'draft of an author', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of draft.</p>', '', '<p>plain words of draft.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (16, 'post', 'draft', 5, 0, 1, '', '2024-03-02T09:00:00', null, '2024-03-02T09:00:00', '2024-03-02T09:00:00', 'Draft of a contributor', 'draft of a contributor', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of draft-connie.</p>', '', '<p>plain words of draft-connie.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (17, 'post', 'pending', 5, 0, 1, '', '2024-03-04T09:00:00', null, '2024-03-04T09:00:00', '2024-03-04T09:00:00', 'Pending of a contributor', 'pending of a contributor', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of pending.</p>', '', '<p>plain words of pending.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (18, 'post', 'future', 3, 0, 1, 'future', '2098-07-01T09:00:00', '2098-07-01T08:00:00', '2024-03-06T09:00:00', '2024-03-06T09:00:00', 'Far ahead', 'far ahead', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of future.</p>', '', '<p>plain words of future.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (19, 'post', 'trash', 3, 0, 1, 'thrown-away__trashed', '2024-03-08T09:00:00', '2024-03-08T09:00:00', '2024-03-08T09:00:00', '2024-03-08T09:00:00', 'Thrown away', 'thrown away', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of trashed.</p>', '', '<p>plain words of trashed.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (20, 'post', 'trash', 2, 0, 1, 'thrown-draft__trashed', '2024-03-10T09:00:00', '2024-03-10T09:00:00', '2024-03-10T09:00:00', '2024-03-10T09:00:00', 'Thrown away draft', 'thrown away draft', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of trashed-editor.</p>', '', '<p>plain words of trashed-editor.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (21, 'revision', 'inherit', 1, 5, 1, '5-revision-v1', '2024-01-20T09:00:00', '2024-01-20T09:00:00', '2024-01-20T09:00:00', '2024-01-20T09:00:00', 'Hello', 'hello', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>First wording.</p>', '', '<p>first wording.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (22, 'revision', 'inherit', 2, 5, 1, '5-revision-v1', '2024-01-25T09:00:00', '2024-01-25T09:00:00', '2024-01-25T09:00:00', '2024-01-25T09:00:00', 'Hello', 'hello', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>Second wording.</p>', '', '<p>second wording.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (23, 'revision', 'inherit', 1, 5, 1, '5-revision-v1', '2024-02-01T12:00:00', '2024-02-01T12:00:00', '2024-02-01T12:00:00', '2024-02-01T12:00:00', 'Hello quay', 'hello quay', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>Third wording.</p>', '', '<p>third wording.</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (24, 'revision', 'inherit', 1, 5, 1, '5-revision-v1', '2026-03-01T12:00:00', '2026-03-01T12:00:00', '2026-03-01T12:00:00', '2026-03-01T12:00:00', 'Hello again', 'hello again', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>Changed in version 0.1</p>', '', '<p>changed in version 0.1</p>');
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded) values (25, 'post', 'publish', 1, 0, 1, 'made-in-version-0-1', '2026-03-01T12:00:00', '2026-03-01T12:00:00', '2026-03-01T12:00:00', '2026-03-01T12:00:00', 'Made in version 0.1', 'made in version 0.1', '', 'open', 'open', 'standard', 1, '', 0, '', '', '', '', '');
CREATE TABLE post_counts (
  type text not null,
  status text not null,
  count integer not null,
  primary key (type, status)
) strict, without rowid;
insert into post_counts (type, status, count) values ('attachment', 'inherit', 1);
insert into post_counts (type, status, count) values ('page', 'publish', 3);
insert into post_counts (type, status, count) values ('post', 'draft', 2);
insert into post_counts (type, status, count) values ('post', 'future', 1);
insert into post_counts (type, status, count) values ('post', 'pending', 1);
insert into post_counts (type, status, count) values ('post', 'private', 2);
insert into post_counts (type, status, count) values ('post', 'publish', 9);
insert into post_counts (type, status, count) values ('post', 'trash', 2);
insert into post_counts (type, status, count) values ('revision', 'inherit', 4);
CREATE TABLE terms (
  id integer primary key autoincrement,
  taxonomy text not null,
  slug text not null,
  name text not null,
  name_folded text not null,
  description text not null,
  parent integer not null
) strict;
insert into terms (id, taxonomy, slug, name, name_folded, description, parent) values (1, 'category', 'uncategorized', 'Uncategorized', 'uncategorized', '', 0);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent) values (2, 'category', 'news', 'News', 'news', 'All the news', 0);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent) values (3, 'category', 'news-harbour', 'Harbour', 'harbour', '', 2);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent) values (4, 'category', 'guides', 'Guides & tips', 'guides & tips', '', 0);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent) values (5, 'post_tag', 'red', 'Red', 'red', '', 0);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent) values (6, 'post_tag', 'green', 'Green', 'green', '', 0);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent) values (7, 'post_tag', 'rare', 'Rare', 'rare', '', 0);
CREATE TABLE post_terms (
  post_id integer not null references posts (id) on delete cascade,
  term_id integer not null references terms (id) on delete cascade,
  type text not null,
  status text not null,
  date text not null,
  primary key (post_id, term_id)
) strict, without rowid;
insert into post_terms (post_id, term_id, type, status, date) values (15, 1, 'post', 'draft', '2024-03-01T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (16, 1, 'post', 'draft', '2024-03-02T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (18, 1, 'post', 'future', '2098-07-01T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (17, 1, 'post', 'pending', '2024-03-04T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (13, 1, 'post', 'private', '2024-02-08T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (14, 1, 'post', 'private', '2024-02-10T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (9, 1, 'post', 'publish', '2023-06-01T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (5, 1, 'post', 'publish', '2024-01-10T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (10, 1, 'post', 'publish', '2024-02-02T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (11, 1, 'post', 'publish', '2024-02-04T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (12, 1, 'post', 'publish', '2024-02-06T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (25, 1, 'post', 'publish', '2026-03-01T12:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (19, 1, 'post', 'trash', '2024-03-08T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (20, 1, 'post', 'trash', '2024-03-10T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (6, 2, 'post', 'publish', '2024-01-12T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (7, 3, 'post', 'publish', '2024-01-14T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (7, 4, 'post', 'publish', '2024-01-14T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (8, 4, 'post', 'publish', '2024-01-16T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (6, 5, 'post', 'publish', '2024-01-12T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (7, 5, 'post', 'publish', '2024-01-14T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (7, 6, 'post', 'publish', '2024-01-14T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (8, 7, 'post', 'publish', '2024-01-16T09:00:00');
CREATE TABLE term_counts (
  term_id integer not null,
  type text not null,
  status text not null,
  count integer not null,
  primary key (term_id, type, status)
) strict, without rowid;
insert into term_counts (term_id, type, status, count) values (1, 'post', 'draft', 2);
insert into term_counts (term_id, type, status, count) values (1, 'post', 'future', 1);
insert into term_counts (term_id, type, status, count) values (1, 'post', 'pending', 1);
insert into term_counts (term_id, type, status, count) values (1, 'post', 'private', 2);
insert into term_counts (term_id, type, status, count) values (1, 'post', 'publish', 6);
insert into term_counts (term_id, type, status, count) values (1, 'post', 'trash', 2);
insert into term_counts (term_id, type, status, count) values (2, 'post', 'publish', 1);
insert into term_counts (term_id, type, status, count) values (3, 'post', 'publish', 1);
insert into term_counts (term_id, type, status, count) values (4, 'post', 'publish', 2);
insert into term_counts (term_id, type, status, count) values (5, 'post', 'publish', 2);
insert into term_counts (term_id, type, status, count) values (6, 'post', 'publish', 1);
insert into term_counts (term_id, type, status, count) values (7, 'post', 'publish', 1);
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
insert into users (id, login, login_folded, slug, slug_folded, display_name, display_name_folded, email, email_folded, url, roles, capabilities, password, blocked, registered) values (1, 'ada', 'ada', 'ada-administrator', 'ada-administrator', 'Ada Admin', 'ada admin', 'ada@example.test', 'ada@example.test', '', '["administrator"]', '{}', '', 0, '2024-01-01T08:00:00');
insert into users (id, login, login_folded, slug, slug_folded, display_name, display_name_folded, email, email_folded, url, roles, capabilities, password, blocked, registered) values (2, 'edith', 'edith', 'edith-editor', 'edith-editor', 'Edith Editor', 'edith editor', 'edith@example.test', 'edith@example.test', '', '["editor"]', '{}', '', 0, '2024-01-01T08:00:00');
insert into users (id, login, login_folded, slug, slug_folded, display_name, display_name_folded, email, email_folded, url, roles, capabilities, password, blocked, registered) values (3, 'arthur', 'arthur', 'arthur-author', 'arthur-author', 'Arthur Author', 'arthur author', 'arthur@example.test', 'arthur@example.test', '', '["author"]', '{}', '', 0, '2024-01-01T08:00:00');
insert into users (id, login, login_folded, slug, slug_folded, display_name, display_name_folded, email, email_folded, url, roles, capabilities, password, blocked, registered) values (4, 'aiko', 'aiko', 'aiko-author', 'aiko-author', 'Aiko Author', 'aiko author', 'aiko@example.test', 'aiko@example.test', '', '["author"]', '{}', '', 0, '2024-01-01T08:00:00');
insert into users (id, login, login_folded, slug, slug_folded, display_name, display_name_folded, email, email_folded, url, roles, capabilities, password, blocked, registered) values (5, 'connie', 'connie', 'connie-contributor', 'connie-contributor', 'Connie Contributor', 'connie contributor', 'connie@example.test', 'connie@example.test', '', '["contributor"]', '{}', '', 0, '2024-01-01T08:00:00');
insert into users (id, login, login_folded, slug, slug_folded, display_name, display_name_folded, email, email_folded, url, roles, capabilities, password, blocked, registered) values (6, 'sam', 'sam', 'sam-subscriber', 'sam-subscriber', 'Sam Subscriber', 'sam subscriber', 'sam@example.test', 'sam@example.test', '', '["subscriber"]', '{}', '', 0, '2024-01-01T08:00:00');
CREATE TABLE meta (
  owner text not null,
  owner_id integer not null,
  key text not null,
  value text not null,
  primary key (owner, owner_id, key)
) strict;
insert into meta (owner, owner_id, key, value) values ('post', 1, '_attached_file', '"2024/01/pier.jpg"');
insert into meta (owner, owner_id, key, value) values ('post', 1, '_attachment_metadata', '{"file":"2024/01/pier.jpg","width":1200,"height":800}');
insert into meta (owner, owner_id, key, value) values ('post', 12, '_builder_edit_mode', '"builder"');
insert into meta (owner, owner_id, key, value) values ('post', 12, '_builder_data', '"[{\"id\":\"a1b2c3d\",\"elType\":\"container\",\"settings\":{},\"elements\":[]}]"');
insert into meta (owner, owner_id, key, value) values ('post', 19, '_trash_status', '"publish"');
insert into meta (owner, owner_id, key, value) values ('post', 19, '_desired_slug', '"thrown-away"');
insert into meta (owner, owner_id, key, value) values ('post', 20, '_trash_status', '"draft"');
insert into meta (owner, owner_id, key, value) values ('post', 20, '_desired_slug', '"thrown-draft"');
CREATE TABLE options (
  name text primary key,
  value text not null,
  canonical text not null
) strict, without rowid;
insert into options (name, value, canonical) values ('default_category', '1', '1');
insert into options (name, value, canonical) values ('default_comment_status', '"open"', '"open"');
insert into options (name, value, canonical) values ('default_ping_status', '"open"', '"open"');
insert into options (name, value, canonical) values ('description', '"Boats and weather"', '"Boats and weather"');
insert into options (name, value, canonical) values ('due', '{"form_submissions":null}', '{"form_submissions":null}');
insert into options (name, value, canonical) values ('home', '"https://quay.example"', '"https://quay.example"');
insert into options (name, value, canonical) values ('name', '"Quay Notes"', '"Quay Notes"');
insert into options (name, value, canonical) values ('next_due', '"2098-07-01T08:00:00"', '"2098-07-01T08:00:00"');
insert into options (name, value, canonical) values ('page_for_posts', '3', '3');
insert into options (name, value, canonical) values ('page_on_front', '2', '2');
insert into options (name, value, canonical) values ('permalink', '"/{slug}/"', '"/{slug}/"');
insert into options (name, value, canonical) values ('roles', '{"administrator":{"read":true,"level_0":true,"edit_posts":true,"delete_posts":true,"level_1":true,"publish_posts":true,"edit_published_posts":true,"delete_published_posts":true,"upload_files":true,"level_2":true,"edit_others_posts":true,"delete_others_posts":true,"edit_private_posts":true,"delete_private_posts":true,"read_private_posts":true,"edit_pages":true,"edit_others_pages":true,"edit_published_pages":true,"publish_pages":true,"delete_pages":true,"delete_others_pages":true,"delete_published_pages":true,"delete_private_pages":true,"edit_private_pages":true,"read_private_pages":true,"manage_categories":true,"manage_links":true,"moderate_comments":true,"unfiltered_html":true,"level_7":true,"manage_options":true,"edit_theme_options":true,"switch_themes":true,"edit_themes":true,"install_themes":true,"update_themes":true,"delete_themes":true,"activate_plugins":true,"edit_plugins":true,"install_plugins":true,"update_plugins":true,"delete_plugins":true,"list_users":true,"edit_users":true,"create_users":true,"delete_users":true,"promote_users":true,"remove_users":true,"edit_files":true,"import":true,"export":true,"edit_dashboard":true,"update_core":true,"customize":true,"unfiltered_upload":true,"level_10":true,"builder_global_classes_update_class":true,"create_notes_builder-pro":true,"edit_notes_builder-pro":true,"delete_notes_builder-pro":true,"read_notes_builder-pro":true,"edit_others_notes_builder-pro":true,"delete_others_notes_builder-pro":true,"read_others_private_notes_builder-pro":true},"editor":{"read":true,"level_0":true,"edit_posts":true,"delete_posts":true,"level_1":true,"publish_posts":true,"edit_published_posts":true,"delete_published_posts":true,"upload_files":true,"level_2":true,"edit_others_posts":true,"delete_others_posts":true,"edit_private_posts":true,"delete_private_posts":true,"read_private_posts":true,"edit_pages":true,"edit_others_pages":true,"edit_published_pages":true,"publish_pages":true,"delete_pages":true,"delete_others_pages":true,"delete_published_pages":true,"delete_private_pages":true,"edit_private_pages":true,"read_private_pages":true,"manage_categories":true,"manage_links":true,"moderate_comments":true,"unfiltered_html":true,"level_7":true},"author":{"read":true,"level_0":true,"edit_posts":true,"delete_posts":true,"level_1":true,"publish_posts":true,"edit_published_posts":true,"delete_published_posts":true,"upload_files":true,"level_2":true},"contributor":{"read":true,"level_0":true,"edit_posts":true,"delete_posts":true,"level_1":true},"subscriber":{"read":true,"level_0":true}}', '{"administrator":{"activate_plugins":true,"builder_global_classes_update_class":true,"create_notes_builder-pro":true,"create_users":true,"customize":true,"delete_notes_builder-pro":true,"delete_others_notes_builder-pro":true,"delete_others_pages":true,"delete_others_posts":true,"delete_pages":true,"delete_plugins":true,"delete_posts":true,"delete_private_pages":true,"delete_private_posts":true,"delete_published_pages":true,"delete_published_posts":true,"delete_themes":true,"delete_users":true,"edit_dashboard":true,"edit_files":true,"edit_notes_builder-pro":true,"edit_others_notes_builder-pro":true,"edit_others_pages":true,"edit_others_posts":true,"edit_pages":true,"edit_plugins":true,"edit_posts":true,"edit_private_pages":true,"edit_private_posts":true,"edit_published_pages":true,"edit_published_posts":true,"edit_theme_options":true,"edit_themes":true,"edit_users":true,"export":true,"import":true,"install_plugins":true,"install_themes":true,"level_0":true,"level_1":true,"level_10":true,"level_2":true,"level_7":true,"list_users":true,"manage_categories":true,"manage_links":true,"manage_options":true,"moderate_comments":true,"promote_users":true,"publish_pages":true,"publish_posts":true,"read":true,"read_notes_builder-pro":true,"read_others_private_notes_builder-pro":true,"read_private_pages":true,"read_private_posts":true,"remove_users":true,"switch_themes":true,"unfiltered_html":true,"unfiltered_upload":true,"update_core":true,"update_plugins":true,"update_themes":true,"upload_files":true},"author":{"delete_posts":true,"delete_published_posts":true,"edit_posts":true,"edit_published_posts":true,"level_0":true,"level_1":true,"level_2":true,"publish_posts":true,"read":true,"upload_files":true},"contributor":{"delete_posts":true,"edit_posts":true,"level_0":true,"level_1":true,"read":true},"editor":{"delete_others_pages":true,"delete_others_posts":true,"delete_pages":true,"delete_posts":true,"delete_private_pages":true,"delete_private_posts":true,"delete_published_pages":true,"delete_published_posts":true,"edit_others_pages":true,"edit_others_posts":true,"edit_pages":true,"edit_posts":true,"edit_private_pages":true,"edit_private_posts":true,"edit_published_pages":true,"edit_published_posts":true,"level_0":true,"level_1":true,"level_2":true,"level_7":true,"manage_categories":true,"manage_links":true,"moderate_comments":true,"publish_pages":true,"publish_posts":true,"read":true,"read_private_pages":true,"read_private_posts":true,"unfiltered_html":true,"upload_files":true},"subscriber":{"level_0":true,"read":true}}');
insert into options (name, value, canonical) values ('show_on_front', '"page"', '"page"');
insert into options (name, value, canonical) values ('templates', '["wide.php","narrow.php"]', '["wide.php","narrow.php"]');
insert into options (name, value, canonical) values ('timezone_string', '"Europe/Lisbon"', '"Europe/Lisbon"');
insert into options (name, value, canonical) values ('url', '"https://quay.example"', '"https://quay.example"');
CREATE TABLE records (
  id integer primary key autoincrement,
  collection text not null,
  body text not null,
  folded text not null
) strict;
insert into records (id, collection, body, folded) values (1, 'application_passwords', '{"user":1,"name":"Seed","app_id":"","digest":"555b1b9a07baef8f8449a2892fdfffc7e61a7d201ac7da4417ecb749bf6d9b6b","lookup":"555b1b9a07baef8f","created":"2026-03-01T12:00:00","last_used":"2026-03-01T12:00:00","grant":null}', '{"name":"seed","app_id":"","digest":"555b1b9a07baef8f8449a2892fdfffc7e61a7d201ac7da4417ecb749bf6d9b6b","lookup":"555b1b9a07baef8f","created":"2026-03-01t12:00:00","last_used":"2026-03-01t12:00:00"}');
insert into records (id, collection, body, folded) values (2, 'application_passwords', '{"user":2,"name":"Seed","app_id":"","digest":"b851544b54cc67dc3faeee84f3c35e359ca492a071272ad025d5064502d4bfda","lookup":"b851544b54cc67dc","created":"2026-03-01T12:00:00","last_used":null,"grant":null}', '{"name":"seed","app_id":"","digest":"b851544b54cc67dc3faeee84f3c35e359ca492a071272ad025d5064502d4bfda","lookup":"b851544b54cc67dc","created":"2026-03-01t12:00:00"}');
insert into records (id, collection, body, folded) values (3, 'application_passwords', '{"user":3,"name":"Seed","app_id":"","digest":"88e8f61b165963716d09a1f7f26d455a09a401875cd92b61a795f2afbaaf86c0","lookup":"88e8f61b16596371","created":"2026-03-01T12:00:00","last_used":null,"grant":null}', '{"name":"seed","app_id":"","digest":"88e8f61b165963716d09a1f7f26d455a09a401875cd92b61a795f2afbaaf86c0","lookup":"88e8f61b16596371","created":"2026-03-01t12:00:00"}');
insert into records (id, collection, body, folded) values (4, 'application_passwords', '{"user":4,"name":"Seed","app_id":"","digest":"f2d19c5d3745a7762845283b2badb21d7b395f29ed7132c9a0f5a06d15448425","lookup":"f2d19c5d3745a776","created":"2026-03-01T12:00:00","last_used":null,"grant":null}', '{"name":"seed","app_id":"","digest":"f2d19c5d3745a7762845283b2badb21d7b395f29ed7132c9a0f5a06d15448425","lookup":"f2d19c5d3745a776","created":"2026-03-01t12:00:00"}');
insert into records (id, collection, body, folded) values (5, 'application_passwords', '{"user":5,"name":"Seed","app_id":"","digest":"f3ce48751fb5e9ffcd275ad83e8713e9065ba2470cfa92de58e4e766faebb17a","lookup":"f3ce48751fb5e9ff","created":"2026-03-01T12:00:00","last_used":null,"grant":null}', '{"name":"seed","app_id":"","digest":"f3ce48751fb5e9ffcd275ad83e8713e9065ba2470cfa92de58e4e766faebb17a","lookup":"f3ce48751fb5e9ff","created":"2026-03-01t12:00:00"}');
insert into records (id, collection, body, folded) values (6, 'application_passwords', '{"user":6,"name":"Seed","app_id":"","digest":"513315204b0d00c8e2d80fc2389f5c8e43112f4f4ad780396ac29379c35fb555","lookup":"513315204b0d00c8","created":"2026-03-01T12:00:00","last_used":null,"grant":null}', '{"name":"seed","app_id":"","digest":"513315204b0d00c8e2d80fc2389f5c8e43112f4f4ad780396ac29379c35fb555","lookup":"513315204b0d00c8","created":"2026-03-01t12:00:00"}');
delete from sqlite_sequence where name = 'users';
insert into sqlite_sequence values ('users', 6);
delete from sqlite_sequence where name = 'records';
insert into sqlite_sequence values ('records', 6);
delete from sqlite_sequence where name = 'terms';
insert into sqlite_sequence values ('terms', 7);
delete from sqlite_sequence where name = 'posts';
insert into sqlite_sequence values ('posts', 25);
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
CREATE INDEX "records_by:application_passwords:lookup" on records (collection, json_extract(body, '$."lookup"'), id)
    where collection = 'application_passwords';
CREATE INDEX "records_by:application_passwords:user" on records (collection, json_extract(body, '$."user"'), id)
    where collection = 'application_passwords';
CREATE UNIQUE INDEX "records_unique:application_passwords:lookup" on records (json_extract(body, '$."lookup"'))
    where collection = 'application_passwords';
CREATE UNIQUE INDEX "records_unique:application_passwords:grant" on records (json_extract(body, '$."grant"'))
    where collection = 'application_passwords';
commit;
