/** Serving stored files: ranges, validators, types, and downloads of what browsers could run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveNode } from '../../../../adapters/node.ts'
import { createMedia } from '../../../../src/services/media.ts'
import type { TestSite } from '../../../support/site.ts'
import { mediaSite, upload } from './pictures.ts'

const text = 'High water at six, low water at noon.'

describe('files in a folder, over a socket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-files-'))
  let site: TestSite
  let served: Awaited<ReturnType<typeof serveNode>>
  let address = ''
  const get = (headers: { readonly [name: string]: string } = {}, method = 'GET') => fetch(address, { headers, method })
  beforeAll(async () => {
    site = await mediaSite({ services: { media: createMedia({ folder }) } })
    served = await serveNode(site.api.files, { port: 0 })
    const { body } = await upload(site, 'tides.txt', text, { type: 'text/plain' })
    address = `${served.url}${new URL(body.source_url).pathname}`
  })
  afterAll(async () => {
    await served.close()
    await site.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  test('are sent whole, with a length, a type and validators', async () => {
    const response = await get()
    expect(await response.text()).toBe(text)
    expect(response.headers.get('content-length')).toBe(String(text.length))
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect(response.headers.get('etag')).toMatch(/^"[\w-]+"$/)
    expect(response.headers.get('last-modified')).toMatch(/GMT$/)
  })

  test.each([
    ['bytes=0-3', 206, 'High', 'bytes 0-3/37'],
    ['bytes=30-', 206, text.slice(30), 'bytes 30-36/37'],
    ['bytes=-5', 206, text.slice(-5), 'bytes 32-36/37'],
    ['bytes=0-999', 206, text, 'bytes 0-36/37'],
    ['bytes=37-', 416, undefined, 'bytes */37'],
    ['bytes=5-2', 200, text, null],
    ['bytes=0-1,4-5', 200, text, null],
    ['lines=1-2', 200, text, null],
  ])('answer the range %s with %i', async (range, status, part, contentRange) => {
    const response = await get({ range })
    expect([response.status, response.headers.get('content-range')]).toEqual([status, contentRange])
    if (part !== undefined) expect(await response.text()).toBe(part)
  })

  test('are not sent again to a client that has them, and only parts of the file that it began', async () => {
    const { headers } = await get()
    const etag = String(headers.get('etag'))
    const modified = String(headers.get('last-modified'))
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    expect((await get({ 'if-none-match': `"other", W/${etag}` })).status).toBe(304)
    expect((await get({ 'if-none-match': '"other"', 'if-modified-since': modified })).status).toBe(200)
    expect((await get({ 'if-modified-since': modified })).status).toBe(304)
    expect((await get({ range: 'bytes=0-3', 'if-range': etag })).status).toBe(206)
    expect((await get({ range: 'bytes=0-3', 'if-range': modified })).status).toBe(206)
    expect((await get({ range: 'bytes=0-3', 'if-range': '"other"' })).status).toBe(200)
  })

  test('answer HEAD without a body, and no other method', async () => {
    const head = await get({}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '37', ''])
    const posted = await get({}, 'POST')
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('are not found outside of the folder, as folders, or with hidden names', async () => {
    for (const path of ['/uploads/', '/uploads/2024', '/uploads/..%2fsite.db', '/uploads/.env', '/uploads/%00', '/x']) {
      expect((await fetch(served.url + path)).status, path).toBe(404)
    }
  })

  test('are downloads where a browser could run them', async () => {
    await createMedia({ folder }).write('old/page.html', new TextEncoder().encode('<script>1</script>'), 'text/html')
    await createMedia({ folder }).write('old/draw.svg', new TextEncoder().encode('<svg/>'), 'image/svg+xml')
    for (const name of ['page.html', 'draw.svg']) {
      const { headers } = await fetch(`${served.url}/uploads/old/${name}`)
      expect(headers.get('content-disposition')).toBe('attachment')
      // A page shows a drawing only under its type.
      expect(headers.get('content-type')).toBe(name === 'draw.svg' ? 'image/svg+xml' : 'application/octet-stream')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain('sandbox')
    }
  })
})
