/** Seed and export of a site of any size have bounded memory. */
import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-api-transfer-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const megabyte = 1_000_000
const words = 'harbour tide ferry quay lamp rope signal pilot wave gull anchor deck'.split(' ')
const textOf = (seed: number, length: number) => `${words[seed % 12]} ${words[(seed * 7) % 12]} `.repeat(length / 12)

/** Posts of 16 kB, each tenth with a parent that comes later and with revisions. */
function* madeFile(bytes: number): Generator<string> {
  yield '{"categories":[{"key":"boats","slug":"boats","name":"Boats"}],"posts":['
  const count = Math.round(bytes / 16_000)
  for (let n = 0; n < count; n++) {
    const related =
      n % 10 === 0 && n + 5 < count
        ? { parent: `p${n + 5}`, revisions: [{ date: '2024-01-01T00:00:00', content: textOf(n, 2000) }] }
        : {}
    const entry = { key: `p${n}`, categories: ['boats'], meta: { _n: n }, content: textOf(n, 15_500), ...related }
    yield `${n === 0 ? '' : ','}${JSON.stringify(entry)}`
  }
  yield ']}'
}

/** Seeds and exports in another process; returns the highest memory that it has held, and the exported file. */
async function transferred(bytes: number) {
  const [file, target] = [join(folder, `${bytes}.json`), join(folder, `${bytes}.out.json`)]
  await pipeline(Readable.from(madeFile(bytes)), createWriteStream(file))
  const script = fileURLToPath(new URL('transfer-process.ts', import.meta.url))
  // The heap is small, because with more room the engine delays garbage collection.
  const heap = ['--max-old-space-size=96', '--max-semi-space-size=4', '--expose-gc']
  const args = ['--disable-warning=ExperimentalWarning', ...heap, script, join(folder, `${bytes}.db`), file, target]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  await new Promise<void>((resolve, reject) => {
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`ended with ${code}`))))
  })
  return { highest: (JSON.parse(out) as { highest: number }).highest, target }
}

const runs = process.env['TEST_STORAGE'] === 'sqlite' ? test : test.skip
const large = (process.env['LARGE_MEGABYTES'] === undefined ? 100 : Number(process.env['LARGE_MEGABYTES'])) * megabyte

// One storage is enough: the memory storage holds all rows, and PostgreSQL is another process.
runs('a process that seeds and exports much holds little more than with 5 MB', { timeout: 600_000 }, async () => {
  const small = await transferred(5 * megabyte)
  expect(JSON.parse(readFileSync(small.target, 'utf8')).posts).toHaveLength(313)
  const much = await transferred(large)
  expect(statSync(much.target).size).toBeGreaterThan(large * 0.9)
  // Garbage that is not collected yet varies by some 50 MB; the document as values of the engine is 200 MB and more.
  expect((much.highest - small.highest) / megabyte).toBeLessThan(80)
})
