/** Creating 25 posts on SQLite: as one batch, as separate calls, and as bare prepared inserts of equal rows. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { createSiteApi, d1, type SiteApi } from '../src/index.ts'
import { createContent, siteUrl } from './content.ts'
import type { Contender, Contenders } from './measure.ts'

const size = 25

interface Prepared {
  readonly api: SiteApi
  readonly file: string
  readonly as: number
}

async function prepare(): Promise<Prepared> {
  const { storage, file, dispose } = await createContent(100)
  process.on('exit', dispose)
  const api = createSiteApi({ storage, profile: d1, url: siteUrl })
  // The first run of the tasks beside requests would hold the lock that the bare inserts want.
  await api.site.runDue()
  const { id } = await api.site.users.create({ login: 'ed', email: 'ed@quay.example', roles: ['editor'] })
  return { api, file, as: id }
}

let seed = 1000

/** A short post, as automations create it. */
function newPost() {
  seed++
  const content = `<!-- cms:paragraph -->\n<p>The boats of day ${seed} came in late.</p>\n<!-- /cms:paragraph -->`
  return { title: `Harbour notes ${seed}`, content, status: 'publish' }
}

const newPosts = () => Array.from({ length: size }, newPost)

const contender = (run: () => unknown): Contender => ({
  operations: size,
  clock: 'wall',
  cases: { 'create a post': run },
})

async function createInBatch({ api, as }: Prepared): Promise<void> {
  const requests = newPosts().map((body) => ({ method: 'POST', path: '/cms/v2/posts', body }))
  const { data } = await api.call<{ responses: { status: number }[] }>('POST', '/batch/v1', { requests }, { as })
  const failed = data.responses.find(({ status }) => status !== 201)
  if (failed) throw new Error(JSON.stringify(failed))
}

export const contenders: Contenders = {
  batch: async () => {
    const prepared = await prepare()
    return contender(() => createInBatch(prepared))
  },

  'separate calls': async () => {
    const { api, as } = await prepare()
    return contender(async () => {
      for (const body of newPosts()) await api.call('POST', '/cms/v2/posts', body, { as })
    })
  },

  'bare inserts': async () => {
    const prepared = await prepare()
    await createInBatch(prepared)
    return contender(bareInserts(prepared.file))
  },
}

/**
 * Inserts copies of all rows that the batch has written, the one with its events too, with new slugs: into the same tables, so with the
 * same indexes and triggers, over a connection with the settings of the storage. What it leaves out is what the batch decides and answers.
 */
function bareInserts(file: string): () => void {
  const database = new DatabaseSync(file)
  database.exec('pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory')
  const inserts = [copies(database, 'posts', size), copies(database, 'records', 1)]
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  return () => {
    begin.run()
    for (const insert of inserts) insert()
    commit.run()
  }
}

/** Inserts the last rows of a table once more. */
function copies(database: DatabaseSync, table: string, count: number): () => void {
  const rows = database.prepare(`select * from ${table} order by id desc limit ?`).all(count)
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'id')
  const insert = database.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  return () => {
    for (const row of rows) {
      const values = columns.map((name) => (name === 'slug' ? `harbour-notes-${++seed}` : row[name]) as SQLInputValue)
      insert.run(...values)
    }
  }
}
