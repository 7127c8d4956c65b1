/** From `--storage` to a storage. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Storage } from '../storage/contract.ts'
import { memoryStorage } from '../storage/memory/index.ts'
import { sqliteStorage } from '../storage/sqlite.ts'
import { CliError, UsageError } from './command.ts'

export const storageForms = 'memory, sqlite:FILE or postgres://...'

/** The file of `sqlite:FILE`; undefined for memory. */
export function fileOf(text: string): string | undefined {
  if (text === 'memory') return undefined
  if (/^postgres(?:ql)?:/.test(text)) {
    throw new CliError('PostgreSQL is not in this version yet: use --storage sqlite:FILE')
  }
  const file = /^sqlite:(.+)$/.exec(text)?.[1]
  if (file === undefined) throw new UsageError(`--storage must be ${storageForms}, not ${text}`)
  return file
}

/** Open and ready. With `mustExist` a file is never made. */
export async function openStorage(text: string, { mustExist = false } = {}): Promise<Storage> {
  const file = fileOf(text)
  if (file !== undefined) checkFile(file, mustExist)
  const storage = file === undefined ? memoryStorage() : sqliteStorage(file)
  try {
    await storage.open?.()
  } catch (error) {
    throw new CliError(`${text} can not be opened: ${error instanceof Error ? error.message : String(error)}`)
  }
  return storage
}

export function checkFile(file: string, mustExist: boolean): void {
  if (file === ':memory:') return
  if (mustExist && !existsSync(file)) throw new CliError(`there is no file ${file}: make it with site-api seed`)
  if (!existsSync(dirname(file))) throw new CliError(`there is no folder ${dirname(file)}: make it first`)
}
