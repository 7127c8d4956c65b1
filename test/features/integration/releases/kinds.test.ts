/** Releases take every kind of record that editors change: each is written to one, published and undone. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { full } from '../../../../src/profiles/full.ts'
import { createSitePages } from '../../../../src/site-pages/index.ts'
import { createTestSite, failuresOf, type Requester, type TestSite } from '../../../support/site.ts'

let site: TestSite
let ada: Requester
let release: number
let inRelease: Requester
beforeEach(async () => {
  site = await createTestSite({ profile: full })
  ada = site.as('ada')
  release = (await ada('POST', '/site-api/v1/releases', { body: { name: 'Summer' } })).body.id
  inRelease = (method, path, input = {}) =>
    ada(method, path, { ...input, headers: { ...input.headers, 'X-CMS-Release': String(release) } })
})
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

const made = async (send: Requester, path: string, body: object, method = 'POST') => {
  const answer = await send(method, path, { body })
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

/** The parts of the site that the writes below change, and no more than what the export has. */
const shown = async () =>
  JSON.parse(
    JSON.stringify(await site.api.site.export({ ids: true }), (name, value) =>
      /^modified/.test(name) ? undefined : value,
    ),
  )

interface Kind {
  /** Runs before the release is written to. */
  readonly prepare?: () => Promise<number | string>
  readonly write: (send: Requester, prepared: number | string) => Promise<unknown>
  /** The address that shows what was written. */
  readonly path: (prepared: number | string) => string
}

const file = { 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="one.txt"' }

const kinds: { readonly [kind: string]: Kind } = {
  'the texts of a medium': {
    prepare: async () => (await ada('POST', '/cms/v2/media', { body: 'one', headers: file })).body.id,
    write: (send, id) => made(send, `/cms/v2/media/${id}`, { alt_text: 'The pier', title: 'Pier' }),
    path: (id) => `/cms/v2/media/${id}`,
  },
  'a menu with an item': {
    write: async (send) => {
      const menu = await made(send, '/cms/v2/menus', { name: 'Main' })
      await made(send, '/cms/v2/menu-items', {
        ...{ title: 'Ferries', url: 'https://quay.example/ferries/', status: 'publish', menus: menu.id },
      })
    },
    path: () => '/cms/v2/menu-items?context=edit',
  },
  'a colour and a typography': {
    write: async (send) => {
      await made(send, '/builder/v1/globals/colors/sea', { title: 'Sea', value: '#2F6B4F' })
      await made(send, '/builder/v1/globals/typography/large', { title: 'Large', value: {} })
    },
    path: () => '/builder/v1/globals',
  },
  'a variable': {
    write: (send) =>
      made(send, '/builder/v1/variables/create', { type: 'global-color-variable', label: 'sea', value: '#ffffff' }),
    path: () => '/builder/v1/variables/list',
  },
  'a component': {
    write: (send) =>
      made(send, '/builder/v1/components', {
        ...{ status: 'publish', items: [{ uid: 'one', title: 'Card', elements: [] }] },
      }),
    path: () => '/builder/v1/components',
  },
  'a template': {
    write: (send) => made(send, '/site-api/v1/documents', { kind: 'template', title: 'Top', type: 'header' }),
    path: () => '/site-api/v1/documents?kind=template',
  },
  'the conditions of a template': {
    prepare: async () =>
      (await made(ada, '/site-api/v1/documents', { kind: 'template', title: 'Top', type: 'header' })).id,
    write: (send, id) =>
      made(send, `/builder/v1/site-editor/templates-conditions/${id}`, {
        conditions: [['include', 'general', '', '']],
      }),
    path: (id) => `/builder/v1/site-editor/templates-conditions/${id}`,
  },
  'a global class': {
    write: (send) => {
      const item = { id: 'g-1234567', type: 'class', label: 'card', variants: [] }
      const changes = { added: [item.id], deleted: [], modified: [] }
      return made(send, '/builder/v1/global-classes', { changes, items: { [item.id]: item }, order: [item.id] }, 'PUT')
    },
    path: () => '/builder/v1/global-classes',
  },
  'a term with its parent': {
    write: async (send) => {
      const above = await made(send, '/cms/v2/categories', { name: 'Boats' })
      await made(send, '/cms/v2/categories', { name: 'Ferries', parent: above.id })
    },
    path: () => '/cms/v2/categories?per_page=100',
  },
  'a post in the trash': {
    prepare: async () => (await made(ada, '/cms/v2/posts', { title: 'Tides', status: 'publish' })).id,
    write: (send, id) => made(send, `/cms/v2/posts/${id}`, {}, 'DELETE'),
    path: () => '/cms/v2/posts?context=edit&status=trash',
  },
}

test.each(Object.entries(kinds))('takes %s', async (_, { prepare, write, path }) => {
  const prepared = (await prepare?.()) ?? 0
  const before = await shown()
  await write(inRelease, prepared)
  expect(await shown()).toEqual(before)
  const address = path(prepared)
  const preview = (await inRelease('GET', address)).body
  expect(preview).not.toEqual((await ada('GET', address)).body)
  const published = await ada('POST', `/site-api/v1/releases/${release}/publish`)
  expect(published.status, JSON.stringify(published.body)).toBe(200)
  expect((await ada('GET', address)).body).toEqual(preview)
  expect((await ada('POST', `/site-api/v1/releases/${release}/undo`)).status).toBe(200)
  expect(await shown()).toEqual(before)
})

test('draws built pages of the release and of the site apart, whichever comes first', async () => {
  const page = await made(ada, '/cms/v2/pages', { title: 'Pier', status: 'publish' })
  const heading = (title: string) => ({
    ...{ id: 'aaaa111', elType: 'widget', widgetType: 'heading', isInner: false, elements: [] },
    settings: { title },
  })
  const documentPath = `/site-api/v1/documents/${page.id}`
  await made(ada, documentPath, { elements: [heading('Low water')] })
  const pages = createSitePages(site.api)
  const { token } = await made(ada, `/site-api/v1/releases/${release}/previews`, {})
  const read = async (cookie: string) =>
    (await pages.fetch(new Request(page.link, { headers: cookie === '' ? {} : { cookie } }))).text()
  const content = async (send: Requester) => (await send('GET', `/cms/v2/pages/${page.id}`)).body.content.rendered
  expect([await read(''), await content(ada)].every((text) => text.includes('Low water'))).toBe(true)

  await made(inRelease, documentPath, { elements: [heading('High water')] })
  const cookie = `site_release=${token}`
  for (let time = 0; time < 2; time++) {
    expect([await read(cookie), await content(inRelease)].every((text) => text.includes('High water'))).toBe(true)
    expect([await read(''), await content(ada)].every((text) => text.includes('Low water'))).toBe(true)
  }
  await made(ada, `/site-api/v1/releases/${release}/publish`, {})
  expect([await read(''), await content(ada)].every((text) => text.includes('High water'))).toBe(true)
})
