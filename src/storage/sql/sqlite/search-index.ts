/**
 * The trigram index over the folded texts. It keeps neither the texts nor positions (`detail=none`): a seventh of the size
 * and twice the speed of the full one. It gives the posts that hold all trigrams of a text; the posts themselves tell
 * whether the trigrams stand together.
 *
 * A write only notes the post as pending. Pending posts count as found until they are indexed, many at once, when the
 * process has time: indexed with each write they would cost several times as much.
 */
import type { Connection } from './driver.ts'

/** Until so many posts are pending, reading them in a search is cheaper than indexing them one by one. */
const FEW_PENDING = 100
/** How many are indexed without a pause: some ten milliseconds. */
const STEP = 50

const create = `
create virtual table posts_search using fts5 (
  title_folded, excerpt_folded, content_folded,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1', detail = none
);
create table search_pending (post_id integer primary key) strict;
insert into search_pending select id from posts;
create trigger posts_search_inserted after insert on posts begin
  insert or ignore into search_pending values (new.id);
end;
create trigger posts_search_deleted after delete on posts begin
  insert or ignore into search_pending values (old.id);
end;
create trigger posts_search_updated after update of title_folded, excerpt_folded, content_folded on posts
when old.title_folded <> new.title_folded or old.excerpt_folded <> new.excerpt_folded
  or old.content_folded <> new.content_folded begin
  insert or ignore into search_pending values (new.id);
end;
`

const drop = `
drop trigger posts_search_inserted;
drop trigger posts_search_deleted;
drop trigger posts_search_updated;
drop table search_pending;
drop table posts_search;
`

/**
 * Indexes some of the pending posts: statements for one transaction. The pending rows go last, for they say which posts
 * the others are about. Many at once cost much less each, but nothing else is done meanwhile.
 */
export function indexingOf(count: number): readonly string[] {
  const some = `(select post_id from search_pending order by post_id limit ${count})`
  return [
    `delete from posts_search where rowid in ${some}`,
    `insert into posts_search (rowid, title_folded, excerpt_folded, content_folded)
      select id, title_folded, excerpt_folded, content_folded from posts where id in ${some}`,
    `delete from search_pending where post_id in ${some}`,
  ]
}

export const indexSome = indexingOf(STEP)

export function hasSearchIndex(connection: Connection): boolean {
  return connection.prepare("select 1 from sqlite_master where name = 'posts_search'").all([]).length > 0
}

/** To be run in a transaction. */
export function makeSearchIndex(connection: Connection, { isWanted }: { readonly isWanted: boolean }): void {
  if (hasSearchIndex(connection) !== isWanted) connection.exec(isWanted ? create : drop)
}

/** 1 when enough posts are pending to index some of them. */
export const manyPending = `select count(*) = ${FEW_PENDING} from (select 1 from search_pending limit ${FEW_PENDING})`
