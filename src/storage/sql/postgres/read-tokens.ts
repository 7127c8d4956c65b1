/** The tokens of what was written last, as one server has them, and results of its reads that are kept while they stay the same. */
import type { MaybePromise } from '../../../contract/storage.ts'
import { type Fragment, type Row, raw } from '../engine/fragments.ts'
import { ReadCache } from '../engine/read-cache.ts'
import type { Session } from '../engine/session.ts'

export const readTokens = raw('select version, options, position from changes')

/** In one statement: the versions of the types must not be older than that of everything. */
const readVersions = raw('select c.version, p.type, p.version from changes c left join post_changes p on true')

type ReadRows = (statement: Fragment) => MaybePromise<readonly Row[]>

/** Reads the versions first: a result is at least as new. */
export function createCached(readRows: ReadRows): NonNullable<Session['cached']> {
  const cache = new ReadCache()
  return async (key, read, types) => {
    const rows = await readRows(types === undefined ? readTokens : readVersions)
    return cache.get({ all: String(rows[0]?.[0]), types: () => rows.map(([, ...row]) => row) }, key, read, types)
  }
}
