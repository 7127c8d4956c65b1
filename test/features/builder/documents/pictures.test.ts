/** The profile d2 has no media, and makes the pictures smaller that its documents bring. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { SiteApi } from '../../../../src/host/create-site-api.ts'
import { type D2, d2 } from '../../../../src/profiles/d2.ts'
import { createImages } from '../../../../src/services/images.ts'
import { image, openSite, picture } from './fixture.ts'

test('the pictures of a document are made smaller by the preset of the site', async () => {
  const bytes = await sharp({
    create: {
      width: 400,
      height: 300,
      channels: 3,
      background: '#468',
      noise: { type: 'gaussian', mean: 120, sigma: 20 },
    },
  })
    .jpeg({ quality: 95 })
    .toBuffer()
  const { api, ada, at, build, importMedia, files, post } = await openSite(
    { '/pier.jpg': picture(bytes, 'image/jpeg') },
    { profile: d2, services: { images: createImages({ optimizes: true }) } },
  )
  await ada('POST', '/imgopt/v1/preset_configs', {
    body: [{ id: 3, name: 'Small', config: { configs: { settings: { auto: true, lossy: 1, backup: false } } } }],
  })
  await build([image(at('/pier.jpg'))])
  expect((await importMedia(post)).status).toBe(200)
  const [path = ''] = files.paths
  const sizeOf = async () => (await files.read(path))?.length ?? 0
  expect(await sizeOf()).toBe(bytes.length)
  await api.site.runDue()
  // The cast: this site has the profile d2.
  const summary = await (api as unknown as SiteApi<D2>).site.images.summary()
  expect(summary).toMatchObject({ isOn: true, optimized: 1, before: bytes.length, after: await sizeOf() })
  expect(summary.after).toBeLessThan(bytes.length)
})
