/** Notices that the file of a database is no longer the opened one: later writes would be lost. */
import { realpathSync, statSync } from 'node:fs'
import { StorageUnavailable } from '../../../contract/storage.ts'

export interface FileIdentity {
  /** Equal for all names of the file; undefined for a name that is no path. */
  readonly identifier: string | undefined
  /** Throws a StorageUnavailable once the file, or its write-ahead log, was deleted or replaced. */
  assertSame(): void
  /** The connections to the file are closed: the next ones may have another log. */
  forgetLog(): void
}

/** Identifies the file that is open now. A name that is no path, such as a URI, is not watched. */
export function identityOf(file: string): FileIdentity {
  const opened = identifierOf(file)
  if (opened === undefined) return { identifier: opened, assertSame: () => undefined, forgetLog: () => undefined }
  // SQLite writes the log beside the file that a link names.
  const log = `${realpathSync(file)}-wal`
  let openedLog: string | undefined
  let isLost = false
  return {
    identifier: opened,
    assertSame() {
      const found = identifierOf(log)
      openedLog ??= found
      isLost ||= identifierOf(file) !== opened || found !== openedLog
      if (isLost) throw replaced(file)
    },
    forgetLog() {
      openedLog = undefined
    },
  }
}

function identifierOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}.${found.ino}`
}

const replaced = (file: string) =>
  new StorageUnavailable(
    `the SQLite file ${file} was deleted or replaced while it was open; restart the process to open what is there now`,
    { written: 'no' },
  )
