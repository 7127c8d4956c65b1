/** Reads and seeds site documents, and writes the ids of `--ids-out`. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { SiteManagement } from '../management/index.ts'
import type { SeededIds } from '../management/transfer/seed.ts'
import { CliError } from './command.ts'

export function readDocument(file: string | URL): unknown {
  const name = file instanceof URL ? file.pathname : file
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CliError(`there is no file ${name}`)
    if (error instanceof SyntaxError) throw new CliError(`${name} is not valid JSON: ${oneLine(message)}`)
    throw new CliError(`${name} can not be read: ${oneLine(message)}`)
  }
}

/** Seeds documents that complete each other. Throws a one-line CliError for a mistake in it and for a storage that is not empty. */
export async function seedFrom(
  site: SiteManagement,
  documents: readonly unknown[],
  names: readonly string[],
  baseUrl: string,
): Promise<SeededIds> {
  try {
    return await site.seed(documents.length === 1 ? documents[0] : documents, {
      baseUrl,
      progress: progressOn(process.stderr),
    })
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
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

/** Only on a terminal, and only for large documents. */
function progressOn(stream: NodeJS.WriteStream): ((done: number, total: number) => void) | undefined {
  if (!stream.isTTY) return undefined
  return (done, total) => {
    if (total < 1000) return
    stream.write(done < total ? `\rwriting ${done} of ${total} ` : '\r\x1b[K')
  }
}
