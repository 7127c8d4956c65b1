/** A process that is killed while it makes pictures smaller: no file is torn or left, and another process does the work. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { full } from '../../../../src/profiles/full.ts'
import { createImages } from '../../../../src/services/images.ts'
import { createMedia } from '../../../../src/services/media.ts'
import { sqliteStorage } from '../../../../src/storage/sqlite.ts'

const script = fileURLToPath(new URL('./optimize-server.ts', import.meta.url))
const hourMs = 3_600_000

const preset = {
  id: 7,
  name: 'Mine',
  config: { configs: { settings: { auto: true, lossy: 1, backup: true, webp_mod: true, avif_mod: true } } },
}

const photo = () =>
  sharp({
    create: {
      width: 400,
      height: 300,
      channels: 3,
      background: '#357',
      noise: { type: 'gaussian', sigma: 40, mean: 90 },
    },
  })
    .jpeg({ quality: 98 })
    .toBuffer()

describe.runIf(process.env['TEST_STORAGE'] === 'sqlite')('a process killed while it makes pictures smaller', () => {
  test.each([1, 6])('after file %i leaves whole files, and another process ends the work', async (count) => {
    const folder = mkdtempSync(join(tmpdir(), 'site-api-optimize-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const uploads = join(folder, 'uploads')
    const clock = { now: Date.now() }
    const open = (optimizes: boolean) =>
      createSiteApi({
        storage: sqliteStorage(join(folder, 'site.db')),
        profile: full,
        url: 'https://quay.example',
        clock: () => clock.now,
        services: { media: createMedia({ folder: uploads }), images: createImages({ optimizes }) },
      })
    const files = () => readdirSync(uploads, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = () =>
      files()
        .map(({ parentPath, name }) => join(parentPath, name))
        .toSorted()

    const first = open(false)
    await first.call('POST', '/imgopt/v1/preset_configs', [preset] as never, { as: 'system' })
    await first.site.media.upload('pier.jpg', await photo())
    const uploaded = paths()
    await first.close()

    const child = spawn(process.execPath, ['--no-warnings', script, folder, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toBe('stopped')
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    expect(await exited).toEqual([null, 'SIGKILL'])
    expect(paths().length).toBeGreaterThanOrEqual(uploaded.length)

    // After the lease of the process that is gone.
    clock.now += 10 * 60_000
    const second = open(true)
    onTestFinished(() => second.close())
    await second.site.runDue()
    const summary = await second.site.images.summary()
    expect(summary).toMatchObject({ optimized: 1, pending: 0, failed: 0 })
    expect(summary.after).toBeLessThan(summary.before)
    const settled = paths()
    expect(settled).toEqual(expect.arrayContaining(uploaded))
    for (const path of settled) expect((await sharp(path).stats()).channels.length, path).toBeGreaterThan(0)
    clock.now += 2 * hourMs
    await second.site.runDue()
    expect(paths()).toEqual(settled)
    const [medium] = (await second.call<{ id: number }[]>('GET', '/cms/v2/media')).data
    await second.site.media.remove(medium?.id ?? 0)
    await second.site.runDue()
    expect(paths()).toEqual([])
    expect(statSync(uploads).isDirectory()).toBe(true)
  })
})
