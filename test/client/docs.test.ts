/** The programs of docs/client.md do what it says of them, and the client stays as small as it says. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as program from '../../docs/examples/client.ts'
import type { SiteApi } from '../../src/host/create-site-api.ts'
import { type D1, d1 } from '../../src/profiles/d1.ts'
import { type ServedSite, serveScript, serveTestSite } from './served.ts'

let site: ServedSite<typeof d1>
let wren: number
let password: string
beforeAll(async () => {
  site = await serveTestSite({ profile: d1, seed: false })
  wren = (await site.api.site.users.create({ login: 'wren', roles: ['editor'] })).id
  password = (await site.api.site.passwords.create(wren, 'Client')).password
})
afterAll(() => site.dispose())

test.each(['signed in', 'inside'])('%s', async (way) => {
  const client =
    way === 'inside' ? program.inside(site.api as SiteApi<D1>, wren) : program.signedIn(password, site.address)
  const { data } = await client.orThrow.post('/cms/v2/posts', { title: 'Ebb', status: 'publish' })
  const all = await program.latest(client)
  expect(all[0]).toBe(`${data.id} Ebb`)
  expect(all.at(-1)).toMatch(/^\d in all$/)
  expect(await program.rename(client, data.id)).toBe('High tide')
  expect(await program.rename(client, 999_999)).toBe('There is no such post.')
  expect(await program.inOneGo(client)).toBeGreaterThan(data.id)
  expect(await program.slugs(client)).toContain(`${data.slug}: High tide`)
  expect(await program.writers(client)).toContain(`${data.slug} by wren`)
  expect(await program.everything(client)).toContain(data.slug)
  expect(await program.manyAtOnce(client, data.id)).toEqual(['', undefined, undefined])
  expect(await program.manyAtOnce(client, 999_999)).toEqual([undefined, 'rest_post_invalid_id', 'rest_post_invalid_id'])
  await client.orThrow.delete('/cms/v2/posts/{id}', { id: data.id, force: true })
})

test('requests a token, and retries a write that allows it', async () => {
  const server = await serveScript((request, response, count) => {
    if (count === 1) return request.socket.destroy()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 1, authorization: request.headers.authorization }))
  })
  const { data } = await program.careful(async () => 'moon', new AbortController().signal, server.url)
  expect(data).toEqual({ id: 1, authorization: 'Bearer moon' })
  await server.close()
})

test('bundles only the client for browsers', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/client/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
  })
  const [made] = outputFiles
  expect(made?.contents.length).toBeLessThan(16.5 * 1024)
  expect(gzipSync(made?.contents ?? '').length).toBeLessThan(7.3 * 1000)
  const from = Object.keys(metafile.inputs).map((file) => file.replace(/^.*src\//, ''))
  expect(from.filter((file) => !file.startsWith('client/')).sort()).toEqual([
    'contract/lookup-table.ts',
    'core/declare/errors.ts',
    'names/markup.ts',
    'names/word-map.ts',
    'site/form-schema.ts',
  ])
})
