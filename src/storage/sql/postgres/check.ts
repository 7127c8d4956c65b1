/** Compares the counters of a schema with its rows, and makes wrong ones anew. The pages are checked by tools of the server. */

import { type CheckReport, counters, differenceText, type Progress } from '../counters.ts'
import { markAllTypes } from '../schema/postgres.ts'
import type { PostgresConnection } from './connection.ts'
import { assertSchemaVersion, inTransaction } from './migrate.ts'

interface CheckedSchema {
  readonly schema: string
  readonly quotedSchema: string
  readonly repair: boolean
  readonly progress?: Progress | undefined
}

export async function checkCounters(
  connection: PostgresConnection,
  { repair, progress, ...name }: CheckedSchema,
): Promise<CheckReport> {
  await assertSchemaVersion(connection, name)
  const repaired: string[] = []
  // Under the lock of writes, so that nothing changes between the comparison and the repair.
  await inTransaction(connection, name.schema, async () => {
    const known = counters({ prefix: `${name.quotedSchema}.`, hasRoleTable: false })
    for (const [at, { name: counter, differences }] of known.entries()) {
      progress?.(at, known.length)
      repaired.push(...(await connection.query(differences)).map((row) => differenceText(counter, row)))
    }
    progress?.(known.length, known.length)
    if (!repair || repaired.length === 0) return
    // All of them: triggers carry the change of one into the next.
    for (const sql of known.flatMap(({ rebuild }) => rebuild)) await connection.script(sql)
    await connection.script(`update ${name.quotedSchema}.changes set version = version + 1, position = position + 1`)
    await connection.script(markAllTypes(name.quotedSchema))
  })
  return { repaired, problems: [] }
}
