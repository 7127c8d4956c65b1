/** Parses `--storage` and opens the storage. */
import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Storage } from '../contract/storage.ts'
import { memoryStorage } from '../storage/memory/index.ts'
import { type PostgresOptions, postgresStorage } from '../storage/postgres.ts'
import { readingThreadStorage } from '../storage/reading-thread.ts'
import { sqliteStorage } from '../storage/sqlite.ts'
import { CliError, UsageError } from './command.ts'

const storageForms = 'memory, sqlite:FILE or postgres://...'

export type StorageForm =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly file: string }
  /** `?schema=NAME` names the schema of the tables, `prepares=false` is for poolers; the rest is the server's. */
  | { readonly kind: 'postgres'; readonly url: string; readonly options: PostgresOptions }

export function formOf(text: string): StorageForm {
  if (text === 'memory') return { kind: 'memory' }
  if (/^postgres(?:ql)?:\/\//.test(text)) return postgresForm(text)
  const file = /^sqlite:(.+)$/.exec(text)?.[1]
  if (file === undefined) throw new UsageError(`--storage must be ${storageForms}, not ${shown(text)}`)
  return { kind: 'sqlite', file }
}

export const isMemory = (text: string): boolean => formOf(text).kind === 'memory'

/** Hides the password of a storage, for messages. */
export const shown = (text: string): string => text.replace(/^(\w+:\/\/[^/@:]*):[^@/]*@/, '$1:***@')

/** Opens a storage. With `mustExist` no file is created. */
export async function openStorage(text: string, { mustExist = false } = {}): Promise<Storage> {
  const form = formOf(text)
  if (form.kind === 'sqlite') checkFile(form.file, mustExist)
  const storage = storageOf(form)
  try {
    await storage.open?.()
  } catch (error) {
    throw new CliError(`${shown(text)} can not be opened: ${reasonOf(error)}`)
  }
  return storage
}

function storageOf(form: StorageForm): Storage {
  switch (form.kind) {
    case 'memory':
      return memoryStorage()
    case 'sqlite':
      return readingThreadStorage(sqliteStorage(form.file))
    case 'postgres':
      return postgresStorage(form.url, form.options)
  }
}

function postgresForm(text: string): StorageForm {
  if (!URL.canParse(text)) throw new UsageError(`--storage must be an address like postgres://user@host/name`)
  const url = new URL(text)
  const schema = url.searchParams.get('schema')
  const prepares = url.searchParams.get('prepares') ?? 'true'
  if (prepares !== 'true' && prepares !== 'false') throw new UsageError('prepares in --storage must be true or false')
  for (const name of ['schema', 'prepares']) url.searchParams.delete(name)
  const options = { ...(schema === null ? {} : { schema }), ...(prepares === 'false' ? { prepares: false } : {}) }
  return { kind: 'postgres', url: url.href, options }
}

const newFileOf = (text: string): string | undefined => {
  const form = formOf(text)
  return form.kind === 'sqlite' && form.file !== ':memory:' && !existsSync(form.file) ? form.file : undefined
}

/** Whether the storage is a SQLite file that is not there yet. */
export const isMissingFile = (text: string): boolean => newFileOf(text) !== undefined

/** Runs `work`, and removes the SQLite file when it fails, unless the file was there before. */
export async function removingNewFile<T>(text: string, work: () => Promise<T>): Promise<T> {
  const file = newFileOf(text)
  try {
    return await work()
  } catch (error) {
    if (file !== undefined) for (const end of ['', '-wal', '-shm']) removeQuietly(file + end)
    throw error
  }
}

/** The failure that is reported is that of the work. */
function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {}
}

export function checkFile(file: string, mustExist: boolean): void {
  if (file === ':memory:') return
  if (mustExist && !existsSync(file)) throw new CliError(`there is no file ${file}: make it with site-api seed`)
  if (!existsSync(dirname(file))) throw new CliError(`there is no folder ${dirname(file)}: make it first`)
}

/** A failed connection to all addresses of a name is an AggregateError without a message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ')
  const { code, message, reason } = error as NodeJS.ErrnoException & { readonly reason?: string }
  if (code === 'storage_not_opened' && reason !== undefined) return reason
  if (code === 'ERR_MODULE_NOT_FOUND') return 'it needs the package pg: npm install pg'
  return error instanceof Error ? message : String(error)
}
