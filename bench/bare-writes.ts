/**
 * The inserts and updates of equal rows: one write is made over the API, the rows that it left are read, and copies of them are written
 * from then on, into the same tables with their indexes and triggers, synced alike. What it leaves out is what the library reads, decides
 * and renders, and the search index, which the library fills later.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { PostSite } from './post-site.ts'

export type WriteKind = 'create' | 'update' | 'batch'

export interface BareWrite {
  readonly run: () => void
  readonly head: string[]
  readonly body: string
}

/** The storage sets the same. */
const settings = [
  'synchronous = full',
  'foreign_keys = on',
  'temp_store = memory',
  'cache_size = -16384',
  'busy_timeout = 1000',
]

type Row = Record<string, SQLInputValue>

/** The tables that requests write to; triggers write to others. */
const tables = ['posts', 'records'] as const
/** A write that left rows here would be copied in part. */
const otherTables = ['post_terms', 'meta', 'options', 'users', 'terms'] as const

/** The post whose title changes. */
const changedPost = 7

const postBody = () => ({
  title: 'Notes of the day',
  content: '<!-- cms:paragraph -->\n<p>The boats came in late.</p>\n<!-- /cms:paragraph -->',
  status: 'publish',
})

const requests: { readonly [kind in WriteKind]: { readonly path: string; readonly body: object } } = {
  create: { path: '/cms/v2/posts', body: postBody() },
  update: { path: `/cms/v2/posts/${changedPost}`, body: { title: 'Another title' } },
  batch: {
    path: '/batch/v1',
    body: {
      requests: Array.from({ length: 25 }, () => ({ method: 'POST', path: '/cms/v2/posts', body: postBody() })),
    },
  },
}

export async function bareWrites({ api, file, authorization }: PostSite, kind: WriteKind): Promise<BareWrite> {
  const database = new DatabaseSync(file)
  for (const pragma of settings) database.exec(`pragma ${pragma}`)
  const before = stateOf(database)
  const { path, body } = requests[kind]
  const headers = { authorization, 'content-type': 'application/json' }
  const url = `https://quay.example/api${path}`
  const response = await api.fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
  if (!response.ok) throw new Error(`${kind}: ${response.status} ${await response.text()}`)
  const text = await response.text()
  const after = stateOf(database)
  for (const table of otherTables) {
    if (after.counts[table] !== before.counts[table]) throw new Error(`${kind} writes to ${table}, which is not copied`)
  }
  const writes = [
    ...tables.flatMap((table) => copies(database, table, before.lastIds[table] ?? 0)),
    ...(kind === 'update' ? [change(database, before.changed, after.changed)] : []),
  ]
  const [begin, commit] = [database.prepare('begin immediate'), database.prepare('commit')]
  return {
    run: () => {
      begin.run()
      for (const write of writes) write()
      commit.run()
    },
    head: [...response.headers].flat().concat('Content-Length', String(Buffer.byteLength(text))),
    body: text,
  }
}

function stateOf(database: DatabaseSync) {
  const numberOf = (sql: string) => Number(database.prepare(sql).get()?.['n'])
  const lastIds: Record<string, number> = {}
  for (const table of tables) lastIds[table] = numberOf(`select coalesce(max(id), 0) n from ${table}`)
  const counts: Record<string, number> = {}
  for (const table of otherTables) counts[table] = numberOf(`select count(*) n from ${table}`)
  const changed = database.prepare('select * from posts where id = ?').get(changedPost) as Row
  return { lastIds, counts, changed }
}

let writeCount = 0

/** Inserts the rows of a table after an id once more, with new slugs. */
function copies(database: DatabaseSync, table: string, after: number): (() => void)[] {
  const rows = database.prepare(`select * from ${table} where id > ?`).all(after) as Row[]
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'id')
  if (columns.length === 0) return []
  const insert = database.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  return rows.map((row) => () => {
    const slug = `harbour-copies-${++writeCount}`
    insert.run(...columns.map((name) => (name === 'slug' ? slug : (row[name] as SQLInputValue))))
  })
}

/** Updates the columns that the write changed, with a new title each time. */
function change(database: DatabaseSync, before: Row, after: Row): () => void {
  const columns = Object.keys(after).filter((name) => after[name] !== before[name] && name !== 'version')
  const update = database.prepare(
    `update posts set ${columns.map((name) => `${name} = ?`).join(', ')}, version = version + 1 where id = ?`,
  )
  let id = 0
  return () => {
    const title = `another title ${++writeCount}`
    id = (id % 1000) + 1
    update.run(...columns.map((name) => (name.startsWith('title') ? title : (after[name] as SQLInputValue))), id)
  }
}
