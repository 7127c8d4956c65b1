/** Uploads where the disk, the rights or the file store fail: 503 as for rows, nothing stays, and the next upload works. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { SiteApi } from '../../../../src/host/create-site-api.ts'
import { type Full, full } from '../../../../src/profiles/full.ts'
import { createImages } from '../../../../src/services/images.ts'
import { createMedia } from '../../../../src/services/media.ts'
import { memoryMedia } from '../../../../src/services/media-driver.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../../../support/site.ts'

afterEach(() => vi.unstubAllEnvs())

async function open(options: TestSiteOptions = {}) {
  const site = await createTestSite({ profile: full, ...options })
  onTestFinished(site.dispose)
  return site
}

const headers = { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="tide.txt"' }
const upload = (site: TestSite) => site.as('ada')('POST', '/cms/v2/media', { body: 'high tide', headers })

/** The seed has one. */
const count = async (site: TestSite) => (await site.visitor('GET', '/cms/v2/media')).body.length

const refused = {
  status: 503,
  body: { code: 'storage_unavailable', data: { status: 503, written: 'no', retry_after: 5 } },
}

/** One line of the log for many failures. */
function expectLogged(site: TestSite): void {
  expect(site.failures).toEqual([expect.objectContaining({ message: 'the storage failed', count: 1 })])
  site.failures.length = 0
}

/** A folder for uploads below a file of that name: no process may write there, root neither. */
function blockedFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'unwritable-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const block = join(folder, 'disk')
  writeFileSync(block, '')
  return { uploads: join(block, 'uploads'), unblock: () => rmSync(block) }
}

test('an upload to a folder that cannot be written is 503, leaves nothing, and works again later', async () => {
  const { uploads, unblock } = blockedFolder()
  const site = await open({ services: { media: createMedia({ folder: uploads }) } })
  for (let time = 0; time < 3; time++) expect(await upload(site)).toMatchObject(refused)
  expect(await count(site)).toBe(1)
  expectLogged(site)
  unblock()
  const { status, body } = await upload(site)
  expect([status, body.source_url]).toEqual([201, expect.stringContaining('/tide.txt')])
  expect(readdirSync(uploads, { recursive: true }).filter((name) => /\./.test(String(name)))).toHaveLength(1)
})

test('an upload without room for its temporary file is 503, and works again later', async () => {
  const site = await open()
  const { uploads } = blockedFolder()
  vi.stubEnv('TMPDIR', uploads)
  expect(await upload(site)).toMatchObject(refused)
  const form = new FormData()
  form.set('file', new File(['high tide'], 'tide.txt', { type: 'text/plain' }))
  const response = new Response(form)
  const type = { 'content-type': response.headers.get('content-type') ?? '' }
  expect(await site.as('ada')('POST', '/cms/v2/media', { body: await response.text(), headers: type })).toMatchObject(
    refused,
  )
  expectLogged(site)
  vi.unstubAllEnvs()
  expect((await upload(site)).status).toBe(201)
})

test('a size of a picture that cannot be written is 503, not a broken picture', async () => {
  const { uploads } = blockedFolder()
  const images = createImages()
  const write: typeof images.write = (path, _target, ...more) => images.write(path, join(uploads, 'size.png'), ...more)
  const site = await open({ services: { images: { ...images, write } } })
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#369' } })
    .png()
    .toBuffer()
  // The cast: the profile has it.
  const { media } = site.api.site as unknown as SiteApi<Full>['site']
  await expect(media.upload('pier.png', picture)).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(await count(site)).toBe(1)
})

test.each([
  ['answers 503', Object.assign(new Error('[PUT] "https://store.example/tide.txt": 503'), { status: 503 })],
  ['does not answer in time', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
  ['is not reached', new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })],
])('a file store that %s makes uploads, reads and removals 503', async (_what, error) => {
  const driver = memoryMedia()
  let isAway = false
  const guarded = Object.fromEntries(
    Object.entries(driver).map(([name, call]) => [
      name,
      async (...args: never[]) => {
        if (isAway) throw error
        return (call as (...args: never[]) => unknown)(...args)
      },
    ]),
  ) as unknown as typeof driver
  const site = await open({ services: { media: createMedia({ driver: guarded }) } })
  const { body } = await upload(site)
  isAway = true
  expect(await upload(site)).toMatchObject(refused)
  const read = await site.api.files.handle({
    method: 'GET',
    path: new URL(body.source_url).pathname.slice('/uploads'.length),
  } as never)
  expect([read.status, (read.headers as { [name: string]: string })['Retry-After']]).toEqual([503, '5'])
  const remove = () => site.as('ada')('DELETE', `/cms/v2/media/${body.id}`, { query: { force: true } })
  // The record is gone.
  expect(await remove()).toMatchObject({ status: 503, body: { code: 'storage_outcome_unknown' } })
  expect((await remove()).status).toBe(404)
  isAway = false
  expect((await upload(site)).status).toBe(201)
  site.failures.length = 0
})
