/** Runs `r2Media` in workerd, on the buckets of miniflare. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'

const source = fileURLToPath(new URL('../../src/services/r2-media.ts', import.meta.url))
/** A worker that calls the driver with what a request names. */
const worker = `
import { r2Media } from ${JSON.stringify(source)}
const bytes = async (chunks) => new Uint8Array(await new Response(ReadableStream.from(chunks)).arrayBuffer())
export default {
  async fetch(request, { FILES }) {
    const url = new URL(request.url)
    const driver = r2Media(FILES)
    const [key, size] = [url.searchParams.get('key'), Number(url.searchParams.get('size'))]
    const [start, end] = ['start', 'end'].map((name) => Number(url.searchParams.get(name)))
    async function* pieces() {
      for (let sent = 0; sent < size; sent += 100000) yield new Uint8Array(Math.min(100000, size - sent)).fill(sent / 100000)
    }
    if (url.pathname === '/store') await driver.setItemStream(key, pieces(), { size, type: 'image/png' })
    if (url.pathname === '/write') await driver.setItemRaw(key, new Uint8Array([1, 2, 3]), {})
    if (url.pathname === '/remove') await driver.removeItem(key, {})
    if (url.pathname === '/range') return new Response(await bytes(driver.getItemStream(key, { start, end })))
    if (url.pathname === '/whole') return new Response(await driver.getItemRaw(key, {}))
    if (url.pathname === '/type') return new Response((await FILES.head('2026/big.png')).httpMetadata.contentType)
    const meta = await driver.getMeta(key, {})
    return Response.json({ has: await driver.hasItem(key, {}), size: meta?.size, dated: meta?.mtime instanceof Date })
  },
}`

let miniflare: Miniflare
const ask = async (path: string) => miniflare.dispatchFetch(`http://worker.test${path}`)

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: worker, resolveDir: import.meta.dirname },
    ...{ bundle: true, write: false, format: 'esm', platform: 'neutral' },
  })
  miniflare = new Miniflare({
    modules: true,
    script: outputFiles[0]?.text ?? '',
    compatibilityDate: '2026-01-01',
    r2Buckets: ['FILES'],
  })
})
afterAll(async () => {
  await miniflare.dispose()
})

test('a file streams to the bucket and back, with ranges, and is removed', async () => {
  const key = '2026:big.png'
  expect(await (await ask(`/store?key=${key}&size=1000050`)).json()).toEqual({
    has: true,
    size: 1_000_050,
    dated: true,
  })
  expect(await (await ask('/type')).text()).toBe('image/png')
  const part = new Uint8Array(await (await ask(`/range?key=${key}&start=99999&end=100002`)).arrayBuffer())
  expect(part).toEqual(new Uint8Array([0, 1, 1]))
  expect((await (await ask(`/whole?key=${key}`)).arrayBuffer()).byteLength).toBe(1_000_050)
  expect(await (await ask(`/range?key=${key}&start=5&end=5`)).text()).toBe('')
  expect(await (await ask(`/remove?key=${key}`)).json()).toEqual({ has: false, dated: false })
})

test('bytes are written whole, and a file that is not there is none', async () => {
  expect(await (await ask('/write?key=a.txt')).json()).toEqual({ has: true, size: 3, dated: true })
  expect(await (await ask('/look?key=b.txt')).json()).toEqual({ has: false, dated: false })
})
