/** Sizes that take long are made beside the request, and nothing of them is lost. */
import { expect, onTestFinished, test } from 'vitest'
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { content } from '../../../../src/profiles/content.ts'
import { createImages } from '../../../../src/services/images.ts'
import { createMedia, isStored } from '../../../../src/services/media.ts'
import { memoryMedia } from '../../../../src/services/media-driver.ts'
import { openStorage } from '../../../support/storage.ts'
import { picture } from './pictures.ts'

const sizeNames = ['thumbnail', 'medium', 'medium_large', 'large', '1536x1536']

interface Shown {
  readonly missing_image_sizes: readonly string[]
  readonly media_details: { readonly sizes: object; readonly sizes_pending?: boolean; readonly file: string }
}

/** Several processes on one storage and one store of files; each counts the pictures that it writes. */
async function open() {
  const opened = await openStorage()
  onTestFinished(() => opened.dispose())
  const clock = { now: Date.parse('2024-06-15T12:00:00Z') }
  const media = createMedia({ driver: memoryMedia() })
  const failures: unknown[] = []
  /** `before` is awaited before each picture is written. */
  const start = (before: (count: number) => unknown = () => undefined) => {
    const images = createImages()
    const written = { count: 0 }
    const api = createSiteApi({
      // The storage is that of both processes: the end of one does not close it.
      storage: { ...opened.storage, close: async () => undefined },
      profile: content,
      url: 'https://quay.example',
      clock: () => clock.now,
      log: { error: (message, detail) => void failures.push({ message, ...detail }) },
      services: {
        media,
        images: {
          ...images,
          write: async (...args: Parameters<typeof images.write>) => {
            await before(++written.count)
            return images.write(...args)
          },
        },
      },
    })
    onTestFinished(() => api.close())
    const shown = async (id: number) =>
      (await api.call<Shown>('GET', `/cms/v2/media/${id}?context=edit`, undefined, { as: 'system' })).data
    return { api, written, shown }
  }
  return { start, clock, failures, media }
}

const slow = async () => new Blob([(await picture(1700, 1100).avif({ effort: 0 }).toBuffer()) as BlobPart])

test('an AVIF picture is taken before its sizes are made; later all are there', async () => {
  const { start, failures } = await open()
  const gate = Promise.withResolvers<void>()
  const { api, written, shown } = start(() => gate.promise)
  const { post } = await api.site.media.upload('quay.avif', await slow())
  const before = await shown(post.id)
  expect([before.media_details.sizes_pending, before.missing_image_sizes]).toEqual([true, sizeNames])
  gate.resolve()
  await api.site.runDue()
  const { media_details: details, missing_image_sizes: missing } = await shown(post.id)
  expect([details.sizes_pending, missing]).toEqual([undefined, []])
  expect(Object.keys(details.sizes).sort()).toEqual([...sizeNames, 'full'].sort())
  expect([written.count, failures]).toEqual([sizeNames.length, []])
})

test('a process that closes in the middle leaves the missing sizes to the next one', async () => {
  const { start, clock, failures } = await open()
  const gate = Promise.withResolvers<void>()
  const inTheMiddle = Promise.withResolvers<void>()
  const first = start((count) => {
    if (count < 2) return undefined
    inTheMiddle.resolve()
    return gate.promise
  })
  const { post } = await first.api.site.media.upload('quay.avif', await slow())
  await inTheMiddle.promise
  const closed = first.api.close()
  gate.resolve()
  await closed
  clock.now += 120_000
  const next = start()
  await next.api.site.runDue()
  const { media_details: details } = await next.shown(post.id)
  expect(details.sizes_pending).toBe(undefined)
  expect(Object.keys(details.sizes).sort()).toEqual([...sizeNames, 'full'].sort())
  expect([first.written.count, next.written.count, failures]).toEqual([2, sizeNames.length - 2, []])
})

test('a picture that is removed while its sizes are made leaves no files and no work', async () => {
  const { start, failures, media } = await open()
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { api, written } = start(() => {
    begun.resolve()
    return gate.promise
  })
  const { post, address } = await api.site.media.upload('quay.avif', await slow())
  const path = address.slice(address.indexOf('/2024/') + 1)
  const size = path.replace('.avif', '-150x150.avif')
  expect(await isStored(media, path)).toBe(true)
  await begun.promise
  await api.site.media.remove(post.id)
  gate.resolve()
  await api.site.runDue()
  expect([written.count, failures]).toEqual([1, []])
  expect([await isStored(media, path), await isStored(media, size)]).toEqual([false, false])
})

test('a picture whose data are broken waits for nothing', async () => {
  const { start } = await open()
  const { api, shown } = start(() => {
    throw new Error('the data of the picture are broken')
  })
  const { post } = await api.site.media.upload('quay.avif', await slow())
  await api.site.runDue()
  const { media_details: details, missing_image_sizes: missing } = await shown(post.id)
  expect([details.sizes_pending, Object.keys(details.sizes), missing]).toEqual([undefined, [], sizeNames])
})

test('a full disk is no failure of a picture: its sizes are made when there is room again', async () => {
  const { start, clock } = await open()
  const disk = { isFull: true }
  const { api, shown } = start(() => {
    if (disk.isFull) throw new Error('unix error: No space left on device')
  })
  const { post } = await api.site.media.upload('quay.avif', await slow())
  await api.site.runDue()
  expect((await shown(post.id)).media_details.sizes_pending).toBe(true)
  disk.isFull = false
  clock.now += 3_600_000
  await api.site.runDue()
  const { media_details: details } = await shown(post.id)
  expect([details.sizes_pending, Object.keys(details.sizes).length]).toEqual([undefined, sizeNames.length + 1])
})
