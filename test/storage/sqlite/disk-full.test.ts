/** A disk without room, as a limit on the size of files of a process: no mount is needed. */
import { spawnSync } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { counted } from '../../support/counted.ts'
import { isSqlite, longTimeout, temporaryFile } from './file.ts'

interface Printed {
  readonly acknowledged: readonly string[]
  readonly failures: readonly { readonly slug: string; readonly code: string; readonly written: string }[]
  /** The number of posts that the process could still read. */
  readonly readable: number
}

const kilobytes = 3000

function writeUntilFull(file: string, size: number): Printed {
  const script = fileURLToPath(new URL('disk-full-process.ts', import.meta.url))
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['-c', `ulimit -f ${kilobytes}; exec "$0" "$@"`, process.execPath, '--no-warnings', script, file, String(size)],
    { encoding: 'utf8', timeout: 50_000 },
  )
  expect(status, stderr).toBe(0)
  return JSON.parse(stdout) as Printed
}

describe.runIf(isSqlite && process.platform !== 'win32')('a disk that gets full', longTimeout, () => {
  test.each([1, 7])(
    'refuses writes, %i at once, with a code, goes on with reads, and loses nothing acknowledged',
    (size) => {
      const file = temporaryFile()
      const { acknowledged, failures, readable } = writeUntilFull(file, size)
      expect(acknowledged.length).toBeGreaterThan(10)
      expect(failures.length).toBeGreaterThan(1)
      expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['storage_unavailable']))
      expect(readable).toBeGreaterThanOrEqual(acknowledged.length)
      counted(acknowledged.length, 'acknowledged writes, none lost')
      counted(failures.length, 'refused with a code')
      const database = new DatabaseSync(file)
      try {
        const slugs = new Set(
          database
            .prepare('select slug from posts')
            .all()
            .map(({ slug }) => String(slug)),
        )
        expect(acknowledged.filter((slug) => !slugs.has(slug))).toEqual([])
        const refused = failures.filter(({ written }) => written === 'no').map(({ slug }) => slug)
        expect(refused.filter((slug) => slugs.has(slug))).toEqual([])
        expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
      } finally {
        database.close()
      }
    },
  )
})
