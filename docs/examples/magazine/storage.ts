/** A storage on the tables of a magazine: posts are its articles, users its authors. */
import type pg from 'pg'
import type { Storage } from 'site-api/storage'
import { watchChanges } from './changes.ts'
import { postStore } from './posts.ts'
import { recordStore } from './records.ts'
import { openSession, type Session } from './session.ts'
import { sql } from './sql.ts'
import { termStore } from './terms.ts'
import { userStore } from './users.ts'
import { metaStore, optionStore } from './values.ts'

/** On the pool of the host, which finds the tables by its `search_path`. It needs three connections at least. */
export function magazineStorage(pool: pg.Pool): Storage {
  const origin = crypto.randomUUID()
  const changes = watchChanges(pool, origin)
  return {
    ...storesOn(openSession(pool, { origin, onCommit: changes.count })),
    changes: changes.token,
    open: changes.open,
    close: changes.close,
  }
}

function storesOn(session: Session): Storage {
  return {
    posts: postStore(session),
    terms: termStore(session),
    users: userStore(session),
    meta: metaStore(session),
    options: optionStore(session),
    records: recordStore(session),
    atomic: (work) => session.atomic((inside) => work(storesOn(inside))),
    now: () => timeOf(session),
  }
}

/** All processes of the site share the clock of the database, which goes on inside a transaction. */
async function timeOf(session: Session): Promise<number> {
  const text = sql`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`
  // The cast: there is always one row.
  const [row] = (await session.query(text)) as [{ readonly now: number }]
  return row.now
}
