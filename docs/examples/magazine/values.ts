/** Stores meta and options in one table: values by owner, id and key. */
import { type Json, jsonText, type MetaOwner, type MetaStore, type OptionStore } from 'site-api/storage'
import { isOneOf } from './rows.ts'
import type { Session } from './session.ts'
import { and, sql } from './sql.ts'

interface Entry {
  readonly id: number
  readonly key: string
  readonly value: Json
}

const owners: readonly string[] = ['post', 'user', 'term']

function checkedOwner(owner: MetaOwner): string {
  if (!owners.includes(owner)) throw new TypeError(`${owner} has no meta`)
  return owner
}

export function metaStore(session: Session): MetaStore {
  return {
    read: async (owner, ids, keys) => {
      const where = and([sql`owner = ${checkedOwner(owner)} and id = any(${ids}::bigint[])`, isOneOf(sql`key`, keys)])
      return session.query<Entry>(
        sql`select id, key, value from site_values where ${where} order by id, key collate "C"`,
      )
    },
    write: async (owner, entries) => {
      const checked = checkedOwner(owner)
      await session.atomic((inside) => write(inside, checked, entries))
    },
  }
}

export function optionStore(session: Session): OptionStore {
  return {
    read: async (names) => {
      const rows = await session.query<Entry>(
        sql`select key, value from site_values where ${and([sql`owner = 'option'`, isOneOf(sql`key`, names)])}`,
      )
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
    },
    write: async (values) => {
      const entries = Object.entries(values).map(([key, value]) => ({ id: 0, key, value }))
      await session.atomic((inside) => write(inside, 'option', entries))
    },
    swap: (name, expected, next) =>
      session.atomic(async (inside) => {
        const [stored] = await inside.query<{ isExpected: boolean }>(
          sql`select coalesce((select value from site_values where owner = 'option' and key = ${name}), 'null')::jsonb
            = ${jsonText(expected)}::jsonb as "isExpected"`,
        )
        if (!stored?.isExpected) return false
        await write(inside, 'option', [{ id: 0, key: name, value: next }])
        return true
      }),
  }
}

async function write(session: Session, owner: string, entries: readonly Entry[]): Promise<void> {
  // The last of several entries for a key wins. An undefined value counts as absent.
  const last = new Map(
    entries.filter(({ value }) => value !== undefined).map((entry) => [`${entry.id} ${entry.key}`, entry]),
  )
  const values = jsonText([...last.values()].map(({ id, key, value }) => ({ id, key, value })))
  const written = sql`json_to_recordset(${values}::json) as written (id bigint, key text, value json)`
  await session.query(
    sql`delete from site_values stored using ${written}
      where stored.owner = ${owner} and stored.id = written.id and stored.key = written.key and written.value is null`,
  )
  await session.query(
    sql`insert into site_values select ${owner}, id, key, value from ${written} where value is not null
      on conflict (owner, id, key) do update set value = excluded.value`,
  )
}
