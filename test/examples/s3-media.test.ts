/** Runs `s3Media` against a server of the S3 protocol on loopback. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMedia } from '../../src/index.ts'
import type { Media } from '../../src/services/media.ts'
import { s3Media } from '../../src/services/s3-media.ts'
import { bytesOf, fileAt, mediaSite, picture, upload } from '../features/content/media/pictures.ts'

const directory = mkdtempSync(join(tmpdir(), 'site-api-s3-'))
const credentials = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory,
  configureBuckets: [{ name: 'files', configs: [] }],
})
let media: Media
let base: string

beforeAll(async () => {
  const { port } = await server.run()
  base = `http://127.0.0.1:${port}/files`
  media = createMedia({ driver: s3Media({ url: `${base}/`, ...credentials }) })
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

const stored = () =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => /\._.*_object$/.test(name))

test('a picture and its sizes go to the bucket, are served from it with ranges, and are removed with the record', async () => {
  const site = await mediaSite({ services: { media } })
  const bytes = await bytesOf(picture(400, 300), 'png')
  const { status, body } = await upload(site, 'Sea view.png', bytes)
  expect([status, stored().length]).toEqual([201, 3])
  const whole = await fileAt(site, body.source_url)
  expect([new Uint8Array(await whole.arrayBuffer()), whole.headers.get('content-type')]).toEqual([bytes, 'image/png'])
  const part = await fileAt(site, body.source_url, { headers: { range: 'bytes=10-19' } })
  expect([part.status, new Uint8Array(await part.arrayBuffer())]).toEqual([206, bytes.subarray(10, 20)])
  await site.as('ada')('DELETE', `/cms/v2/media/${body.id}`, { query: { force: true } })
  await site.api.site.runDue()
  expect(stored()).toEqual([])
  await site.dispose()
})

test('a file of 20 MB streams to the bucket and back', async () => {
  const size = 20_000_000
  const piece = new Uint8Array(100_000).fill(7)
  const source = {
    size,
    type: 'application/octet-stream',
    async *chunks() {
      for (let sent = 0; sent < size; sent += piece.length) yield piece
    },
  }
  await media.store?.('2026/big.bin', source)
  const file = await media.open?.('2026/big.bin')
  let read = 0
  for await (const chunk of file?.chunks({ start: 0, end: size }) ?? []) read += chunk.length
  expect([file?.size, read]).toEqual([size, size])
  await media.remove('2026/big.bin')
  expect(await media.has?.('2026/big.bin')).toBe(false)
})

test('a bucket that refuses is an error, and no file', async () => {
  const refusing = createMedia({ driver: s3Media({ url: base.replace('/files', '/none'), ...credentials }) })
  await expect(refusing.write('2026/a.txt', new Uint8Array(3), 'text/plain')).rejects.toThrow(/the bucket answered 404/)
  const gone = createServer().listen(0)
  const { port } = gone.address() as { port: number }
  await new Promise((resolve) => gone.close(resolve))
  const away = createMedia({ driver: s3Media({ url: `http://127.0.0.1:${port}/files`, ...credentials }) })
  await expect(away.write('2026/a.txt', new Uint8Array(3), 'text/plain')).rejects.toThrow(/ECONNREFUSED/)
})
