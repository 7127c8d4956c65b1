/** Writes the lines of a recording, and the bodies of files beside it: on Node, Bun and Deno. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface JournalFile {
  append(line: object): void
  /** Returns the name of the file, from the folder of the recording. */
  keep(bytes: Uint8Array): string
}

/** Replaces a file that is there. Throws where it can not be written. */
export function createJournalFile(file: string): JournalFile {
  // Readable for its owner alone: the texts of the site are in it.
  writeFileSync(file, '', { mode: 0o600 })
  return {
    append: (line) => appendFileSync(file, `${JSON.stringify(line)}\n`),
    keep(bytes) {
      const name = createHash('sha256').update(bytes).digest('hex')
      const folder = `${file}.files`
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(join(folder, name), bytes, { mode: 0o600 })
      return join(basename(folder), name)
    },
  }
}

export const joinPieces = (pieces: readonly Uint8Array[]): Uint8Array => Buffer.concat(pieces)

/** Reads the package.json above this file, in the sources and in the package that is built of them. */
export function packageVersion(): string {
  for (const path of ['../package.json', '../../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
      if (name === 'site-api') return version
    } catch {}
  }
  return 'unknown'
}
