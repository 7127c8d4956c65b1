/** The import of a long file has bounded memory. */
import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { author, category, fileEnd, fileStart, item } from './export-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-api-import-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const words = 'harbour tide ferry quay lamp rope signal pilot wave gull anchor deck'.split(' ')
const paragraph = (seed: number) => Array.from({ length: 12 }, (_, at) => words[(seed * 7 + at * at) % 12]).join(' ')
const content = (seed: number) =>
  Array.from(
    { length: 60 },
    (_, at) => `<!-- wp:paragraph --><p>${seed} ${paragraph(seed + at)}.</p><!-- /wp:paragraph -->`,
  ).join('\n')

function* madeFile(bytes: number): Generator<string> {
  yield fileStart + author('ann', 'ann@old.example', 'Ann') + category('boats', 'Boats')
  let length = 0
  for (let id = 1; length < bytes; id++) {
    const text = item({
      ...{ id, content: content(id), terms: [['category', 'boats', 'Boats']], meta: [['_thumbnail_id', `${id + 1}`]] },
      // Every tenth item refers to a page that comes later.
      ...(id % 10 === 0 ? { type: 'page', parent: id + 10 } : {}),
    })
    length += text.length
    yield text
  }
  yield fileEnd
}

function imported(file: string, earlyBytes: number) {
  const script = fileURLToPath(new URL('process.ts', import.meta.url))
  // The heap is small, because with more room the engine delays garbage collection.
  const heap = ['--max-old-space-size=96', '--max-semi-space-size=4', '--expose-gc']
  const flags = ['--disable-warning=ExperimentalWarning', ...heap]
  const args = [...flags, script, join(folder, 'site.db'), file, String(earlyBytes)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  return new Promise<{ atEarly: number; atLate: number; counts: object }>((resolve, reject) => {
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`ended with ${code}`))))
  })
}

const megabyte = 1_000_000
const runs = process.env['TEST_STORAGE'] === 'sqlite' ? test : test.skip

// One storage is enough: the memory storage holds all rows, and PostgreSQL is another process.
runs('the process holds little more after 50 MB than after 5', { timeout: 300_000 }, async () => {
  const file = join(folder, 'export.xml')
  await pipeline(Readable.from(madeFile(50 * megabyte)), createWriteStream(file))
  const { atEarly, atLate, counts } = await imported(file, 5 * megabyte)
  expect(counts).toMatchObject({ posts: { created: expect.any(Number) }, pages: { created: expect.any(Number) } })
  expect(atEarly).toBeGreaterThan(0)
  expect((atLate - atEarly) / megabyte).toBeLessThan(64)
})
