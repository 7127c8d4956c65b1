/** Maintains a SQLite file: checks it with repair, backs it up while it is served, and restores it. */

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type CheckReport, counters, differenceText, type Progress } from '../counters.ts'
import { type Connection, inTransaction, perform } from './driver.ts'
import { isBusy } from './failures.ts'
import { assertOurs } from './identity.ts'
import { assertKnownVersion, migrate } from './migrate.ts'
import { openSqlite } from './open.ts'
import { schemaProblems } from './schema-check.ts'

const BUSY_MS = 10_000

/** The parts of totals may have been wrong. */
const changeAllTypes = `insert into post_changes (type, version) select distinct type, 1 from post_counts where true
  on conflict do update set version = version + 1`

interface FileCheck {
  readonly repair: boolean
  readonly progress?: Progress | undefined
}

/** Reads every page, compares counters and schema with what they should be, and mends what it can. */
export function checkFile(file: string, { repair, progress = () => undefined }: FileCheck): CheckReport {
  const connection = openSqlite(file, { busyMs: BUSY_MS })
  try {
    assertOurs(connection)
    if (repair) migrate(connection)
    else perform(connection, assertKnownVersion())
    return inTransaction(connection, repair ? 'write' : 'read', () => reportOn(connection, { repair, progress }))
  } finally {
    connection.close()
  }
}

function reportOn(connection: Connection, { repair, progress }: Required<FileCheck>): CheckReport {
  const known = counters({ prefix: '', hasRoleTable: true })
  const tell = (done: number) => progress?.(done, known.length + 2)
  tell(0)
  const problems = pageProblems(connection)
  const repaired: string[] = []
  tell(1)
  for (const { text, mend } of perform(connection, schemaProblems())) {
    const list = mend ? repaired : problems
    list.push(text)
    if (repair) run(connection, mend)
  }
  // Counters can not be compared where a table is missing.
  if (problems.length === 0) repaired.push(...counterDifferences(connection, { known, repair, tell }))
  tell(known.length + 2)
  return { repaired, problems }
}

function pageProblems(connection: Connection): string[] {
  const all = (sql: string) => connection.prepare(sql).all([])
  const integrity = all('pragma integrity_check').map(([text]) => String(text))
  const dangling = all('pragma foreign_key_check').map(([table, row]) => `a row of ${table} refers to none: ${row}`)
  return [...(integrity.join() === 'ok' ? [] : integrity), ...dangling]
}

interface CounterCheck {
  readonly known: ReturnType<typeof counters>
  readonly repair: boolean
  readonly tell: (done: number) => void
}

/** All are made anew when one is wrong: triggers carry the change of one into the next. */
function counterDifferences(connection: Connection, { known, repair, tell }: CounterCheck): string[] {
  const found = known.flatMap(({ name, differences }, at) => {
    tell(at + 2)
    const rows = connection.prepare(differences).all([])
    return rows.map((row) => differenceText(name, row))
  })
  if (repair && found.length > 0) {
    for (const { rebuild } of known) run(connection, rebuild)
    connection.exec(changeAllTypes)
  }
  return found
}

function run(connection: Connection, statements: readonly string[] = []): void {
  for (const sql of statements) connection.exec(sql)
}

/** A file that is not what an operation needs. Recognised by `code`. */
class MaintenanceError extends Error {
  readonly code = 'storage_maintenance'
}

/**
 * Copies a file page by page while it is served; the copy is the state of one moment. It gets its name when it is whole and
 * on the disk.
 */
export async function backupFile(file: string, target: string, progress?: Progress): Promise<void> {
  if (existsSync(target)) throw new MaintenanceError(`${target} exists already: choose another name`)
  await copyInto(file, target, progress)
}

/** Puts a backup in the place of a file that no process has open. The file that was there is kept beside it. */
export async function restoreFile(
  backup: string,
  file: string,
  progress?: Progress,
): Promise<{ readonly kept: string | undefined }> {
  assertSound(backup)
  const partial = `${file}.restoring`
  const kept = existsSync(file) ? `${file}.before-restore` : undefined
  if (kept !== undefined) {
    if (existsSync(kept)) throw new MaintenanceError(`${kept} is there from an earlier restore: move it away first`)
    assertUnused(file)
  }
  await copyInto(backup, partial, progress)
  if (kept !== undefined) renameSync(file, kept)
  // Logs of a file that is gone belong to no other.
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true })
  renameSync(partial, file)
  syncFolder(file)
  return { kept }
}

async function copyInto(source: string, target: string, progress: Progress = () => undefined): Promise<void> {
  const sqlite = process.getBuiltinModule?.('node:sqlite')
  if (sqlite?.backup === undefined) throw new MaintenanceError('copying a database needs node:sqlite of Node 22.16')
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  const database: DatabaseSync = new sqlite.DatabaseSync(source, { timeout: BUSY_MS })
  const total = statSync(source).size
  const bytesIn = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const timer = setInterval(() => progress(Math.min(bytesIn(partial), total - 1), total), 250)
  try {
    // All pages in one step: a step in between would begin anew whenever another process writes.
    await sqlite.backup(database, partial, { rate: 2 ** 31 - 1 })
    progress(total, total)
    assertSound(partial)
    renameSync(partial, target)
    syncFolder(target)
  } finally {
    clearInterval(timer)
    database.close()
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(partial + end, { force: true })
  }
}

/** Throws unless it is a whole database of this package, of a version that is known. */
function assertSound(file: string): void {
  if (!existsSync(file)) throw new MaintenanceError(`there is no file ${file}`)
  const connection = openSqlite(file, { busyMs: BUSY_MS })
  try {
    assertOurs(connection)
    const all = (sql: string) => connection.prepare(sql).all([])
    if (all("select 1 from sqlite_master where name = 'schema_versions'").length === 0) {
      throw new MaintenanceError(`${file} holds no site`)
    }
    perform(connection, assertKnownVersion())
    const [first] = all('pragma integrity_check(1)')
    if (first?.[0] !== 'ok') throw new MaintenanceError(`${file} is damaged: ${first?.[0]}`)
  } finally {
    connection.close()
  }
}

/** Empties the write-ahead log into the file, which only the last process can. */
function assertUnused(file: string): void {
  const connection = openSqlite(file, { busyMs: 0 })
  try {
    assertOurs(connection)
    connection.exec('pragma locking_mode = exclusive')
    connection.exec('begin exclusive')
    connection.exec('commit')
    connection.prepare('pragma wal_checkpoint(truncate)').all([])
  } catch (error) {
    if (isBusy(error)) throw new MaintenanceError(`a process has ${file} open: end it first`)
    throw error
  } finally {
    connection.close()
  }
}

/** A new name is on the disk only when its folder is. */
function syncFolder(file: string): void {
  // Windows opens no folders.
  if (process.platform === 'win32') return
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
