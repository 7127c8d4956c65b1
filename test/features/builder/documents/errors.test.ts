/** Permissions and errors of the media import; a failed import leaves no files or records. */
import { expect, test } from 'vitest'
import { type Storage, StorageUnavailable } from '../../../../src/contract/storage.ts'
import { spied } from '../../../support/spied-storage.ts'
import { gif, image, openSite, type Page, picture, siteWith } from './fixture.ts'

const code = 'builder_import_error'

test('only administrators import media', async () => {
  const site = await openSite({})
  for (const [login, status] of [
    [null, 401],
    ['sam', 403],
    ['connie', 403],
    ['arthur', 403],
    ['edith', 403],
    ['ada', 200],
  ] as const) {
    const response = await site.importMedia(site.post, site.as(login))
    expect([login, response.status]).toEqual([login, status])
    if (status !== 200) expect(response.body.code).toBe('rest_forbidden')
    // The status does not reveal whether a document exists.
    if (status !== 200) expect((await site.importMedia(999_999, site.as(login))).status).toBe(status)
  }
})

test('rejects users who may not edit the document', async () => {
  const site = await openSite({})
  const capabilities = { manage_options: true }
  await site.api.site.users.update(site.ids['user.contributor'] ?? 0, { capabilities })
  const { status, body } = await site.importMedia(site.post, site.as('connie'))
  expect([status, body.code, body.data]).toEqual([403, code, { status: 403 }])
  const page = await site.importMedia(site.ids['page.about'] ?? 0, site.as('connie'))
  expect(page.status).toBe(403)
})

test('responds with 404 for posts that are no document', async () => {
  const site = await openSite({})
  for (const id of [999_999, site.ids['media.pier'] ?? 0, site.ids['revision.hello.1'] ?? 0, '99999999999999999999']) {
    const { status, body } = await site.importMedia(id)
    expect([id, status, body.code]).toEqual([id, 404, code])
  }
  for (const id of ['abc', '1x', '-1']) expect((await site.importMedia(id)).body.code).toBe('rest_no_route')
})

test('responds with 409 when the elements are not valid JSON', async () => {
  const site = await openSite({}, { seed: siteWith('{broken') })
  const { status, body } = await site.importMedia()
  expect([status, body.code]).toEqual([409, code])
})

const html: Page = (response) => void response.writeHead(200, { 'content-type': 'image/gif' }).end('<html>')
const svg: Page = (response) =>
  void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>')
const status410: Page = (response) => void response.writeHead(410).end()
const broken: Page = (response) => void response.writeHead(500).end()
const cut: Page = (response) => void response.destroy()
const away: Page = (response) => void response.writeHead(302, { location: 'http://169.254.169.254/x.gif' }).end()
const large = picture(new Uint8Array(1024 * 1024 + 1))

test.each<[string, number, Page]>([
  ['no image', 400, html],
  ['an SVG', 400, svg],
  ['empty', 400, picture(new Uint8Array())],
  ['too large', 400, large],
  ['a redirect to a private address', 400, away],
  ['deleted', 502, status410],
  ['broken', 502, broken],
  ['cut off', 502, cut],
])('one image that is %s fails the import and leaves nothing', async (_, status, page) => {
  const site = await openSite({ '/good.gif': picture(gif()), '/bad.gif': page })
  await site.build([image(site.at('/good.gif')), image(site.at('/bad.gif'))])
  const before = await site.api.site.export()
  const response = await site.importMedia()
  expect([response.status, response.body.code, response.body.data]).toEqual([status, code, { status }])
  expect(site.files.paths.size).toBe(0)
  expect(await site.api.site.export()).toEqual(before)
  expect(site.failures).toEqual([])
})

test.each([
  'http://private.example/a.gif',
  'http://127.0.0.1/a.gif',
  'http://[::1]/a.gif',
  'http://a:b@c.example/d.gif',
])('never requests %s', async (address) => {
  const site = await openSite({})
  await site.build([image(address)])
  const { status, body } = await site.importMedia()
  expect([status, body.code, site.requests]).toEqual([400, code, []])
})

test('ignores other URL schemes', async () => {
  const site = await openSite({})
  const elements = ['file:///etc/passwd', 'data:image/gif;base64,R0lG', 'javascript:alert(1)', '//x.example/a.gif'].map(
    (url) => image(url),
  )
  await site.build(elements)
  expect((await site.importMedia()).status).toBe(200)
  expect([await site.elementsOf(), site.requests]).toEqual([elements, []])
})

test('limits the images of one document', async () => {
  const site = await openSite({})
  await site.build(Array.from({ length: 101 }, (_, index) => image(site.at(`/${index}.gif`))))
  const { status, body } = await site.importMedia()
  expect([status, body.code, site.requests]).toEqual([400, code, []])
})

test('an error of the media service leaves no files or records', async () => {
  const site = await openSite({ '/1.gif': picture(gif(1)), '/2.gif': picture(gif(2)) })
  await site.build([image(site.at('/1.gif')), image(site.at('/2.gif'))])
  const before = await site.api.site.export()
  site.files.fails = true
  const { status, body } = await site.importMedia()
  expect([status, body.code]).toEqual([503, 'storage_unavailable'])
  expect([site.files.paths.size, site.failures.length]).toEqual([0, 1])
  expect(await site.api.site.export()).toEqual(before)
})

test('a storage error during the save leaves no files or records', async () => {
  let fails = false
  const site = await openSite(
    { '/1.gif': picture(gif(1)) },
    {
      storage: (opened) => ({
        ...opened,
        changes: () => opened.changes?.() ?? 0,
        atomic: (work) =>
          opened.atomic!((transaction) =>
            work({
              ...transaction,
              meta: {
                read: (...args) => transaction.meta.read(...args),
                write(owner, entries) {
                  if (fails && entries.some(({ key }) => key === '_builder_data')) throw new Error('the disk is gone')
                  return transaction.meta.write(owner, entries)
                },
              },
            }),
          ),
      }),
    },
  )
  await site.build([image(site.at('/1.gif'))])
  const before = await site.api.site.export()
  fails = true
  expect((await site.importMedia()).status).toBe(500)
  expect(site.files.paths.size).toBe(0)
  expect(await site.api.site.export()).toEqual(before)
})

test('files stay when the end of the commit is not known, because media refer to them', async () => {
  let fails = false
  const site = await openSite(
    { '/1.gif': picture(gif(1)) },
    {
      storage: (opened) => ({
        ...opened,
        changes: () => opened.changes?.() ?? 0,
        async atomic(work) {
          let stores = false
          const inside = (transaction: Storage) =>
            work(
              spied(transaction, ({ name }) => {
                if (name === 'posts.insert') stores = true
              }),
            )
          const result = await opened.atomic!(inside)
          if (fails && stores) throw new StorageUnavailable('the connection ended', { written: 'perhaps' })
          return result
        },
      }),
    },
  )
  await site.build([image(site.at('/1.gif'))])
  fails = true
  expect((await site.importMedia()).status).toBe(503)
  fails = false
  expect(site.files.paths.size).toBe(1)
  const [{ settings }] = await site.elementsOf()
  expect(settings.image.url).toContain([...site.files.paths][0])
  site.failures.length = 0
})

test('preserves a save that happens during the download', async () => {
  const site = await openSite({ '/1.gif': picture(gif(1)) })
  await site.build([image(site.at('/1.gif'))])
  site.pages['/1.gif'] = async (response) => {
    await site.build([image(site.at('/1.gif'), '', { caption: 'Written meanwhile' })])
    response.writeHead(200, { 'content-type': 'image/gif' }).end(gif(1))
  }
  expect((await site.importMedia()).status).toBe(200)
  const [{ settings }] = await site.elementsOf()
  expect(settings.caption).toBe('Written meanwhile')
  expect(settings.image.url).toContain('https://quay.example/uploads/')
})
