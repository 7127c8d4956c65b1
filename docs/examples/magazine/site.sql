-- The site on the tables of the magazine. The two views give each column the name that the contract has for it, and their
-- triggers write it back; the TypeScript of the storage knows only the views. Change this file to map other tables.

-- Texts are compared by two folds, as site-api/storage makes them. PostgreSQL 17 has the collation, which knows no small form of the capital
-- i with a dot. Its regular expressions have no classes of marks and scripts, so install.ts puts their ranges here.

-- `identityFold`: the form NFC without case. Two names are one name if it is equal.
create function site_identity(words text) returns text language sql immutable strict parallel safe as $$
  select normalize(replace(lower(replace(normalize(words, nfc), 'İ', U&'i\0307') collate "pg_c_utf8"), 'ς', 'σ'), nfc)
$$;

-- `fold`: without the marks that searches leave out, and with plain letters for Latin letters that have no marks.
create function site_fold(words text) returns text language sql immutable strict parallel safe as $$
  select normalize(translate(
    replace(replace(replace(replace(regexp_replace(regexp_replace(regexp_replace(
      normalize(lower(normalize(words, nfkd) collate "pg_c_utf8"), nfkd),
      '[{{points}}]+', '', 'g'), '([{{european}}])[{{marks}}]+', '\1', 'g'), U&'\0627[\0653-\0655]+', U&'\0627', 'g'),
      'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th'),
    'ςðđħıĸłŋøŧ', 'σddhiklnot'), nfc)
$$;

create function site_time(at timestamp) returns text language sql stable strict as $$
  select to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS') collate "C"
$$;

-- What the magazine has no column for is kept in one JSON column of each table; its own rows have none of it.

alter table authors add column site jsonb not null default '{}';
alter table articles add column site jsonb not null default '{}', add column version integer not null default 1;

-- The names of the unique indexes end in the field of the conflict.
create unique index site_post_slug on articles (kind, coalesce((site ->> 'parent')::bigint, 0), path)
  where path <> '' and kind <> 'revision';
create unique index site_user_login on authors (site_identity(handle));
create unique index site_user_slug on authors (coalesce(site ->> 'slug', lower(handle)));
create unique index site_user_email on authors (site_identity(email)) where email <> '';

create view site_posts as select
  id,
  kind as type,
  case state when 'live' then 'publish' else state end as status,
  author_id as author,
  path as slug,
  headline as title,
  standfirst as excerpt,
  body as content,
  site_time(published) as date,
  site_time(updated) as modified,
  -- The clock of the magazine is GMT, so its own rows have the same time in both.
  case when site ? 'dateGmt' then site ->> 'dateGmt' else site_time(published) end as "dateGmt",
  coalesce(site ->> 'modifiedGmt', site_time(updated)) as "modifiedGmt",
  coalesce((site ->> 'parent')::bigint, 0) as parent,
  coalesce(site ->> 'password', '') as password,
  coalesce(site ->> 'commentStatus', 'open') as "commentStatus",
  coalesce(site ->> 'pingStatus', 'closed') as "pingStatus",
  coalesce(site ->> 'format', 'standard') as format,
  coalesce((site ->> 'sticky')::boolean, false) as sticky,
  coalesce(site ->> 'template', '') as template,
  coalesce((site ->> 'featuredMedia')::bigint, 0) as "featuredMedia",
  coalesce(site ->> 'mimeType', '') as "mimeType",
  coalesce((site ->> 'menuOrder')::bigint, 0) as "menuOrder",
  version
from articles;

create function site_write_post() returns trigger language plpgsql as $$
declare
  article_state text := case new.status when 'publish' then 'live' else new.status end;
  others jsonb := to_jsonb(new)
    - '{id,type,status,author,slug,title,excerpt,content,date,modified,version}'::text[];
begin
  if tg_op = 'INSERT' then
    insert into articles (kind, state, author_id, path, headline, standfirst, body, published, updated, site)
    values (new.type, article_state, new.author, new.slug, new.title, new.excerpt, new.content,
      new.date::timestamp, new.modified::timestamp, others)
    returning id into new.id;
  else
    update articles set (kind, state, author_id, path, headline, standfirst, body, published, updated, site)
      = (new.type, article_state, new.author, new.slug, new.title, new.excerpt, new.content,
        new.date::timestamp, new.modified::timestamp, others)
    where id = old.id;
  end if;
  return new;
end $$;
create trigger site_write_post instead of insert or update on site_posts
  for each row execute function site_write_post();

create view site_users as select
  id,
  handle as login,
  coalesce(site ->> 'slug', lower(handle)) as slug,
  name as "displayName",
  email,
  website as url,
  -- The authors of the magazine may write, and can not sign in to the site until it gives them a password.
  coalesce(site -> 'roles', '["author"]') as roles,
  coalesce(site -> 'capabilities', '{}') as capabilities,
  coalesce(site ->> 'password', '') as password,
  coalesce((site ->> 'blocked')::boolean, false) as blocked,
  site_time(joined) as registered
from authors;

create function site_write_user() returns trigger language plpgsql as $$
declare
  others jsonb := to_jsonb(new) - '{id,login,displayName,email,url,registered}'::text[];
begin
  if tg_op = 'INSERT' then
    insert into authors (handle, name, email, website, joined, site)
    values (new.login, new."displayName", new.email, new.url, new.registered::timestamp, others)
    returning id into new.id;
  else
    update authors set (handle, name, email, website, joined, site)
      = (new.login, new."displayName", new.email, new.url, new.registered::timestamp, others)
    where id = old.id;
  end if;
  return new;
end $$;
create trigger site_write_user instead of insert or update on site_users
  for each row execute function site_write_user();

-- The tables of the site alone. Terms and all declared collections are documents of one table, where values of the kind
-- 'json' are texts, because jsonb sorts their keys.

create table site_documents (
  id integer generated by default as identity primary key,
  collection text not null,
  body jsonb not null
);
create index site_documents_listed on site_documents (collection, id);
-- Finds documents by any of their values.
create index site_documents_found on site_documents using gin (body jsonb_path_ops);

create table site_post_terms (
  post integer references articles on delete cascade,
  term integer references site_documents on delete cascade,
  primary key (post, term)
);
create index site_post_terms_by_term on site_post_terms (term);

create view site_terms as select
  id,
  body ->> 'taxonomy' as taxonomy,
  body ->> 'slug' as slug,
  body ->> 'name' as name,
  body ->> 'description' as description,
  (body ->> 'parent')::bigint as parent,
  (select count(*) from site_post_terms a join articles p on p.id = a.post where a.term = d.id and p.state = 'live') as count
from site_documents d where collection = 'site.terms';

-- Meta of posts, users and terms; options have the owner 'option' and the id 0. The type json keeps the order of keys.
create table site_values (
  owner text not null,
  id bigint not null,
  key text not null,
  value json not null,
  primary key (owner, id, key)
);

-- Every program may write: these triggers keep true what a statement of the magazine does not know of.

-- The setting has a value within transactions of the site. When the magazine changes an article, its GMT dates follow its own.
create function site_article_changes() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  if coalesce(current_setting('site.origin', true), '') = '' then
    new.site := new.site - '{dateGmt,modifiedGmt}'::text[];
  end if;
  return new;
end $$;
create trigger site_article_changes before update on articles for each row execute function site_article_changes();

create function site_remove_meta() returns trigger language plpgsql as $$
begin
  delete from site_values where owner = tg_argv[0] and id = old.id;
  return null;
end $$;
create trigger site_remove_meta after delete on articles for each row execute function site_remove_meta('post');
create trigger site_remove_meta after delete on authors for each row execute function site_remove_meta('user');
create trigger site_remove_meta after delete on site_documents
  for each row when (old.collection = 'site.terms') execute function site_remove_meta('term');

create function site_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('site:' || tg_table_schema, current_setting('site.origin', true));
  return null;
end $$;
do $$
declare name text;
begin
  foreach name in array '{authors,articles,site_documents,site_post_terms,site_values}'::text[] loop
    execute format(
      'create trigger site_notify after insert or update or delete or truncate on %I for each statement execute function site_notify()',
      name);
  end loop;
end $$;
