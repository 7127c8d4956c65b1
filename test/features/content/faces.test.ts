/** The setting `use_smilies`: whether faces typed with signs become emoji, wherever texts are shown. */
import { afterEach, expect, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { full } from '../../../src/profiles/full.ts'
import { createTestPages, type TestPages } from '../../site-pages/pages.ts'
import { storeTemplate, widgetElement } from '../../support/documents.ts'

let site: TestPages
let storage: Storage
afterEach(() => site.dispose())

const text = 'High water :) at noon'
const faceOf = (html: string) => /High water (\S+) at noon/.exec(html)?.[1]

/** How each place shows the same text. */
async function shown() {
  const ada = site.as('ada')
  const post = site.ids['post.tide'] as number
  const elements = [widgetElement('c1', 'theme-post-content')]
  const template = await storeTemplate(storage, 'single-post', elements, { author: site.ids['user.admin'] ?? 0 })
  const { body: written } = await ada('GET', `/cms/v2/posts/${post}`)
  const made = await ada('POST', `/cms/v2/posts/${post}`, { body: { excerpt: '' } })
  await ada('POST', `/cms/v2/posts/${post}`, { body: { excerpt: text } })
  const { body: revisions } = await ada('GET', `/cms/v2/posts/${post}/revisions`)
  const { body: medium } = await ada('GET', `/cms/v2/media/${site.ids['media.pier']}`)
  const { body: comments } = await ada('GET', '/cms/v2/comments', { query: `post=${post}` })
  const { body: embedded } = await ada('GET', `/cms/v2/posts/${post}`, { query: '_embed=cms:featuredmedia' })
  return {
    content: faceOf(written.content.rendered),
    excerpt: faceOf(written.excerpt.rendered),
    'excerpt of the content': faceOf(made.body.excerpt.rendered),
    revision: faceOf(revisions[0].content.rendered),
    caption: faceOf(medium.caption.rendered),
    description: faceOf(medium.description.rendered),
    'embedded caption': faceOf(JSON.stringify(embedded._embedded)),
    comment: faceOf(comments[0].content.rendered),
    template: faceOf((await site.api.render.document(template, { post }))?.html ?? ''),
    page: faceOf((await site.get(new URL(written.link).pathname)).text),
    raw: faceOf((await ada('GET', `/cms/v2/posts/${post}`, { query: 'context=edit' })).body.content.raw),
  }
}

test('contents, excerpts, captions and comments show emoji, and signs once the setting is off', async () => {
  site = await createTestPages({
    profile: full,
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
  const ada = site.as('ada')
  const [post, medium] = [site.ids['post.tide'], site.ids['media.pier']]
  const texts = { content: text, excerpt: text, featured_media: medium }
  expect((await ada('POST', `/cms/v2/posts/${post}`, { body: texts })).status).toBe(200)
  await ada('POST', `/cms/v2/media/${medium}`, { body: { caption: text, description: text } })
  await ada('POST', '/cms/v2/comments', { body: { post, content: text } })

  const on = await shown()
  expect(on).toEqual({ ...Object.fromEntries(Object.keys(on).map((place) => [place, '🙂'])), raw: ':)' })
  await ada('PATCH', '/cms/v2/settings', { body: { use_smilies: false } })
  const off = await shown()
  expect(off).toEqual(Object.fromEntries(Object.keys(on).map((place) => [place, ':)'])))
  await ada('PATCH', '/cms/v2/settings', { body: { use_smilies: true } })
  expect(await shown()).toEqual(on)
})
