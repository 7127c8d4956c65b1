import { expect, test } from 'vitest'
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { createSitePages } from '../../../../src/site-pages/index.ts'
import { memoryStorage } from '../../../../src/storage/memory/index.ts'
import { withDocuments } from '../../../support/documents-profile.ts'
import { baseUrl } from '../../../support/site.ts'
import { openSite } from './fixture.ts'

const documentLinks = {
  edit: 'https://editor.example/{id}',
  preview: '{home}/look/{id}',
  export: '{api}/site-api/v1/documents/{id}/export',
}

test('links to documents lead to the editor of the host', async () => {
  const { ada, ids, template, api } = await openSite({ documentLinks })
  const id = await template('Top')
  const { body: listed } = await ada('GET', '/builder/v1/template-library/templates')
  const [{ url, export_link }] = listed.templates
  expect([url, export_link]).toEqual([
    `${baseUrl}/look/${id}`,
    `${baseUrl}${api.root}/site-api/v1/documents/${id}/export`,
  ])
  const [part] = (await ada('GET', '/builder/v1/site-editor/templates')).body
  expect([part.editURL, part.previewUrl, part.exportLink]).toEqual([`https://editor.example/${id}`, url, export_link])
  const { body: recent } = await ada('GET', '/builder/v1/site-navigation/recent-posts', { query: 'posts_per_page=1' })
  expect(recent[0].edit_url).toBe(`https://editor.example/${recent[0].id}`)
  expect(ids['page.about']).toBeDefined()
})

test('the export link of a template leads to its file', async () => {
  const { ada, template } = await openSite({ documentLinks })
  await template('Top')
  const { body: listed } = await ada('GET', '/builder/v1/template-library/templates')
  const path = String(listed.templates[0].export_link).slice(`${baseUrl}/api`.length)
  expect((await ada('GET', path)).body).toMatchObject({ format: 'site-api/document', title: 'Top', type: 'header' })
})

test('without an editor of the host, the link of a published page leads to the page', async () => {
  const { ada, ids, api } = await openSite()
  const { body: recent } = await ada('GET', '/builder/v1/site-navigation/recent-posts', { query: 'posts_per_page=100' })
  const ferry = recent.find(({ id }: { id: number }) => id === ids['post.built'])
  const pages = createSitePages(api as never)
  const response = await pages.fetch(new Request(ferry.edit_url))
  const target = response.headers.get('location') ?? ''
  expect([response.status, new URL(target, baseUrl).pathname]).toEqual([302, '/built/'])
})

test.each([{ edit: 'https://editor.example/' }, { other: '{id}' }, 'https://editor.example/{id}'])(
  'documentLinks: %j is refused',
  (links) => {
    const options = { storage: memoryStorage(), profile: withDocuments, url: baseUrl, documentLinks: links as never }
    expect(() => createSiteApi(options)).toThrow(/documentLinks/)
  },
)
