import { expect, test } from 'vitest'
import { container, gif, image, openSite, picture } from './fixture.ts'

const success = { success: true, document_saved: true }

test('imports images of other sites and updates the document', async () => {
  const site = await openSite({ '/a/Pier%20at%20dusk.gif': picture(gif()) })
  await site.build([container(image(site.at('/a/Pier%20at%20dusk.gif'), 77))])
  const { status, body } = await site.importMedia()
  expect([status, body]).toEqual([200, success])
  const [{ elements }] = await site.elementsOf()
  const { url, id } = elements[0].settings.image
  expect(url).toMatch(/^https:\/\/quay\.example\/uploads\/2024\/06\/Pier-at-dusk-[\w-]+\.gif$/)
  const path = url.slice('https://quay.example/uploads/'.length)
  expect(await site.files.read(path)).toEqual(gif())
  const medium = await site.api.site.media.find(id)
  expect(medium).toMatchObject({
    ...{ type: 'attachment', status: 'inherit', title: 'Pier at dusk', slug: 'pier-at-dusk', mimeType: 'image/gif' },
    ...{ author: site.ids['user.admin'], parent: site.post },
  })
  const exported = (await site.api.site.export()).media?.find((one) => one.slug === 'pier-at-dusk')
  expect(exported).toMatchObject({ file: path, width: 3, height: 2, mime_type: 'image/gif' })
})

test('replaces references at any depth and changes nothing else', async () => {
  const site = await openSite({ '/1.gif': picture(gif(1)), '/2.gif': picture(gif(2)), '/3.gif': picture(gif(3)) })
  const link = { url: site.at('/page'), is_external: 'on' }
  const gallery = [{ _id: 'x1', image: { url: site.at('/2.gif'), id: null, alt: 'Two' } }]
  const atomic = {
    $$type: 'image',
    value: {
      src: { $$type: 'image-src', value: { id: null, url: { $$type: 'url', value: site.at('/3.gif') } } },
      size: { $$type: 'string', value: 'full' },
    },
  }
  const named = { id: 'brand', url: site.at('/named.gif') }
  const before = [
    container(image(site.at('/1.gif'), 5, { link, gallery, number: 1.5, none: null, named })),
    { ...image('', ''), settings: { image: atomic, text: site.at('/1.gif') }, styles: { s: { bg: atomic } } },
  ]
  await site.build(before)
  expect((await site.importMedia()).status).toBe(200)
  expect(site.requests.toSorted()).toEqual(['/1.gif', '/2.gif', '/3.gif'])
  const number = expect.any(Number)
  const own = (name: string) => expect.stringMatching(`^https://quay.example/uploads/2024/06/${name}-`)
  const rewritten = {
    ...atomic,
    value: {
      ...atomic.value,
      src: { $$type: 'image-src', value: { id: { $$type: 'image-attachment-id', value: number }, url: null } },
    },
  }
  expect(await site.elementsOf()).toEqual([
    container({
      ...image('', ''),
      settings: {
        image: { url: own('1'), id: number },
        gallery: [{ _id: 'x1', image: { url: own('2'), id: number, alt: 'Two' } }],
        ...{ link, number: 1.5, none: null, named },
      },
    }),
    {
      ...image('', ''),
      settings: { image: rewritten, text: site.at('/1.gif') },
      styles: { s: { bg: rewritten } },
    },
  ])
})

test('an import saves a revision, a new date, and emits events', async () => {
  const site = await openSite({ '/1.gif': picture(gif()) })
  await site.build([image(site.at('/1.gif'))])
  const revisions = async () =>
    (await site.ada('GET', `/cms/v2/posts/${site.post}/revisions`, { query: 'context=edit' })).body
  const count = (await revisions()).length
  const events: unknown[] = []
  site.api.on('media.created', () => events.push('medium'))
  site.api.on('post.updated', ({ changedMeta }) => events.push(changedMeta))
  site.api.on('revision.created', ({ post }) => events.push(post))
  site.clock.now += 60_000
  await site.importMedia()
  expect(events).toEqual(['medium', ['_builder_data'], site.post])
  const [latest, ...others] = await revisions()
  expect(others).toHaveLength(count)
  expect(JSON.parse(latest.meta._builder_data)).toEqual(await site.elementsOf())
  const post = (await site.ada('GET', `/cms/v2/posts/${site.post}`)).body
  expect(post.modified_gmt).toBe('2024-06-15T12:01:00')
})

test('stores the same file once for all addresses, also in later imports', async () => {
  const pages = { '/1.gif': picture(gif()), '/copy.gif': picture(gif()), '/other.gif': picture(gif(1)) }
  const site = await openSite(pages)
  await site.build([image(site.at('/1.gif')), image(site.at('/copy.gif')), image(site.at('/1.gif'))])
  await site.importMedia()
  const first = (await site.elementsOf()).map((one: { settings: { image: object } }) => one.settings.image)
  expect([first[1], first[2]]).toEqual([first[0], first[0]])
  expect(site.files.paths.size).toBe(1)
  await site.build([image(site.at('/copy.gif')), image(site.at('/other.gif'))])
  await site.importMedia()
  const second = (await site.elementsOf()).map((one: { settings: { image: object } }) => one.settings.image)
  expect(second[0]).toEqual(first[0])
  expect(second[1]).not.toEqual(first[0])
  expect(site.files.paths.size).toBe(2)
})

test('imports a removed medium again', async () => {
  const site = await openSite({ '/1.gif': picture(gif()) })
  await site.build([image(site.at('/1.gif'))])
  await site.importMedia()
  const [{ settings: before }] = await site.elementsOf()
  await site.api.site.media.remove(before.image.id)
  await site.build([image(site.at('/1.gif'))])
  await site.importMedia()
  const [{ settings: after }] = await site.elementsOf()
  expect(after.image.id).toBeGreaterThan(before.image.id)
  expect(await site.api.site.media.find(after.image.id)).toBeDefined()
})

test('leaves library images unchanged; a second import changes nothing', async () => {
  const site = await openSite({ '/1.gif': picture(gif()) })
  await site.build([image(site.at('/1.gif')), image('https://quay.example/uploads/2024/01/pier.jpg', 3)])
  await site.importMedia()
  const [elements, requests] = [await site.elementsOf(), site.requests.length]
  const events: unknown[] = []
  site.api.on('post.updated', (payload) => events.push(payload))
  expect((await site.importMedia()).body).toEqual(success)
  expect([await site.elementsOf(), site.requests.length, events]).toEqual([elements, requests, []])
})

test.each([
  ['no elements', ''],
  ['an empty list', '[]'],
  ['no images', '[{"id":"a1","elType":"container","settings":{},"elements":[]}]'],
])('does not change a document with %s', async (_, elements) => {
  const site = await openSite({})
  await site.build(elements)
  expect((await site.importMedia()).body).toEqual(success)
})

test('imports images of templates', async () => {
  const site = await openSite({})
  expect((await site.importMedia(site.ids['document.part'] ?? 0)).body).toEqual(success)
})

test('detects the image type from the bytes, not from the declared type', async () => {
  const png = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0, 0, 5, 8, 6,
  ]
  const site = await openSite({ '/1.php': picture(Uint8Array.from(png), 'text/html') })
  await site.build([image(site.at('/1.php'))])
  await site.importMedia()
  const [path = ''] = site.files.paths
  expect(path).toMatch(/^2024\/06\/1-[\w-]+\.png$/)
})

test('uses names with path or URL syntax only as titles', async () => {
  const site = await openSite({
    '/..%2f..%2fetc%2fpasswd': picture(gif(1)),
    '/%3Cscript%3E.gif': picture(gif(2)),
    '/%E6%97%A5%00.gif': picture(gif(3)),
    '/%zz.gif': picture(gif(4)),
  })
  await site.build(
    ['/..%2f..%2fetc%2fpasswd', '/%3Cscript%3E.gif', '/%E6%97%A5%00.gif', '/%zz.gif'].map((path) =>
      image(site.at(path)),
    ),
  )
  expect((await site.importMedia()).status).toBe(200)
  expect(site.files.paths.size).toBe(4)
  for (const path of site.files.paths) expect(path).toMatch(/^2024\/06\/[\w-]+\.gif$/)
})

test('parallel imports store each file once', async () => {
  const site = await openSite({ '/1.gif': picture(gif()) })
  const part = site.ids['document.part'] ?? 0
  await site.build([image(site.at('/1.gif'))])
  const responses = await Promise.all([site.importMedia(), site.importMedia(), site.importMedia(part)])
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  const media = (await site.api.site.export()).media ?? []
  expect([media.length, site.files.paths.size]).toEqual([2, 1])
  expect(site.failures).toEqual([])
})
