/** Commands on a full disk, or where they may not write: one line on stderr, exit code 1, and nothing half done. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { smallSite } from '../support/small-site.ts'
import { endAll, main, run } from './process.ts'

// Each test starts its own processes.
vi.setConfig({ testTimeout: 60_000 })

let folder: string
let document: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-api-cli-failures-'))
  document = join(folder, 'site.json')
  writeFileSync(document, JSON.stringify(smallSite))
  // No process can make a folder below a file, root neither.
  writeFileSync(join(folder, 'file'), '')
})
afterEach(endAll)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const oneLine = /^site-api: [^\n]+\n$/

test('seed into a place that can hold no file', async () => {
  const { code, err } = await run('seed', document, '--storage', `sqlite:${join(folder, 'file/site.db')}`)
  expect([code, err]).toEqual([1, expect.stringMatching(oneLine)])
})

test('seed with files where the folder of uploads can not be written leaves no storage', async () => {
  const own = mkdtempSync(join(folder, 'blocked-'))
  writeFileSync(join(own, 'uploads'), '')
  const file = {
    key: 'tide',
    slug: 'tide',
    title: 'Tide',
    file: '2024/06/tide.txt',
    mime_type: 'text/plain',
    data: 'aGlnaA==',
  }
  const seed = join(own, 'seed.json')
  writeFileSync(seed, JSON.stringify({ media: [{ ...file, date: '2024-06-01T10:00:00' }] }))
  const { code, err } = await run('seed', seed, '--storage', `sqlite:${join(own, 'site.db')}`)
  expect([code, err]).toEqual([1, expect.stringMatching(oneLine)])
  expect(readdirSync(own).toSorted()).toEqual(['seed.json', 'uploads'])
})

test.runIf(existsSync('/dev/full'))('export and help to a full disk', async () => {
  const storage = `sqlite:${join(folder, 'site.db')}`
  expect((await run('seed', document, '--storage', storage)).code).toBe(0)
  for (const args of [['export', '--storage', storage], ['help']]) {
    const full = openSync('/dev/full', 'w')
    const command = ['--disable-warning=ExperimentalWarning', main, ...args]
    const { status, stderr } = spawnSync(process.execPath, command, { stdio: ['ignore', full, 'pipe'] })
    expect([status, String(stderr)]).toEqual([
      1,
      expect.stringMatching(/^site-api: the output can not be written: ENOSPC[^\n]*\n$/),
    ])
  }
})
