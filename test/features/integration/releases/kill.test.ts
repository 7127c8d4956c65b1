/** A process that is killed in the middle of publishing, or of undoing, leaves all of a release or nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { full } from '../../../../src/profiles/full.ts'
import { postgresStorage } from '../../../../src/storage/postgres.ts'
import { sqliteStorage } from '../../../../src/storage/sqlite.ts'
import { isFullRun } from '../../../support/generated-cases.ts'
import { newSchema, postgresPool, postgresUrl } from '../../../support/postgres.ts'
import { smallSite } from '../../../support/small-site.ts'
import { emptyFile } from '../../../support/storage.ts'

const project = process.env['TEST_STORAGE'] ?? 'memory'
const script = fileURLToPath(new URL('./publish-server.ts', import.meta.url))
/** Kills before each of these calls of the storage; the last one is beyond the transaction. */
const calls = [...(isFullRun ? Array.from({ length: 30 }, (_, at) => at + 1) : [8, 16, 24]), 1000]

async function place(): Promise<readonly [string, string]> {
  if (project === 'postgres') {
    const schema = newSchema()
    onTestFinished(async () => void (await postgresPool().query(`drop schema if exists ${schema} cascade`)))
    return [postgresUrl(), schema]
  }
  const folder = mkdtempSync(join(tmpdir(), 'site-api-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  copyFileSync(await emptyFile(), join(folder, 'site.db'))
  return [join(folder, 'site.db'), '']
}

async function run(args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, ['--experimental-strip-types', '--no-warnings', script, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [code, signal] = await once(child, 'exit')
  return signal ?? code
}

type Action = 'publish' | 'undo'

interface Released {
  /** The place of the storage, and the schema of PostgreSQL. */
  readonly place: readonly [string, string]
  readonly release: number
  /** The values that the site shows, each once, and the state of the release. */
  readonly state: () => Promise<readonly string[]>
}

async function released(action: Action): Promise<Released> {
  const [where, schema] = await place()
  const storage = schema === '' ? sqliteStorage(where) : postgresStorage(where, { schema })
  const api = createSiteApi({ storage, profile: full, url: 'https://quay.example' })
  onTestFinished(() => api.close())
  await api.site.seed(smallSite)
  const { id: release } = await api.site.releases.create('Summer')
  const ids: number[] = []
  const as = 'system'
  for (let at = 0; at < 5; at++) {
    const { data } = await api.call('POST', '/cms/v2/pages', { title: `Old ${at}`, status: 'publish' }, { as })
    ids.push(data.id)
    await api.call('POST', '/cms/v2/pages/{id}', { id: data.id, title: `New ${at}` }, { as, release })
  }
  await api.call('POST', '/cms/v2/settings', { description: 'New' }, { as, release })
  if (action === 'undo') await api.site.releases.publish(release)
  const state = async () => {
    const { data } = await api.call('GET', '/cms/v2/pages', { include: ids, order: 'asc', per_page: 10 })
    const { data: site } = await api.call('GET', '/cms/v2/settings', {}, { as })
    const [found] = await api.site.releases.list()
    const titles = data.map(({ title }) => title.rendered.split(' ')[0] as string)
    return [...new Set([...titles, site.description === 'New' ? 'New' : 'Old']), found?.state ?? '']
  }
  return { place: [where, schema], release, state }
}

const states = {
  publish: [
    ['Old', 'draft'],
    ['New', 'published'],
  ],
  undo: [
    ['New', 'published'],
    ['Old', 'undone'],
  ],
} as const

describe.runIf(project !== 'memory')(`a process on ${project}`, () => {
  test.each(['publish', 'undo'] as const)(
    'leaves all or nothing when it is killed: %s',
    { timeout: 600_000 },
    async (action) => {
      const { place: where, release, state } = await released(action)
      const [before, after] = states[action]
      for (const call of calls) {
        const ended = await run([...where, action, String(release), String(call)])
        expect(ended, `call ${call}`).toBe(call === calls.at(-1) ? 0 : 'SIGKILL')
        expect(await state(), `killed before call ${call}`).toEqual(ended === 0 ? after : before)
      }
    },
  )
})
