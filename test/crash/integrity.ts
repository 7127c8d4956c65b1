/** Checks the integrity of a database: the checks of the engine, and counters compared with the rows. */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { formOf } from '../../src/cli/storage.ts'

type Query = (sql: string) => Promise<readonly object[]>

/** Descriptions of faults; empty if there are none. */
export async function faultsOf(storageText: string): Promise<string[]> {
  const form = formOf(storageText)
  if (form.kind === 'sqlite') return sqliteFaults(form.file)
  if (form.kind === 'postgres') return postgresFaults(form.url, form.options.schema ?? 'site_api')
  return []
}

async function sqliteFaults(file: string): Promise<string[]> {
  const database = new DatabaseSync(file)
  const query: Query = async (sql) => database.prepare(sql).all()
  try {
    const integrity = JSON.stringify(await query('pragma integrity_check'))
    const keys = await query('pragma foreign_key_check')
    return [
      ...(integrity === '[{"integrity_check":"ok"}]' ? [] : [`integrity_check: ${integrity}`]),
      ...(keys.length === 0 ? [] : [`foreign_key_check: ${JSON.stringify(keys)}`]),
      ...(await counterFaults(query)),
    ]
  } finally {
    database.close()
  }
}

async function postgresFaults(url: string, schema: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set search_path = "${schema}", public`)
    await client.query('create extension if not exists amcheck schema public')
    const query: Query = async (sql) => (await client.query(sql)).rows
    const faults = await counterFaults(query)
    try {
      // Checks each index entry against its table, and each page of each table.
      await client.query(`select bt_index_parent_check(c.oid, true, true) from pg_index i
        join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
        where a.amname = 'btree' and c.relnamespace = '"${schema}"'::regnamespace`)
      const { rows } = await client.query(`select c.relname, h.msg from pg_class c, verify_heapam(c.oid) h
        where c.relkind = 'r' and c.relnamespace = '"${schema}"'::regnamespace`)
      if (rows.length > 0) faults.push(`verify_heapam: ${JSON.stringify(rows)}`)
    } catch (error) {
      faults.push(`amcheck: ${error}`)
    }
    return faults
  } finally {
    await client.end()
  }
}

async function counterFaults(query: Query): Promise<string[]> {
  const pairs = {
    posts: [
      "select type || ' ' || status as what, sum(count) as count from post_counts group by type, status having sum(count) <> 0",
      "select type || ' ' || status as what, count(*) as count from posts group by type, status",
    ],
    terms: [
      "select term_id || ' ' || type || ' ' || status as what, count from term_counts where count <> 0",
      `select x.term_id || ' ' || p.type || ' ' || p.status as what, count(*) as count
        from post_terms x join posts p on p.id = x.post_id group by x.term_id, p.type, p.status`,
    ],
  }
  const faults: string[] = []
  for (const [name, [counters = '', rows = '']] of Object.entries(pairs)) {
    const actual = texts(await query(counters))
    const expected = texts(await query(rows))
    if (actual !== expected) faults.push(`the counters of ${name} are ${actual}, the rows ${expected}`)
  }
  return faults
}

const texts = (rows: readonly object[]) =>
  rows
    .map((row) => Object.values(row).join(': '))
    .sort()
    .join(', ')
