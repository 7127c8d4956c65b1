/** Pictures that are made smaller after their upload, by the preset of the site, with the package sharp. */
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { createSiteApi, type SiteApi } from '../../../../src/host/create-site-api.ts'
import { type Full, full } from '../../../../src/profiles/full.ts'
import { createImages } from '../../../../src/services/images.ts'
import { createMedia, type Media } from '../../../../src/services/media.ts'
import { type MediaDriver, memoryMedia } from '../../../../src/services/media-driver.ts'
import { openStorage } from '../../../support/storage.ts'

const url = 'https://quay.example'

/** Noise, which compresses badly; every run makes the same. */
function noise(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3)
  let state = 7
  for (let at = 0; at < pixels.length; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    pixels[at] = Math.round(((at % (width * 3)) / (width * 3)) * 200) + (state >> 26)
  }
  return pixels
}
const raw = (width: number, height: number) => sharp(noise(width, height), { raw: { width, height, channels: 3 } })
const photo = (width = 900, height = 600) =>
  raw(width, height)
    .withExif({ IFD0: { Artist: 'Wren' } })
    .jpeg({ quality: 82 })
    .toBuffer()

interface Opened {
  readonly api: SiteApi<Full>
  readonly clock: { now: number }
  readonly files: Map<string, Uint8Array>
  readonly media: Media
  readonly disk: { isFull: boolean }
  readonly failures: unknown[]
  /** Another process on the same storage and files. */
  another(media?: Media): SiteApi<Full>
}

async function open(
  settings: object | false,
  { driver = memoryMedia(), wrap = (media: Media) => media } = {},
): Promise<Opened> {
  const opened = await openStorage()
  const clock = { now: Date.parse('2024-06-15T12:00:00Z') }
  const files = new Map<string, Uint8Array>()
  const media = noting(driver, files)
  const failures: unknown[] = []
  const disk = { isFull: false }
  const images = createImages({ optimizes: true })
  const encode: typeof images.encode = (...args) => {
    // The message of libvips.
    if (disk.isFull) throw new Error('VipsTarget: unix error: No space left on device')
    return (images.encode as NonNullable<typeof images.encode>)(...args)
  }
  const start = (used: Media) => {
    return createSiteApi({
      storage: opened.storage,
      profile: full,
      url,
      clock: () => clock.now,
      services: { media: used, images: { ...images, encode } },
      log: { error: (message, detail) => void failures.push({ message, ...detail }) },
    })
  }
  const api = start(wrap(media))
  if (settings !== false) {
    await setPreset(api, settings)
  }
  onTestFinished(async () => {
    expect(failures).toEqual([])
    await opened.dispose()
  })
  return { api, clock, files, media, disk, failures, another: (used = media) => start(used) }
}

/** The files by path, whole. */
function noting(driver: MediaDriver, files: Map<string, Uint8Array>): Media {
  const { open: _open, store: _store, has: _has, ...media } = createMedia({ driver })
  return {
    ...media,
    write: (path, bytes, type) => {
      files.set(path, bytes)
      return media.write(path, bytes, type)
    },
    remove: (path) => {
      files.delete(path)
      return media.remove(path)
    },
  }
}

interface Details {
  readonly filesize: number
  readonly file: string
  readonly sizes: { readonly [name: string]: { readonly file: string; readonly filesize: number } }
}

/** Replaces the presets of the site by one with these settings. */
const setPreset = (api: SiteApi<Full>, settings: object, more: object = {}) => {
  const preset = {
    id: 7,
    name: 'Mine',
    config: { configs: { settings: { auto: true, lossy: 1, ...settings }, ...more } },
  }
  // The cast: the body is a list.
  return api.call('POST', '/imgopt/v1/preset_configs', [preset] as never, { as: 'system' })
}

const sizeOf = (files: Map<string, Uint8Array>) => [...files.values()].reduce((sum, { length }) => sum + length, 0)

test('makes every file of a picture smaller, in its own format, with the words of people', async () => {
  const { api, files } = await open({ backup: false })
  const { post } = await api.site.media.upload('pier.jpg', await photo())
  const before = new Map(files)
  await api.site.runDue()
  expect([...files.keys()]).toEqual([...before.keys()])
  expect(files.size).toBeGreaterThan(3)
  for (const [path, bytes] of files) {
    expect([path, bytes.length < (before.get(path)?.length ?? 0)]).toEqual([path, true])
    const { format, exif, width } = await sharp(bytes).metadata()
    expect([format, exif?.includes('Wren'), width]).toEqual([
      'jpeg',
      true,
      (await sharp(before.get(path)).metadata()).width,
    ])
  }
  const { data } = await api.call<{ media_details: Details }>('GET', `/cms/v2/media/${post.id}`)
  const { media_details: details } = data
  expect(details.filesize).toBe(files.get(details.file)?.length)
  expect(details).not.toHaveProperty('optimization')
  const { medium } = details.sizes
  expect(medium?.filesize).toBe(files.get(`2024/06/${medium?.file}`)?.length)
  expect(await api.site.images.summary()).toEqual({
    ...{
      isOn: true,
      pending: 0,
      failed: 0,
      optimized: 1,
      before: sizeOf(before),
      after: sizeOf(files),
      best: sizeOf(files),
    },
  })
})

test('makes copies in the formats of the preset, and sends them to browsers that read them', async () => {
  const { api, files } = await open({ webp_mod: true, avif_mod: true })
  const { path } = await api.site.media.upload('pier.jpg', await photo())
  const before = sizeOf(files)
  await api.site.runDue()
  const copies = [...files.keys()].filter((one) => one.includes('/optimized/'))
  expect(copies).toContain('2024/06/optimized/pier.jpg.webp')
  expect(copies).toContain('2024/06/optimized/pier.jpg.avif')
  expect(copies).toHaveLength(2 * [...files.keys()].filter((one) => /06\/[^/]*$/.test(one)).length)
  const get = async (accept?: string) => {
    const { status, headers, body } = await api.files.handle({
      method: 'GET',
      path: `/${path}`,
      header: (name: string) => (name === 'accept' ? accept : undefined),
    } as never)
    const { ['Content-Type']: type, Vary: vary } = headers as { readonly [name: string]: string }
    const bytes = Buffer.from(await new Response(body as BodyInit).arrayBuffer())
    return [status, type, vary, (await sharp(bytes).metadata()).format]
  }
  expect(await get('image/avif,image/webp,*/*')).toEqual([200, 'image/avif', 'Accept', 'heif'])
  expect(await get('image/webp,*/*')).toEqual([200, 'image/webp', 'Accept', 'webp'])
  expect(await get('*/*')).toEqual([200, 'image/jpeg', 'Accept', 'jpeg'])
  expect(await get()).toEqual([200, 'image/jpeg', 'Accept', 'jpeg'])
  // Every browser saves the first, and those with a newer format the second.
  const plain = [...files].filter(([one]) => /06\/[^/]*$/.test(one))
  const smallest = plain.map(([one, { length }]) => {
    const [folder, name] = one.split(/\/(?=[^/]*$)/)
    const sizes = ['webp', 'avif'].map((format) => files.get(`${folder}/optimized/${name}.${format}`)?.length ?? length)
    return Math.min(length, ...sizes)
  })
  const summary = await api.site.images.summary()
  expect(summary).toMatchObject({
    ...{ before, after: sizeOf(new Map(plain)), best: smallest.reduce((sum, length) => sum + length, 0) },
  })
  expect(summary.best < summary.after && summary.after < summary.before).toBe(true)
})

test('keeps the upload as it came once, fits a picture into the largest extent, and takes all files with the record', async () => {
  const upload = await photo()
  const { api, files } = await open({ backup: true, webp_mod: true })
  await setPreset(api, { backup: true, webp_mod: true, resize: true }, { resize_sizes: { width: 600, height: 600 } })
  const { post, path } = await api.site.media.upload('pier.jpg', upload)
  const stored = files.get(path)
  await api.site.runDue()
  expect(files.get('2024/06/originals/pier.jpg')).toEqual(stored)
  const { width, height } = await sharp(files.get(path)).metadata()
  expect([width, height]).toEqual([600, 400])
  const { data } = await api.call('GET', '/cms/v2/media/{id}', { id: post.id })
  expect(data.media_details).toMatchObject({ width: 600, height: 400 })
  // Another preset: the smaller picture does not become the upload.
  await setPreset(api, { lossy: 0, backup: true })
  expect(await api.site.images.optimize([post.id])).toBe(1)
  await api.site.runDue()
  expect(files.get('2024/06/originals/pier.jpg')).toEqual(stored)
  await api.site.media.remove(post.id)
  await api.site.runDue()
  expect([...files.keys()].filter((one) => !one.includes('/optimized/'))).toEqual([])
})

test('leaves moving pictures, files of other kinds, and sites without a preset or the service alone', async () => {
  const { api, files } = await open({ webp_mod: true })
  const frames = await Promise.all(
    [0, 1].map((n) =>
      raw(40 + n, 40)
        .resize(40, 40)
        .png()
        .toBuffer(),
    ),
  )
  const moving = await sharp(frames, { join: { animated: true } })
    .webp({ loop: 0 })
    .toBuffer()
  await api.site.media.upload('moving.webp', moving)
  await api.site.media.upload('tides.txt', Buffer.from('High water at six.'))
  const before = new Map(files)
  await api.site.runDue()
  expect(files).toEqual(before)
  expect((await api.site.images.summary()).pending).toBe(0)
  const manual = await open({ auto: false })
  await manual.api.site.media.upload('pier.jpg', await photo(300, 200))
  const uploaded = new Map(manual.files)
  await manual.api.site.runDue()
  expect(manual.files).toEqual(uploaded)
  expect(await manual.api.site.images.optimize()).toBe(1)
  await manual.api.site.runDue()
  expect(sizeOf(manual.files)).toBeLessThan(sizeOf(uploaded))
})

test('without the option nothing is processed, and the summary says so', async () => {
  const opened = await openStorage()
  onTestFinished(() => opened.dispose())
  const services = { media: createMedia({ driver: memoryMedia() }) }
  const api = createSiteApi({ storage: opened.storage, profile: full, url, services })
  await api.site.media.upload('pier.jpg', await photo(300, 200))
  await api.site.runDue()
  expect(await api.site.images.summary()).toEqual({
    ...{ isOn: false, reason: 'services.images does not optimize: createImages({ optimizes: true })' },
    ...{ pending: 0, failed: 0, optimized: 0, before: 0, after: 0, best: 0 },
  })
})

test('two processes optimize each picture once', async () => {
  const { api, files, media, another } = await open({ backup: false })
  const writes: string[] = []
  const counted: Media = {
    ...media,
    write: (path, bytes, type) => {
      writes.push(path)
      return media.write(path, bytes, type)
    },
  }
  const second = another(counted)
  for (let n = 0; n < 4; n++) await second.site.media.upload(`p${n}.jpg`, await photo(200, 100 + n))
  const uploaded = [...files.keys()]
  writes.length = 0
  const third = another(counted)
  await Promise.all([second.site.runDue(), third.site.runDue(), api.site.runDue()])
  expect(writes.length).toBeLessThanOrEqual(uploaded.length)
  expect(new Set(writes).size).toBe(writes.length)
  expect((await api.site.images.summary()).optimized).toBe(4)
})

test('a process that ends while it stores a picture leaves no file behind, and another does the work', async () => {
  const { clock, files, media, another } = await open({ webp_mod: true, backup: true })
  let left = Number.POSITIVE_INFINITY
  // From some call on, nothing of this process arrives any more.
  const ending: Media = {
    ...media,
    write: (path, bytes, type) => (left-- > 0 ? media.write(path, bytes, type) : new Promise(() => undefined)),
  }
  const first = another(ending)
  const { post } = await first.site.media.upload('pier.jpg', await photo(400, 300))
  const own = [...files.keys()]
  left = 2
  void first.site.runDue()
  await expect.poll(() => left, { timeout: 20_000 }).toBeLessThan(0)
  expect(files.size).toBeGreaterThan(own.length)
  clock.now += 3 * 60_000
  const second = another()
  await second.site.runDue()
  expect(await second.site.images.summary()).toMatchObject({ optimized: 1, pending: 0 })
  const settled = [...files.keys()].toSorted()
  clock.now += 2 * 3_600_000
  await second.site.runDue()
  expect([...files.keys()].toSorted()).toEqual(settled)
  await second.site.media.remove(post.id)
  await second.site.runDue()
  expect([...files.keys()]).toEqual([])
})

test.each([
  ['before the first file is stored', 0],
  ['while its files are stored', 2],
])('a picture that is removed %s leaves no file', async (_when, after) => {
  const { clock, files, media, another } = await open({ webp_mod: true })
  let left = Number.POSITIVE_INFINITY
  let remove = async () => undefined as unknown
  const step = async () => {
    if (left-- === 0) await remove()
  }
  const removing: Media = {
    ...media,
    read: async (path) => {
      const bytes = await media.read(path)
      if (after === 0) await step()
      return bytes
    },
    write: async (path, bytes, type) => {
      if (after > 0) await step()
      return media.write(path, bytes, type)
    },
  }
  const api = another(removing)
  const { post } = await api.site.media.upload('pier.jpg', await photo(400, 300))
  remove = () => api.call('DELETE', '/cms/v2/media/{id}', { id: post.id, force: true }, { as: 'system' })
  left = after
  await api.site.runDue()
  await expect(api.call('GET', '/cms/v2/media/{id}', { id: post.id })).rejects.toMatchObject({ status: 404 })
  clock.now += 2 * 3_600_000
  await api.site.runDue()
  expect([...files.keys()]).toEqual([])
  expect(await api.site.images.summary()).toMatchObject({ pending: 0, failed: 0 })
})

test('a full disk is no failure of a picture: it is made smaller when there is room again', async () => {
  const { api, clock, disk, failures } = await open({ backup: false })
  await api.site.media.upload('pier.jpg', await photo(300, 200))
  disk.isFull = true
  for (let hours = 0; hours < 10 * 24; hours += 10) {
    await api.site.runDue()
    clock.now += 10 * 3_600_000
  }
  expect(failures.length).toBeGreaterThan(11)
  expect(failures[0]).toMatchObject({ message: expect.stringContaining('failed in the service') })
  expect(await api.site.images.summary()).toMatchObject({ pending: 1, failed: 0, optimized: 0 })
  failures.length = 0
  disk.isFull = false
  await api.site.runDue()
  expect(await api.site.images.summary()).toMatchObject({ pending: 0, failed: 0, optimized: 1 })
})
