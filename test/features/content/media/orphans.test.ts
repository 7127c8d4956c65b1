/** Files without a record: what a crash leaves is found and removed, and nothing else is. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { content } from '../../../../src/profiles/content.ts'
import { createMedia } from '../../../../src/services/media.ts'
import { type MediaDriver, memoryMedia } from '../../../../src/services/media-driver.ts'
import { sqliteStorage } from '../../../../src/storage/sqlite.ts'
import { basic } from '../../../support/site.ts'
import { now, smallSite } from '../../../support/small-site.ts'
import { bytesOf, fileAt, mediaSite, picture, upload } from './pictures.ts'

const hourMs = 3_600_000

describe.runIf(process.env['TEST_STORAGE'] === 'sqlite')('a process killed between a file and its record', () => {
  test('leaves a file that the next one removes after an hour', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'site-api-media-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const clock = { now }
    const open = () =>
      createSiteApi({
        storage: sqliteStorage(join(folder, 'site.db')),
        profile: content,
        url: 'https://quay.example',
        clock: () => clock.now,
        services: { media: createMedia({ folder: join(folder, 'uploads') }) },
      })
    const first = open()
    await first.site.seed(smallSite)
    await first.close()

    const script = fileURLToPath(new URL('./kill-server.ts', import.meta.url))
    const child = spawn(process.execPath, ['--experimental-strip-types', '--no-warnings', script, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const url = String((await lines.next()).value)
    const sent = fetch(`${url}/api/cms/v2/media`, {
      method: 'POST',
      headers: {
        authorization: basic('edith'),
        'content-type': 'text/plain',
        'content-disposition': 'attachment; filename="tides.txt"',
      },
      body: 'High at six.',
    }).catch(() => undefined)
    const path = String((await lines.next()).value).replace('stopped ', '')
    child.kill('SIGKILL')
    await sent
    const file = join(folder, 'uploads', path)
    expect(existsSync(file)).toBe(true)

    clock.now = Date.now()
    const api = open()
    onTestFinished(() => api.close())
    await api.site.runDue()
    expect(existsSync(file), 'another process may still be writing it').toBe(true)
    clock.now += hourMs + 1000
    await api.site.runDue()
    expect(existsSync(file)).toBe(false)
    expect((await api.call<unknown[]>('GET', '/cms/v2/media?search=tides')).data).toEqual([])
  })
})

/** A driver whose writes fail from the given one on. */
function failing(from: number): MediaDriver & { readonly keys: Set<string> } {
  const inner = memoryMedia()
  const keys = new Set<string>()
  let writes = 0
  return {
    ...inner,
    keys,
    setItemRaw: (key, value, options) => {
      writes += 1
      if (writes >= from) throw new Error('the disk is full')
      keys.add(key)
      return inner.setItemRaw?.(key, value, options)
    },
    removeItem: (key, options) => {
      keys.delete(key)
      return inner.removeItem?.(key, options)
    },
  }
}

test('an upload whose second file fails leaves neither files nor a record', async () => {
  const driver = failing(2)
  const site = await mediaSite({ services: { media: createMedia({ driver }) } })
  try {
    const { status } = await upload(site, 'half.png', await bytesOf(picture(400, 300), 'png'))
    expect(status).toBe(503)
    expect([...driver.keys]).toEqual([])
    expect((await site.visitor('GET', '/cms/v2/media', { query: 'search=half' })).body).toEqual([])
  } finally {
    await site.dispose()
  }
})

test('an upload that a hook refuses leaves no files', async () => {
  const driver = failing(100)
  const refusing = () => {
    throw Object.assign(new Error('no'), { isApiError: true, code: 'no_files', status: 403, data: {} })
  }
  const site = await mediaSite({ services: { media: createMedia({ driver }) }, hooks: { 'post.saving': refusing } })
  try {
    const { status, body } = await upload(site, 'refused.png', await bytesOf(picture(400, 300), 'png'))
    expect([status, body.code]).toEqual([403, 'no_files'])
    expect([...driver.keys]).toEqual([])
  } finally {
    await site.dispose()
  }
})

test('the task leaves the files of records', async () => {
  const site = await mediaSite()
  try {
    const { body } = await upload(site, 'kept.txt', 'High at six.', { type: 'text/plain' })
    site.clock.now += 2 * hourMs
    await site.api.site.runDue()
    expect((await fileAt(site, body.source_url)).status).toBe(200)
  } finally {
    await site.dispose()
  }
})
