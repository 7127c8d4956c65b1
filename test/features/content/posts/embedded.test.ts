/** The records that `_embed` adds to posts. */

import { expect, onTestFinished, test } from 'vitest'
import type { Json } from '../../../../src/contract/storage.ts'
import { type CreateMedia, createMedia } from '../../../../src/services/media.ts'
import { memoryMedia } from '../../../../src/services/media-driver.ts'
import { createTestSite } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'

const file = '2024/01/piér & sea.jpg'
const image = { width: 1200, height: 800, file, sizes: {} }

async function openSite(options: CreateMedia = {}) {
  const [pier] = smallSite.media
  const site = await createTestSite({
    seed: { ...smallSite, media: [{ ...pier, file, alt_text: 'A pier' }] },
    services: { media: createMedia({ driver: memoryMedia(), ...options }) },
  })
  onTestFinished(() => site.dispose())
  const embedded = async (key: string, query = '_embed') =>
    (await site.visitor('GET', `/cms/v2/posts/${site.ids[`post.${key}`]}`, { query })).body._embedded
  return { ...site, embedded }
}

const root = 'https://quay.example/api/cms/v2'

test('embeds an image with its file, size and alternative text', async () => {
  const { embedded, ids } = await openSite()
  const { 'cms:featuredmedia': media } = await embedded('tide', '_embed=cms:featuredmedia')
  expect(media).toMatchObject([
    {
      id: ids['media.pier'],
      title: { rendered: 'Pier at dusk' },
      alt_text: 'A pier',
      caption: { rendered: '' },
      media_type: 'image',
      mime_type: 'image/jpeg',
      featured_media: 0,
      media_details: image,
      source_url: 'https://quay.example/uploads/2024/01/pi%C3%A9r%20%26%20sea.jpg',
      _links: {
        about: [{ href: `${root}/types/attachment` }],
        author: [{ href: `${root}/users/${ids['user.editor']}` }],
      },
    },
  ])
})

test.each<[string, { readonly [key: string]: Json }, { readonly [member: string]: unknown }]>([
  ['without its text', { _attachment_alt_text: null }, { alt_text: '' }],
  ['without its size', { _attachment_metadata: null }, { media_details: { file, sizes: {} } }],
  ['with a size that is a text', { _attachment_metadata: 'large' }, { media_details: { file, sizes: {} } }],
  ['with a width alone', { _attachment_metadata: { width: 12 } }, { media_details: { file, sizes: {} } }],
  ['with a height alone', { _attachment_metadata: { height: 8 } }, { media_details: { file, sizes: {} } }],
  ['without its file', { _attached_file: null }, { source_url: '', alt_text: '', media_details: { sizes: {} } }],
  ['with a file that is a number', { _attached_file: 5 }, { source_url: '', media_details: { sizes: {} } }],
])('embeds an image %s', async (_, meta, shown) => {
  const { api, embedded, ids } = await openSite()
  const id = ids['media.pier'] ?? 0
  const entries = Object.entries(meta).map(([key, value]) => ({ id, key, value }))
  await api['~parts'].storage.meta.write('post', entries)
  const [medium] = (await embedded('tide', '_embed=cms:featuredmedia'))['cms:featuredmedia']
  expect(medium).toMatchObject({ id, ...shown })
  expect(medium.media_details).toEqual(shown['media_details'] ?? image)
})

test('builds the URL of an image from the address of the media service', async () => {
  const { embedded, visitor } = await openSite({ address: 'https://cdn.example/files/' })
  const address = 'https://cdn.example/files/2024/01/pi%C3%A9r%20%26%20sea.jpg'
  expect((await embedded('tide'))['cms:featuredmedia'][0].source_url).toBe(address)
  const { body } = await visitor('GET', '/oembed/1.0/embed', { query: 'url=https://quay.example/tide/' })
  expect(body.thumbnail_url).toBe(address)
})

test('embeds terms with links to their taxonomy and posts', async () => {
  const { embedded, ids, visitor } = await openSite()
  const { 'cms:term': terms } = await embedded('ferry')
  const news = ids['category.news']
  expect(terms[0]).toMatchObject([
    {
      id: news,
      slug: 'news',
      taxonomy: 'category',
      _links: {
        about: [{ href: `${root}/taxonomies/category` }],
        'cms:post_type': [{ href: `${root}/posts?categories=${news}` }],
      },
    },
  ])
  expect(terms[1][0]._links['cms:post_type']).toEqual([{ href: `${root}/posts?tags=${ids['tag.red']}` }])
  expect((await visitor('GET', '/cms/v2/posts', { query: `categories=${news}` })).body).toHaveLength(1)
})
