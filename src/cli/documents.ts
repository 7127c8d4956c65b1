/** Reads and seeds site documents, and writes the ids of `--ids-out`. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ManagedSite } from '../management/index.ts'
import type { DocumentFile } from '../management/transfer/json-index.ts'
import type { SeededIds } from '../management/transfer/seed.ts'
import { CliError } from './command.ts'
import { progressOf } from './progress.ts'

/** A file of any size; a pipe is read whole. */
export function readDocument(file: string): DocumentFile {
  try {
    const stats = statSync(file)
    return stats.isFile() ? fileParts(file, stats.size) : new Blob([readFileSync(file)])
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CliError(`there is no file ${file}`)
    throw new CliError(`${file} can not be read: ${oneLine(message)}`)
  }
}

const fileParts = (file: string, size: number): DocumentFile => ({
  size,
  slice: (start, end) => ({
    async arrayBuffer() {
      const handle = await open(file).catch((error: Error) => {
        throw new CliError(`${file} can not be read: ${oneLine(error.message)}`)
      })
      try {
        const bytes = new Uint8Array(end - start)
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
        if (bytesRead < bytes.length) throw new CliError(`${file} has become shorter while it was read`)
        return bytes.buffer
      } finally {
        await handle.close()
      }
    },
  }),
})

/** Seeds documents that complete each other. Throws a one-line CliError for a mistake in it and for a storage that is not empty. */
export async function seedFrom(
  site: ManagedSite,
  documents: readonly DocumentFile[],
  names: readonly string[],
  baseUrl: string,
): Promise<SeededIds> {
  try {
    return await site.seed(documents.length === 1 ? documents[0] : documents, {
      baseUrl,
      progress: progressOf(process.stderr, 'writing', { least: 1000 }),
    })
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    if (error instanceof SyntaxError)
      throw new CliError(`${names.join(' and ')} is not valid JSON: ${oneLine(message)}`)
    if (code === 'site_document') throw new CliError(`${names.join(' and ')} is not a site: ${message}`)
    if (code === 'site_not_empty') {
      throw new CliError(`${message}: leave --seed out to serve what is there, or choose another storage`)
    }
    throw error
  }
}

export function writeIds(file: string, ids: SeededIds): void {
  try {
    writeFileSync(file, `${JSON.stringify(ids, null, 2)}\n`)
  } catch (error) {
    throw new CliError(`${file} can not be written: ${oneLine((error as Error).message)}`)
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')
