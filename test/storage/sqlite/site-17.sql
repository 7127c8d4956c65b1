-- A site of schema version 17, as `.dump` of sqlite3 writes it: tables, rows, then indexes and triggers.
pragma foreign_keys = off;
begin;
CREATE TABLE schema_versions (version integer primary key, name text not null) strict;
insert into schema_versions (version, name) values (1, 'tables');
insert into schema_versions (version, name) values (2, 'counters');
insert into schema_versions (version, name) values (3, 'page-order');
insert into schema_versions (version, name) values (4, 'term-counts');
insert into schema_versions (version, name) values (5, 'user-lists');
insert into schema_versions (version, name) values (6, 'featured-media');
insert into schema_versions (version, name) values (7, 'application-id');
insert into schema_versions (version, name) values (8, 'list-counts');
insert into schema_versions (version, name) values (9, 'terms-in-trees');
insert into schema_versions (version, name) values (10, 'media-counts');
insert into schema_versions (version, name) values (11, 'terms-in-use');
insert into schema_versions (version, name) values (12, 'post-formats');
insert into schema_versions (version, name) values (13, 'author-order');
insert into schema_versions (version, name) values (14, 'post-changes');
insert into schema_versions (version, name) values (15, 'outbox-changes');
insert into schema_versions (version, name) values (16, 'ordered-formats');
insert into schema_versions (version, name) values (17, 'delivery-orders');
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
, menu_order integer not null default 0) strict;
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (1, 'attachment', 'inherit', 2, 0, 1, 'pier', '2024-01-02T10:00:00', '2024-01-02T10:00:00', '2024-01-02T10:00:00', '2024-01-02T10:00:00', 'Pier at dusk', 'pier at dusk', '', 'closed', 'closed', 'standard', 0, '', 0, 'image/jpeg', '', '', '', '', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (2, 'page', 'publish', 1, 0, 1, 'front', '2024-01-03T10:00:00', '2024-01-03T10:00:00', '2024-01-03T10:00:00', '2024-01-03T10:00:00', 'Front', 'front', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>Front.</p>', '', '<p>front.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (3, 'page', 'publish', 1, 0, 1, 'journal', '2024-01-04T10:00:00', '2024-01-04T10:00:00', '2024-01-04T10:00:00', '2024-01-04T10:00:00', 'Journal', 'journal', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>Journal.</p>', '', '<p>journal.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (4, 'page', 'publish', 1, 2, 2, 'about', '2024-01-05T10:00:00', '2024-01-05T10:00:00', '2024-01-05T10:00:00', '2024-01-05T10:00:00', 'About', 'about', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>About.</p>', '', '<p>about.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (5, 'post', 'publish', 1, 0, 2, 'hello', '2024-01-10T09:00:00', '2024-01-10T09:00:00', '2026-03-01T12:00:00', '2026-03-01T12:00:00', 'Hello again', 'hello again', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Changed in version 0.1</p>', '', '<p>changed in version 0.1</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (6, 'post', 'publish', 3, 0, 1, 'ferry', '2024-01-12T09:00:00', '2024-01-12T09:00:00', '2024-01-12T09:00:00', '2024-01-12T09:00:00', 'The ferry is late', 'the ferry is late', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of ferry.</p>', '', '<p>plain words of ferry.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (7, 'post', 'publish', 4, 0, 1, 'tide', '2024-01-14T09:00:00', '2024-01-14T09:00:00', '2024-01-14T09:00:00', '2024-01-14T09:00:00', 'Reading the tide', 'reading the tide', '', 'open', 'open', 'standard', 0, '', 1, '', 'A short lighthouse excerpt.', '<p>Plain words of tide.</p>', 'a short lighthouse excerpt.', '<p>plain words of tide.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (8, 'post', 'publish', 3, 0, 1, 'knots', '2024-01-16T09:00:00', '2024-01-16T09:00:00', '2024-01-16T09:00:00', '2024-01-16T09:00:00', 'Knots', 'knots', '', 'open', 'open', 'aside', 0, '', 0, '', '', '<p>Plain words of knots.</p>', '', '<p>plain words of knots.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (9, 'post', 'publish', 2, 0, 1, 'pinned', '2023-06-01T09:00:00', '2023-06-01T08:00:00', '2023-06-01T09:00:00', '2023-06-01T08:00:00', 'Pinned notice', 'pinned notice', '', 'open', 'open', 'standard', 1, '', 0, '', '', '<p>Plain words of pinned.</p>', '', '<p>plain words of pinned.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (10, 'post', 'publish', 3, 0, 1, 'locked', '2024-02-02T09:00:00', '2024-02-02T09:00:00', '2024-02-02T09:00:00', '2024-02-02T09:00:00', 'Behind a password', 'behind a password', 'sesame', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Hidden.</p>', '', '<p>hidden.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (11, 'post', 'publish', 3, 0, 1, 'wide', '2024-02-04T09:00:00', '2024-02-04T09:00:00', '2024-02-04T09:00:00', '2024-02-04T09:00:00', 'Uses a template', 'uses a template', '', 'closed', 'open', 'standard', 0, 'wide.php', 0, '', '', '<p>Plain words of wide.</p>', '', '<p>plain words of wide.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (12, 'post', 'publish', 2, 0, 1, 'built', '2024-02-06T09:00:00', '2024-02-06T09:00:00', '2024-02-06T09:00:00', '2024-02-06T09:00:00', 'Built in the builder', 'built in the builder', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of built.</p>', '', '<p>plain words of built.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (13, 'post', 'private', 3, 0, 1, 'private', '2024-02-08T09:00:00', '2024-02-08T09:00:00', '2024-02-08T09:00:00', '2024-02-08T09:00:00', 'Private of an author', 'private of an author', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of private.</p>', '', '<p>plain words of private.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (14, 'post', 'private', 2, 0, 1, 'private-editor', '2024-02-10T09:00:00', '2024-02-10T09:00:00', '2024-02-10T09:00:00', '2024-02-10T09:00:00', 'Private of an editor', 'private of an editor', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of private-editor.</p>', '', '<p>plain words of private-editor.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (15, 'post', 'draft', 3, 0, 1, 'draft', '2024-03-01T09:00:00', null, '2024-03-01T09:00:00', '2024-03-01T09:00:00', 'Draft of an author', 'draft of an author', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of draft.</p>', '', '<p>plain words of draft.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (16, 'post', 'draft', 5, 0, 1, '', '2024-03-02T09:00:00', null, '2024-03-02T09:00:00', '2024-03-02T09:00:00', 'Draft of a contributor', 'draft of a contributor', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of draft-connie.</p>', '', '<p>plain words of draft-connie.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (17, 'post', 'pending', 5, 0, 1, '', '2024-03-04T09:00:00', null, '2024-03-04T09:00:00', '2024-03-04T09:00:00', 'Pending of a contributor', 'pending of a contributor', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of pending.</p>', '', '<p>plain words of pending.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (18, 'post', 'future', 3, 0, 1, 'future', '2098-07-01T09:00:00', '2098-07-01T08:00:00', '2024-03-06T09:00:00', '2024-03-06T09:00:00', 'Far ahead', 'far ahead', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of future.</p>', '', '<p>plain words of future.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (19, 'post', 'trash', 3, 0, 1, 'thrown-away__trashed', '2024-03-08T09:00:00', '2024-03-08T09:00:00', '2024-03-08T09:00:00', '2024-03-08T09:00:00', 'Thrown away', 'thrown away', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of trashed.</p>', '', '<p>plain words of trashed.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (20, 'post', 'trash', 2, 0, 1, 'thrown-draft__trashed', '2024-03-10T09:00:00', '2024-03-10T09:00:00', '2024-03-10T09:00:00', '2024-03-10T09:00:00', 'Thrown away draft', 'thrown away draft', '', 'open', 'open', 'standard', 0, '', 0, '', '', '<p>Plain words of trashed-editor.</p>', '', '<p>plain words of trashed-editor.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (21, 'revision', 'inherit', 1, 5, 1, '5-revision-v1', '2024-01-20T09:00:00', '2024-01-20T09:00:00', '2024-01-20T09:00:00', '2024-01-20T09:00:00', 'Hello', 'hello', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>First wording.</p>', '', '<p>first wording.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (22, 'revision', 'inherit', 2, 5, 1, '5-revision-v1', '2024-01-25T09:00:00', '2024-01-25T09:00:00', '2024-01-25T09:00:00', '2024-01-25T09:00:00', 'Hello', 'hello', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>Second wording.</p>', '', '<p>second wording.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (23, 'revision', 'inherit', 1, 5, 1, '5-revision-v1', '2024-02-01T12:00:00', '2024-02-01T12:00:00', '2024-02-01T12:00:00', '2024-02-01T12:00:00', 'Hello quay', 'hello quay', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>Third wording.</p>', '', '<p>third wording.</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (24, 'revision', 'inherit', 1, 5, 1, '5-revision-v1', '2026-03-01T12:00:00', '2026-03-01T12:00:00', '2026-03-01T12:00:00', '2026-03-01T12:00:00', 'Hello again', 'hello again', '', 'closed', 'closed', 'standard', 0, '', 0, '', '', '<p>Changed in version 0.1</p>', '', '<p>changed in version 0.1</p>', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (25, 'post', 'publish', 1, 0, 1, 'made-in-version-0-1', '2026-03-01T12:00:00', '2026-03-01T12:00:00', '2026-03-01T12:00:00', '2026-03-01T12:00:00', 'Made in version 0.1', 'made in version 0.1', '', 'open', 'open', 'standard', 1, '', 0, '', '', '', '', '', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (26, 'post', 'publish', 1, 0, 2, 'in-17', '2025-03-01T09:00:00', '2024-05-06T05:08:09', '2024-05-06T07:08:09', '2024-05-06T05:08:09', 'In seventeen', 'in seventeen', '', 'open', 'closed', 'gallery', 0, '', 29, '', '', 'a needle', '', 'a needle', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (27, 'post', 'draft', 2, 0, 1, 'draft-17', '2025-03-02T09:00:00', '2024-05-06T05:08:09', '2024-05-06T07:08:09', '2024-05-06T05:08:09', 'A draft', 'a draft', '', 'open', 'closed', 'standard', 0, '', 0, '', '', '', '', '', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (28, 'post', 'publish', 1, 0, 1, 'secret-17', '2025-03-03T09:00:00', '2024-05-06T05:08:09', '2024-05-06T07:08:09', '2024-05-06T05:08:09', 'A secret', 'a secret', 'tide', 'open', 'closed', 'standard', 1, '', 0, '', '', '', '', '', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (29, 'attachment', 'inherit', 1, 0, 1, 'picture-17', '2024-05-06T07:08:09', '2024-05-06T05:08:09', '2024-05-06T07:08:09', '2024-05-06T05:08:09', 'A picture', 'a picture', '', 'open', 'closed', 'standard', 0, '', 0, 'image/png', '', '', '', '', 0);
insert into posts (id, type, status, author, parent, version, slug, date, date_gmt, modified, modified_gmt, title, title_folded, password, comment_status, ping_status, format, sticky, template, featured_media, mime_type, excerpt, content, excerpt_folded, content_folded, menu_order) values (30, 'attachment', 'inherit', 1, 0, 1, 'sound-17', '2024-05-06T07:08:09', '2024-05-06T05:08:09', '2024-05-06T07:08:09', '2024-05-06T05:08:09', 'A sound', 'a sound', '', 'open', 'closed', 'standard', 0, '', 0, 'audio/mpeg', '', '', '', '', 0);
CREATE TABLE post_counts (
  type text not null,
  status text not null,
  count integer not null,
  primary key (type, status)
) strict, without rowid;
insert into post_counts (type, status, count) values ('attachment', 'inherit', 3);
insert into post_counts (type, status, count) values ('page', 'publish', 3);
insert into post_counts (type, status, count) values ('post', 'draft', 3);
insert into post_counts (type, status, count) values ('post', 'future', 1);
insert into post_counts (type, status, count) values ('post', 'pending', 1);
insert into post_counts (type, status, count) values ('post', 'private', 2);
insert into post_counts (type, status, count) values ('post', 'publish', 11);
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
, count integer not null default 0, used_in_tree integer not null default 0) strict;
insert into terms (id, taxonomy, slug, name, name_folded, description, parent, count, used_in_tree) values (1, 'category', 'uncategorized', 'Uncategorized', 'uncategorized', '', 0, 6, 1);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent, count, used_in_tree) values (2, 'category', 'news', 'News', 'news', 'All the news', 0, 1, 2);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent, count, used_in_tree) values (3, 'category', 'news-harbour', 'Harbour', 'harbour', '', 2, 1, 1);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent, count, used_in_tree) values (4, 'category', 'guides', 'Guides & tips', 'guides & tips', '', 0, 2, 1);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent, count, used_in_tree) values (5, 'post_tag', 'red', 'Red', 'red', '', 0, 2, 1);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent, count, used_in_tree) values (6, 'post_tag', 'green', 'Green', 'green', '', 0, 1, 1);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent, count, used_in_tree) values (7, 'post_tag', 'rare', 'Rare', 'rare', '', 0, 1, 1);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent, count, used_in_tree) values (8, 'category', 'harbour-17', 'harbour', 'harbour', '', 0, 0, 1);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent, count, used_in_tree) values (9, 'category', 'pier-17', 'pier', 'pier', '', 8, 2, 1);
insert into terms (id, taxonomy, slug, name, name_folded, description, parent, count, used_in_tree) values (10, 'tag', 'knots-17', 'knots', 'knots', '', 0, 1, 1);
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
insert into post_terms (post_id, term_id, type, status, date) values (27, 8, 'post', 'draft', '2025-03-02T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (27, 9, 'post', 'draft', '2025-03-02T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (26, 9, 'post', 'publish', '2025-03-01T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (28, 9, 'post', 'publish', '2025-03-03T09:00:00');
insert into post_terms (post_id, term_id, type, status, date) values (26, 10, 'post', 'publish', '2025-03-01T09:00:00');
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
insert into term_counts (term_id, type, status, count) values (8, 'post', 'draft', 1);
insert into term_counts (term_id, type, status, count) values (9, 'post', 'draft', 1);
insert into term_counts (term_id, type, status, count) values (9, 'post', 'publish', 2);
insert into term_counts (term_id, type, status, count) values (10, 'post', 'publish', 1);
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
insert into meta (owner, owner_id, key, value) values ('post', 26, 'subtitle', '"Sea"');
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
insert into options (name, value, canonical) values ('lifted', '{"from":17}', '{"from":17}');
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
insert into records (id, collection, body, folded) values (7, 'things', '{"name":"b","size":2,"extra":{"z":1,"a":[1]}}', '{"name":"b"}');
insert into records (id, collection, body, folded) values (8, 'places', '{"owner":1,"place":"x","code":"p"}', '{"place":"x","code":"p"}');
CREATE TABLE user_roles (
  role text not null,
  user_id integer not null references users (id) on delete cascade,
  primary key (role, user_id)
) strict, without rowid;
insert into user_roles (role, user_id) values ('administrator', 1);
insert into user_roles (role, user_id) values ('editor', 2);
insert into user_roles (role, user_id) values ('author', 3);
insert into user_roles (role, user_id) values ('author', 4);
insert into user_roles (role, user_id) values ('contributor', 5);
insert into user_roles (role, user_id) values ('subscriber', 6);
CREATE TABLE list_counts (
  list text not null,
  part text not null,
  count integer not null,
  primary key (list, part)
) strict, without rowid;
insert into list_counts (list, part, count) values ('media', 'attachment inherit audio/mpeg', 1);
insert into list_counts (list, part, count) values ('media', 'attachment inherit image/jpeg', 1);
insert into list_counts (list, part, count) values ('media', 'attachment inherit image/png', 1);
insert into list_counts (list, part, count) values ('terms', 'category', 6);
insert into list_counts (list, part, count) values ('terms', 'post_tag', 3);
insert into list_counts (list, part, count) values ('terms', 'tag', 1);
insert into list_counts (list, part, count) values ('used terms', 'category', 5);
insert into list_counts (list, part, count) values ('used terms', 'post_tag', 3);
insert into list_counts (list, part, count) values ('used terms', 'tag', 1);
insert into list_counts (list, part, count) values ('used trees', 'category', 6);
insert into list_counts (list, part, count) values ('used trees', 'post_tag', 3);
insert into list_counts (list, part, count) values ('used trees', 'tag', 1);
insert into list_counts (list, part, count) values ('users', '', 6);
CREATE TABLE record_lists (
  list text primary key,
  collection text not null,
  fields text not null
) strict;
CREATE TABLE post_changes (
  type text primary key,
  version integer not null
) strict, without rowid;
insert into post_changes (type, version) values ('attachment', 2);
insert into post_changes (type, version) values ('page', 2);
insert into post_changes (type, version) values ('post', 9);
CREATE VIRTUAL TABLE posts_search using fts5 (
  title_folded, excerpt_folded, content_folded,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1', detail = none
);
CREATE TABLE search_pending (post_id integer primary key) strict;
insert into search_pending select id from posts;
delete from sqlite_sequence where name = 'users';
insert into sqlite_sequence values ('users', 6);
delete from sqlite_sequence where name = 'records';
insert into sqlite_sequence values ('records', 8);
delete from sqlite_sequence where name = 'terms';
insert into sqlite_sequence values ('terms', 10);
delete from sqlite_sequence where name = 'posts';
insert into sqlite_sequence values ('posts', 31);
CREATE INDEX posts_by_date on posts (type, status, date, id);
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
CREATE INDEX posts_by_menu_order on posts (type, status, menu_order, id);
CREATE UNIQUE INDEX posts_unique_slug on posts (type, parent, slug) where slug <> '' and type <> 'revision';
CREATE INDEX terms_by_count on terms (taxonomy, count, id);
CREATE INDEX terms_by_id on terms (taxonomy, id);
CREATE TRIGGER term_counts_inserted after insert on term_counts when new.status = 'publish' begin
  update terms set count = count + new.count where id = new.term_id;
end;
CREATE TRIGGER term_counts_updated after update of count on term_counts when new.status = 'publish' begin
  update terms set count = count + new.count - old.count where id = new.term_id;
end;
CREATE INDEX users_by_name on users (display_name_folded, id);
CREATE INDEX users_by_email on users (email_folded, id);
CREATE INDEX users_by_url on users (url, id);
CREATE INDEX users_by_registered on users (registered, id);
CREATE INDEX user_roles_by_user on user_roles (user_id);
CREATE TRIGGER users_roles_inserted after insert on users begin
  insert or ignore into user_roles select value, new.id from json_each(new.roles);
end;
CREATE TRIGGER users_roles_updated after update of roles on users when old.roles <> new.roles begin
  delete from user_roles where user_id = new.id;
  insert or ignore into user_roles select value, new.id from json_each(new.roles);
end;
CREATE INDEX posts_featured on posts (featured_media, id) where featured_media > 0;
CREATE INDEX terms_by_description on terms (taxonomy, description, id);
CREATE TRIGGER terms_list_inserted after insert on terms begin
  insert into list_counts values ('terms', new.taxonomy, 1), ('used terms', new.taxonomy, new.count > 0)
    on conflict do update set count = count + excluded.count;
end;
CREATE TRIGGER terms_list_deleted after delete on terms begin
  update list_counts set count = count - 1 where list = 'terms' and part = old.taxonomy;
  update list_counts set count = count - (old.count > 0) where list = 'used terms' and part = old.taxonomy;
end;
CREATE TRIGGER terms_list_used after update of count on terms when (old.count > 0) <> (new.count > 0) begin
  update list_counts set count = count + (new.count > 0) - (old.count > 0)
    where list = 'used terms' and part = new.taxonomy;
end;
CREATE TRIGGER terms_list_moved after update of taxonomy on terms when old.taxonomy <> new.taxonomy begin
  update list_counts set count = count - 1 where list = 'terms' and part = old.taxonomy;
  update list_counts set count = count - (new.count > 0) where list = 'used terms' and part = old.taxonomy;
  insert into list_counts values ('terms', new.taxonomy, 1), ('used terms', new.taxonomy, new.count > 0)
    on conflict do update set count = count + excluded.count;
end;
CREATE TRIGGER users_list_inserted after insert on users begin
  insert into list_counts values ('users', '', 1) on conflict do update set count = count + 1;
end;
CREATE TRIGGER users_list_deleted after delete on users begin
  update list_counts set count = count - 1 where list = 'users' and part = '';
end;
CREATE INDEX record_lists_by_collection on record_lists (collection);
CREATE TRIGGER records_list_inserted after insert on records
  when exists (select 1 from record_lists where collection = new.collection)
begin
  insert into list_counts select l.list, (select json_group_object(f.value, json(new.body -> ('$."' || f.value || '"'))) from json_each(l.fields) f), 1 from record_lists l where l.collection = new.collection
    on conflict do update set count = count + 1;
end;
CREATE TRIGGER records_list_deleted after delete on records
  when exists (select 1 from record_lists where collection = old.collection)
begin
  insert into list_counts select l.list, (select json_group_object(f.value, json(old.body -> ('$."' || f.value || '"'))) from json_each(l.fields) f), -1 from record_lists l where l.collection = old.collection
    on conflict do update set count = count - 1;
end;
CREATE TRIGGER records_list_changed after update of body on records
  when exists (select 1 from record_lists where collection = new.collection)
begin
  insert into list_counts select l.list, (select json_group_object(f.value, json(old.body -> ('$."' || f.value || '"'))) from json_each(l.fields) f), -1 from record_lists l where l.collection = old.collection
    on conflict do update set count = count - 1;
  insert into list_counts select l.list, (select json_group_object(f.value, json(new.body -> ('$."' || f.value || '"'))) from json_each(l.fields) f), 1 from record_lists l where l.collection = new.collection
    on conflict do update set count = count + 1;
end;
CREATE INDEX terms_in_trees on terms (taxonomy, parent, name_folded, id);
CREATE INDEX posts_by_mime on posts (type, mime_type, id) where mime_type <> '';
CREATE TRIGGER posts_media_inserted after insert on posts when new.mime_type <> '' begin
  insert into list_counts values ('media', new.type || ' ' || new.status || ' ' || new.mime_type, 1) on conflict do update set count = count + 1;
end;
CREATE TRIGGER posts_media_deleted after delete on posts when old.mime_type <> '' begin
  update list_counts set count = count - 1 where list = 'media' and part = old.type || ' ' || old.status || ' ' || old.mime_type;
end;
CREATE TRIGGER posts_media_moved after update of type, status, mime_type on posts
when old.type <> new.type or old.status <> new.status or old.mime_type <> new.mime_type begin
  update list_counts set count = count - 1
    where list = 'media' and part = old.type || ' ' || old.status || ' ' || old.mime_type and old.mime_type <> '';
  insert into list_counts select 'media', new.type || ' ' || new.status || ' ' || new.mime_type, 1 where new.mime_type <> ''
    on conflict do update set count = count + 1;
end;
CREATE INDEX terms_used_by_id on terms (taxonomy, id) where used_in_tree > 0;
CREATE INDEX terms_used_by_name on terms (taxonomy, name_folded, id) where used_in_tree > 0;
CREATE INDEX terms_used_by_slug on terms (taxonomy, slug) where used_in_tree > 0;
CREATE INDEX terms_used_by_description on terms (taxonomy, description, id) where used_in_tree > 0;
CREATE INDEX terms_used_by_count on terms (taxonomy, count, id) where used_in_tree > 0;
CREATE TRIGGER terms_use_changed after update of count on terms
when old.parent = new.parent and (old.count > 0) <> (new.count > 0) begin
  update terms set used_in_tree = used_in_tree + (new.count > 0) - (old.count > 0) where id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = new.id
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above);
end;
CREATE TRIGGER terms_use_moved after update of parent on terms
when old.parent <> new.parent and (old.used_in_tree > 0 or new.count > 0) begin
  update terms set used_in_tree = used_in_tree - old.used_in_tree where id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = old.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above);
  update terms set used_in_tree = used_in_tree + (new.count > 0) - (old.count > 0) where id = new.id and (old.count > 0) <> (new.count > 0);
  update terms set used_in_tree = used_in_tree + old.used_in_tree + (new.count > 0) - (old.count > 0) where id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = new.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above);
  update terms set used_in_tree = (select count(*) from terms u where u.count > 0 and u.id in (with recursive below (id) as (
    select terms.id union select t.id from terms t join below b on t.parent = b.id
  ) select id from below))
    where (new.id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = old.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above) or new.id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = new.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above))
      and (id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = old.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above) or id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = new.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above));
end;
CREATE TRIGGER terms_use_inserted after insert on terms
when new.count > 0 or exists (select 1 from terms where parent = new.id) begin
  update terms set used_in_tree = (new.count > 0)
    + (select coalesce(sum(c.used_in_tree), 0) from terms c where c.parent = new.id and c.id <> new.id) where id = new.id;
  update terms set used_in_tree = used_in_tree + (select t.used_in_tree from terms t where t.id = new.id)
    where id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = new.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above);
  update terms set used_in_tree = (select count(*) from terms u where u.count > 0 and u.id in (with recursive below (id) as (
    select terms.id union select t.id from terms t join below b on t.parent = b.id
  ) select id from below)) where new.id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = new.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above) and id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = new.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above);
end;
CREATE TRIGGER terms_use_deleted after delete on terms when old.used_in_tree > 0 begin
  update terms set used_in_tree = used_in_tree - old.used_in_tree where id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = old.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above);
  update terms set used_in_tree = (select count(*) from terms u where u.count > 0 and u.id in (with recursive below (id) as (
    select terms.id union select t.id from terms t join below b on t.parent = b.id
  ) select id from below))
    where exists (select 1 from terms t where t.parent = old.id and t.id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = old.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above))
      and id in (with recursive above (id, parent) as (
    select t.id, t.parent from terms t where t.id = old.parent
    union select t.id, t.parent from terms t join above a on t.id = a.parent
  ) select id from above);
end;
CREATE TRIGGER terms_trees_inserted after insert on terms when new.used_in_tree > 0 begin
  insert into list_counts values ('used trees', new.taxonomy, 1)
    on conflict do update set count = count + excluded.count;
end;
CREATE TRIGGER terms_trees_deleted after delete on terms when old.used_in_tree > 0 begin
  insert into list_counts values ('used trees', old.taxonomy, -1)
    on conflict do update set count = count + excluded.count;
end;
CREATE TRIGGER terms_trees_changed after update of used_in_tree, taxonomy on terms
when (old.used_in_tree > 0) <> (new.used_in_tree > 0) or old.taxonomy <> new.taxonomy begin
  insert into list_counts values ('used trees', old.taxonomy, -(old.used_in_tree > 0))
    on conflict do update set count = count + excluded.count;
  insert into list_counts values ('used trees', new.taxonomy, new.used_in_tree > 0)
    on conflict do update set count = count + excluded.count;
end;
CREATE INDEX posts_by_format on posts (type, status, format, id) where format <> 'standard';
CREATE INDEX posts_in_author_order on posts (type, status, author, id);
CREATE TRIGGER posts_change_inserted after insert on posts begin
  insert into post_changes values (new.type, 1) on conflict do update set version = version + 1;
end;
CREATE TRIGGER posts_change_updated after update on posts begin
  insert into post_changes values (new.type, 1) on conflict do update set version = version + 1;
end;
CREATE TRIGGER posts_change_moved after update of type on posts when old.type <> new.type begin
  insert into post_changes values (old.type, 1) on conflict do update set version = version + 1;
end;
CREATE TRIGGER posts_change_deleted after delete on posts begin
  insert into post_changes values (old.type, 1) on conflict do update set version = version + 1;
end;
CREATE TRIGGER post_terms_change_inserted after insert on post_terms begin
  insert into post_changes values (new.type, 1) on conflict do update set version = version + 1;
end;
CREATE TRIGGER post_terms_change_deleted after delete on post_terms begin
  insert into post_changes values (old.type, 1) on conflict do update set version = version + 1;
end;
CREATE INDEX posts_by_format_date on posts (type, status, format, date, id) where format <> 'standard';
CREATE INDEX posts_by_format_modified on posts (type, status, format, modified, id) where format <> 'standard';
CREATE INDEX posts_by_format_title on posts (type, status, format, title_folded, id) where format <> 'standard';
CREATE INDEX posts_by_format_slug on posts (type, status, format, slug, id) where format <> 'standard';
CREATE INDEX posts_by_format_author on posts (type, status, format, author, id) where format <> 'standard';
CREATE INDEX posts_by_title on posts (type, status, title_folded, id, author);
CREATE INDEX posts_by_modified on posts (type, status, modified, id, author);
CREATE TRIGGER posts_search_inserted after insert on posts begin
  insert or ignore into search_pending values (new.id);
end;
CREATE TRIGGER posts_search_deleted after delete on posts begin
  insert or ignore into search_pending values (old.id);
end;
CREATE TRIGGER posts_search_updated after update of title_folded, excerpt_folded, content_folded on posts
when old.title_folded <> new.title_folded or old.excerpt_folded <> new.excerpt_folded
  or old.content_folded <> new.content_folded begin
  insert or ignore into search_pending values (new.id);
end;
CREATE INDEX "records_by:things:owner" on records (collection, json_extract(body, '$."owner"'), id)
    where collection = 'things';
CREATE INDEX "records_by:things:name" on records (collection, json_extract(body, '$."name"'), id)
    where collection = 'things';
CREATE UNIQUE INDEX "records_unique:places:owner,place" on records (json_extract(body, '$."owner"'), json_extract(body, '$."place"'))
    where collection = 'places';
CREATE UNIQUE INDEX "records_unique:places:code" on records (json_extract(body, '$."code"'))
    where collection = 'places';
pragma application_id = 1936290917;
commit;
