/**
 * Whatever writes files: a process that fails or ends at any step, a write of rows or of files or a look for a file, leaves no file without a record after
 * the clean-up, and no record without its files.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { StorageUnavailable } from '../../../../src/contract/errors.ts'
import type { Storage } from '../../../../src/contract/storage.ts'
import { submissionHandler } from '../../../../src/features/builder/form-submissions/intake/handler.ts'
import { submissionsCollection } from '../../../../src/features/builder/form-submissions/model.ts'
import { pathsOf, readFileMeta } from '../../../../src/features/content/media/model.ts'
import { pendingFiles } from '../../../../src/features/shared/pending-files.ts'
import { d1 } from '../../../../src/profiles/d1.ts'
import { full } from '../../../../src/profiles/full.ts'
import { createHttpClient } from '../../../../src/services/http-client/index.ts'
import { createMedia, type Media } from '../../../../src/services/media.ts'
import { memoryMedia } from '../../../../src/services/media-driver.ts'
import { tokenBuckets } from '../../../../src/services/rate-limit.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'
import { isWrite, spied } from '../../../support/spied-storage.ts'
import { field, formPage } from '../../builder/form-submissions/form-page.ts'
import { bytesOf, picture, upload } from './pictures.ts'

const hourMs = 3_600_000

/** Fails at one write, or at one look for a file. */
class Faults {
  /** The steps that still succeed. */
  left = Number.POSITIVE_INFINITY
  /** As if the process had ended: nothing succeeds any more. */
  kills = false
  #isDead = false

  /** Throws at the chosen step. */
  at(name: string): void {
    if (this.#isDead || this.left-- === 0) {
      this.#isDead = this.kills
      throw new StorageUnavailable(`fails at ${name}`, { written: 'no' })
    }
  }

  get hasFailed(): boolean {
    return this.left < 0
  }

  end(): void {
    this.#isDead = false
    this.left = Number.POSITIVE_INFINITY
  }
}

function filesWith(faults: Faults): Media & { readonly paths: Set<string> } {
  const media = createMedia({ driver: memoryMedia() })
  const paths = new Set<string>()
  return {
    addressOf: media.addressOf,
    read: media.read,
    async has(path) {
      faults.at(`look at ${path}`)
      return paths.has(path)
    },
    paths,
    async write(path, bytes, type) {
      faults.at(`write ${path}`)
      paths.add(path)
      return media.write(path, bytes, type)
    },
    async remove(path) {
      faults.at(`remove ${path}`)
      paths.delete(path)
      return media.remove(path)
    },
  }
}

/** Its receiver is never reached. */
const webhook = { submit_actions: ['webhook'], webhooks: 'https://receiver.example/' }
const form = [field('name', 'text', 'Name'), field('papers', 'upload', 'Papers')]
const builtPage = (key: string, elements: object) => ({
  ...{ key, slug: key, title: key, status: 'publish', author: 'editor', date: '2024-02-20T09:00:00', content: '' },
  ...{ categories: [], meta: { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) } },
})

const gif = (tone: number) =>
  Uint8Array.from([...new TextEncoder().encode('GIF89a'), 3, 0, 2, 0, tone % 256, tone >> 8, 0, 0x3b])

async function open() {
  const faults = new Faults()
  const media = filesWith(faults)
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'image/gif' }).end(gif(Number(/\d+/.exec(request.url ?? '')?.[0])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const outbound = createHttpClient({
    limits: { timeoutMs: 30_000 },
    resolve: async () => ['127.0.0.1'],
    allow: (address, at) => address === '127.0.0.1' && at === port,
  })
  let storage: Storage | undefined
  const site = await createTestSite({
    profile: full,
    seed: {
      ...smallSite,
      posts: [
        ...smallSite.posts,
        builtPage('contact', formPage({ form_fields: form })),
        builtPage('unkept', formPage({ form_fields: form, ...webhook })),
      ],
    },
    services: { media, outbound },
    storage: (opened) => {
      storage = opened
      return spied(opened, (call) => {
        if (isWrite(call) || call.name === 'commit') faults.at(call.name)
      }) as typeof opened
    },
  })
  onTestFinished(() => site.dispose())
  const send = submissionHandler(site.api, {
    limit: tokenBuckets({ capacity: 1e6, perMinute: 1 }),
    failed: () => undefined,
  })
  return { site, faults, media, send, port, storage: storage as Storage, number: 0 }
}

type Opened = Awaited<ReturnType<typeof open>>

/** The paths that the records of the site have. */
async function pathsInRecords({ storage }: Opened): Promise<readonly string[]> {
  const order = { by: 'id', descending: false } as const
  const { idsPage } = await storage.posts.query({ types: ['attachment'], order, offset: 0, limit: 10_000 })
  const ids = idsPage.map(({ id }) => id)
  const metaOf = await readFileMeta(storage, ids)
  const { rows } = await storage.records.query(submissionsCollection, {})
  return [...ids.flatMap((id) => pathsOf(metaOf(id))), ...rows.flatMap(({ files }) => (files ?? []) as string[])]
}

/** The files of the seed are not there. */
const ofSeed = /^2024\/0[1-5]\//

async function sendForm({ send, site, number }: Opened, page: string): Promise<void> {
  const body = new FormData()
  for (const [name, value] of Object.entries({ post_id: site.ids[`post.${page}`], element_id: '476d0ce' }))
    body.append(name, String(value))
  body.append('form_fields[name]', `Bob ${number}`)
  body.append('form_fields[papers]', new File([`paper ${number}`], 'paper.txt', { type: 'text/plain' }))
  await send(new Request('https://quay.example/submit', { method: 'POST', body }))
}

let png: Uint8Array
beforeAll(async () => {
  png = await bytesOf(picture(200, 160), 'png')
})

const exported = (url: string) => `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Old</title><wp:wxr_version>1.2</wp:wxr_version>
  <wp:base_site_url>https://old.example</wp:base_site_url><item><title>${url}</title><wp:post_id>${url.length}</wp:post_id>
  <wp:post_date>2023-05-01 10:00:00</wp:post_date><wp:post_date_gmt>2023-05-01 10:00:00</wp:post_date_gmt>
  <wp:status>inherit</wp:status><wp:post_name>${url}</wp:post_name><wp:post_type>attachment</wp:post_type>
  <wp:attachment_url>https://old.example/wp-content/uploads/2023/05/${url}.txt</wp:attachment_url></item></channel></rss>`

async function* textOf(text: string) {
  yield new TextEncoder().encode(text)
}

/** Each prepares what it needs and returns what writes files. */
const writers: { readonly [name: string]: (opened: Opened) => Promise<() => Promise<unknown>> } = {
  'an upload': async (opened) => () => upload(opened.site, `pier-${opened.number}.png`, png, { as: 'ada' }),
  'an upload of a name that is there': async ({ site }) => {
    await upload(site, 'same.png', png, { as: 'ada' })
    return () => upload(site, 'same.png', png, { as: 'ada' })
  },
  'an upload by its address':
    async ({ site, port, number }) =>
    () =>
      site.as('ada')('POST', '/cms/v2/media', { body: { url: `http://pictures.example:${port}/${number}.gif` } }),
  'an edit of a picture': async ({ site }) => {
    const { body } = await upload(site, 'edited.png', png, { as: 'ada' })
    const edit = { src: body.source_url, modifiers: [{ type: 'rotate', args: { angle: 90 } }] }
    return () => site.as('ada')('POST', `/cms/v2/media/${body.id}/edit`, { body: edit })
  },
  'sizes that are made later': async ({ site }) => {
    const { body } = await upload(site, 'later.png', png, { as: 'ada', query: 'generate_sub_sizes=false' })
    const action = { action: 'create-image-subsizes' }
    return () => site.as('ada')('POST', `/cms/v2/media/${body.id}/post-process`, { body: action })
  },
  'a removal': async ({ site }) => {
    const { body } = await upload(site, 'removed.png', png, { as: 'ada' })
    return () => site.as('ada')('DELETE', `/cms/v2/media/${body.id}`, { query: { force: true } })
  },
  'the import of the pictures of a document': async ({ site, port, number }) => {
    const images = [number, number + 1000].map((at, index) => ({
      ...{ id: `a1b2c3${index}`, elType: 'widget', widgetType: 'image', elements: [] },
      settings: { image: { url: `http://pictures.example:${port}/${at}.gif`, id: '' } },
    }))
    const post = site.ids['post.built']
    await site.as('ada')('POST', `/cms/v2/posts/${post}`, { body: { meta: { _builder_data: JSON.stringify(images) } } })
    return () => site.as('ada')('POST', `/builder/v1/documents/${post}/media/import`)
  },
  'an import of another system': async ({ site, number }) => {
    const name = 'x'.repeat(number + 1)
    // The files of the runs before.
    await site.api.site.import(textOf(exported('x')), { media: { open: () => textOf(name) } })
    await site.api.site.import(textOf(exported(name)), {})
    return () => site.api.site.import(textOf(exported(name)), { media: { open: () => textOf(name) } })
  },
  'a form': async (opened) => () => sendForm(opened, 'contact'),
  'a form that keeps no submissions': async (opened) => () => sendForm(opened, 'unkept'),
}

/** One kind on the slowest storage: what differs there is the transaction, which both end. */
const faultKinds = [
  ...(process.env['TEST_STORAGE'] === 'postgres' ? [] : [['fails', false] as const]),
  ['ends the process', true] as const,
]

/** The steps of a run without a fault are fewer. */
const most = 80

for (const [name, prepare] of Object.entries(writers)) {
  test.each(faultKinds)(
    `${name} that %s at any of its steps leaves no file behind and loses none`,
    { timeout: 120_000 },
    async (_how, kills) => {
      const opened = await open()
      const { site, faults, media } = opened
      let hasFailed = true
      for (; hasFailed && opened.number < most; opened.number++) {
        const write = await prepare(opened)
        Object.assign(faults, { left: opened.number, kills })
        await write().catch(() => undefined)
        hasFailed = faults.hasFailed
        faults.end()
      }
      expect(hasFailed).toBe(false)
      expect(opened.number).toBeGreaterThan(3)
      await settle(site)
      const inRecords = (await pathsInRecords(opened)).filter((path) => !ofSeed.test(path))
      expect([...media.paths].toSorted()).toEqual(inRecords.toSorted())
      expect((await opened.storage.records.query(pendingFiles, {})).rows).toEqual([])
      site.failures.length = 0
    },
  )
}

/** Until the deliveries of forms are over and the clean-up has run. */
async function settle({ api, clock }: TestSite): Promise<void> {
  for (let hours = 0; hours < 40 * 24; hours += 20) {
    clock.now += 20 * hourMs
    await api.site.runDue()
  }
}

/** A document that holds two pictures, of which each gets one size. */
const seedWithFiles = () => ({
  media: ['2024/06/a.png', '2024/06/b.png'].map((file, index) => ({
    ...{ key: `m${index}`, slug: `m${index}`, title: file, file, data: Buffer.from(png).toString('base64') },
    ...{ mime_type: 'image/png', date: '2024-06-01T10:00:00' },
  })),
})

test.each(faultKinds)(
  'a seed with files that %s at any of its steps leaves none, and the next one stores them',
  async (_how, kills) => {
    const faults = new Faults()
    const media = filesWith(faults)
    let hasFailed = true
    let number = 0
    for (; hasFailed && number < most; number++) {
      const site = await createTestSite({
        profile: d1,
        seed: false,
        services: { media },
        storage: (opened) =>
          spied(opened, (call) => {
            if (isWrite(call) || call.name === 'commit') faults.at(call.name)
          }) as typeof opened,
      })
      const { api, clock } = site
      Object.assign(faults, { left: number, kills })
      await api.site.seed(seedWithFiles()).catch(() => undefined)
      hasFailed = faults.hasFailed
      faults.end()
      // A second seed begins within the hour of the notes.
      if (hasFailed && number % 2 === 0) await api.site.seed(seedWithFiles())
      const isSeeded = !(await api.site.isEmpty())
      clock.now += 2 * hourMs
      await api.site.runDue()
      expect([number, media.paths.size]).toEqual([number, isSeeded ? 4 : 0])
      media.paths.clear()
      await site.dispose()
    }
    expect(hasFailed).toBe(false)
  },
)

test('a seed that fails leaves the files that were there before', async () => {
  const media = filesWith(new Faults())
  const site = await createTestSite({
    profile: d1,
    seed: false,
    services: { media },
    storage: (opened) =>
      spied(opened, ({ name }) => {
        if (name === 'terms.insert' || name === 'posts.insert') throw new Error('the disk is gone')
      }) as typeof opened,
  })
  await media.write('2024/06/a.png', png, 'image/png')
  await expect(site.api.site.seed(seedWithFiles())).rejects.toThrow('the disk is gone')
  site.clock.now += 2 * hourMs
  await site.api.site.runDue()
  expect([...media.paths]).toEqual(['2024/06/a.png'])
  await site.dispose()
})
