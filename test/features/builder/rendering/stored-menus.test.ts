/** Menus that the site has stored, in documents. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { profile } from '../../../../src/core/declare/profile.ts'
import { documentFeatures } from '../../../../src/features/builder/site-documents/index.ts'
import { content } from '../../../../src/profiles/content.ts'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'

const siteWithMenu = {
  ...smallSite,
  menus: [
    {
      ...{ key: 'main', name: 'Main &amp; more', slug: 'main-menu' },
      items: [
        { key: 'home', title: 'Home', url: 'https://home.example/' },
        { key: 'about', type: 'post_type', object: 'page', object_id: 'page.about' },
        { key: 'news', type: 'taxonomy', object: 'category', object_id: 'category.guides', parent: 'about' },
      ],
    },
  ],
}

const built = profile({ ...content, features: [...content.features, ...documentFeatures] })
let site: TestSite
beforeEach(async () => {
  site = await createTestSite({
    ...{ profile: built, seed: siteWithMenu },
    render: { services: { menu: (name) => (name === 'given' ? [{ title: 'Given', url: '/given/' }] : undefined) } },
  })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

async function linksOf(menu: string): Promise<string[]> {
  const id = await storeDocument(site, [widgetElement('m1', 'nav-menu', { menu, toggle: '', dropdown: 'none' })])
  const { html = '' } = (await site.api.render.document(id)) ?? {}
  return [...html.matchAll(/href="([^"]+)"[^>]*>([^<]*)/g)].map(([, address, title]) => `${title} ${address}`)
}

const links = [
  'Home https://home.example/',
  'About https://quay.example/front/about/',
  'Guides &amp; tips https://quay.example/category/guides/',
]

test('are found by slug, id and name; those of the host come first', async () => {
  expect(await linksOf('main-menu')).toEqual(links)
  expect(await linksOf(`${site.ids['menu.main']}`)).toEqual(links)
  expect(await linksOf('Main & more')).toEqual(links)
  expect(await linksOf('given')).toEqual(['Given /given/'])
  expect(await linksOf('another')).toEqual([])
})

test('show a change at once, and leave out what visitors cannot open', async () => {
  const id = await storeDocument(site, [widgetElement('m1', 'nav-menu', { menu: 'main-menu' })])
  const shown = async () => (await site.api.render.document(id))?.html ?? ''
  expect(await shown()).toContain('front/about')
  const ada = site.as('ada')
  await ada('PUT', `/cms/v2/menu-items/${site.ids['item.home']}`, { body: { title: 'Start' } })
  expect(await shown()).toContain('>Start<')
  await ada('PUT', `/cms/v2/pages/${site.ids['page.about']}`, { body: { status: 'draft' } })
  expect(await shown()).not.toContain('front/about')
})
