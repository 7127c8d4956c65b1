/** Tests the result of each dynamic tag for its settings, the current post, the template context and the reader. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(() => site.dispose())

/** `$post.tide` is the id of a record of the small site. */
const withIds = (values: object): object =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => {
      if (typeof value === 'object' && value !== null) return [name, withIds(value)]
      return [name, typeof value === 'string' && value.startsWith('$') ? site.ids[value.slice(1)] : value]
    }),
  )
const tag = (name: string, settings: object) =>
  `[builder-tag id="a1" name="${name}" settings="${encodeURIComponent(JSON.stringify(withIds(settings)))}"]`

async function htmlOf(element: object, context: object): Promise<string> {
  const id = await storeDocument(site, [element])
  return (await site.api.render.document(id, withIds(context)))?.html ?? ''
}

test.each<[name: string, settings: object, context: object, text: string]>([
  [
    'post-date',
    { type: 'post_modified_gmt', format: 'custom', custom_format: 'd/m/y L t z o W w D l F M n A a G g h H:i:s' },
    { post: '$post.hello' },
    '01/02/24 1 29 31 2024 05 4 Thu Thursday February Feb 2 PM pm 12 12 12 12:00:00',
  ],
  ['post-date', { type: 'post_modified_gmt', format: 'human' }, { post: '$post.hello' }, '4 months ago'],
  [
    'post-date',
    { format: 'custom', custom_format: 'c | P | O | e | T | U' },
    { post: '$post.tide' },
    '2024-01-14T09:00:00+00:00 | +00:00 | +0000 | Europe/Lisbon | Europe/Lisbon | 1705222800',
  ],
  ['post-date', { format: 'custom', custom_format: 'jS \\' }, { post: '$post.ferry' }, '12th '],
  ['post-date', { format: 'human' }, { post: '$post.future', user: '$user.admin' }, 'in 74 years'],
  ['post-date', { format: 'human' }, { post: '$post.draft', user: '$user.admin' }, ''],
  ['post-time', { format: 'g:i A' }, { post: '$post.tide' }, '9:00 AM'],
  ['current-date-time', { date_format: 'custom', custom_format: 'l H' }, {}, 'Saturday 13'],
  ['current-date-time', { date_format: 'none', time_format: 'H:i' }, {}, '13:00'],
  ['current-date-time', { date_format: 'Y-m-d', time_format: 'none' }, {}, '2024-06-15'],
  ['featured-image-data', { attachment_data: 'toString' }, { post: '$post.tide' }, ''],
  [
    'featured-image-data',
    { attachment_data: 'src' },
    { post: '$post.tide' },
    'https://quay.example/uploads/2024/01/pier.jpg',
  ],
  ['featured-image-data', {}, { post: '$post.hello' }, ''],
  ['post-excerpt', { apply_to_post_content: 'yes' }, { post: '$post.hello' }, '<p>Third wording.</p>\n'],
  ['post-excerpt', { apply_to_post_content: 'yes' }, { post: '$post.locked' }, ''],
  ['post-excerpt', { max_length: 4 }, { post: '$post.tide' }, 'A'],
  [
    'comments-number',
    { format_no_comments: 'None <yet>', link_to: 'comments_link' },
    { post: '$post.tide' },
    '<a href="https://quay.example/tide/#comments">None &lt;yet&gt;</a>',
  ],
  ['author-meta', { key: 'user_url' }, { post: '$post.tide' }, ''],
  ['author-meta', { key: 'nicename' }, { post: '$post.tide' }, 'aiko-author'],
  ['author-info', {}, { post: '$post.tide' }, ''],
  ['user-info', { type: 'id' }, { user: '$user.editor' }, '2'],
  ['user-info', { type: 'display_name' }, { user: '$user.editor' }, 'Edith Editor'],
  ['user-info', { type: 'meta', meta_key: 'description' }, { user: '$user.editor' }, ''],
  ['user-info', { type: 'meta', meta_key: 'session_tokens' }, { user: '$user.editor' }, ''],
  ['request-arg', { request_type: 'post', param_name: 'q' }, { url: 'https://quay.example/?q=1' }, ''],
  ['request-arg', { param_name: 'q' }, { url: 'https://quay.example/?q=1#x' }, '1'],
  ['request-arg', { param_name: 'q' }, { url: 'https://quay.example/#x?q=1' }, ''],
  ['request-arg', { param_name: 'q' }, {}, ''],
  ['page-title', {}, { templateContext: { notFound: true } }, 'Page Not Found'],
  ['page-title', {}, { post: '$page.front' }, ''],
  ['page-title', { show_home_title: 'yes' }, { post: '$page.front' }, 'Front'],
  [
    'page-title',
    { include_context: 'yes' },
    { templateContext: { archive: 'term', term: '$category.news' } },
    'Category: News',
  ],
  ['archive-title', {}, { templateContext: { archive: 'term', term: '$category.news' } }, 'Category: News'],
  ['archive-title', { include_context: '' }, { templateContext: { archive: 'term', term: '$tag.red' } }, 'Red'],
  ['archive-title', {}, { templateContext: { archive: 'term', term: '$tag.red' } }, 'Tag: Red'],
  ['archive-title', {}, { templateContext: { archive: 'author', user: '$user.author2' } }, 'Author: Aiko Author'],
  [
    'archive-title',
    {},
    { templateContext: { archive: 'search' }, url: 'https://quay.example/?s=low+%3Cb%3E' },
    'Search Results for: low &lt;b&gt;',
  ],
  ['archive-title', {}, { templateContext: { archive: 'posts' } }, 'Archives'],
  ['archive-title', {}, { templateContext: { archive: 'date' } }, 'Archives'],
  ['archive-title', {}, { templateContext: { archive: 'term', term: 999999 } }, ''],
  ['archive-description', {}, { templateContext: { archive: 'term', term: '$category.news' } }, 'All the news'],
  ['archive-description', {}, { templateContext: { archive: 'author', user: '$user.author2' } }, ''],
  ['archive-description', {}, { templateContext: { archive: 'posts' } }, ''],
])('%s with %o in %o', async (name, settings, context, text) => {
  const element = widgetElement('a', 'text-editor', { __dynamic__: { editor: tag(name, settings) } })
  expect(/data-id="a"[^>]*>(.*)<\/div><\/div>$/s.exec(await htmlOf(element, context))?.[1] ?? '').toBe(text)
})

test.each<[name: string, settings: object, context: object, address: string | undefined]>([
  ['internal-url', { type: 'author', author_id: '$user.author2' }, {}, 'https://quay.example/author/aiko-author/'],
  ['internal-url', { type: 'author', author_id: 999999 }, {}, undefined],
  [
    'internal-url',
    { type: 'attachment', attachment_id: '$media.pier' },
    {},
    'https://quay.example/uploads/2024/01/pier.jpg',
  ],
  ['internal-url', { type: 'post', post_id: '$post.tide' }, {}, 'https://quay.example/tide/'],
  ['internal-url', { type: 'post' }, {}, undefined],
  ['internal-url', { type: 'taxonomy', term_id: '$tag.red' }, {}, 'https://quay.example/tag/red/'],
  ['internal-url', { type: 'toString' }, {}, undefined],
  ['contact-url', { link_type: 'email', mail_to: 'a@b.example' }, {}, 'mailto:a@b.example'],
  ['contact-url', { link_type: 'email', mail_subject: 'Hi' }, {}, undefined],
  ['contact-url', { link_type: 'tel', tel_number: '+1 (2) 3-4' }, {}, 'tel:+1234'],
  ['contact-url', { link_type: 'tel', tel_number: 'none' }, {}, undefined],
  ['contact-url', { link_type: 'sms', tel_number: '12' }, {}, 'sms:12'],
  ['contact-url', { link_type: 'whatsapp', tel_number: '' }, {}, undefined],
  ['contact-url', { link_type: 'skype', username: 'a b', skype_action: 'chat' }, {}, 'skype:a%20b?chat'],
  ['contact-url', { link_type: 'skype', username: 'a b', skype_action: 'x' }, {}, 'skype:a%20b?call'],
  ['contact-url', { link_type: 'skype' }, {}, undefined],
  ['contact-url', { link_type: 'messenger', username: 'a/b' }, {}, 'https://m.me/a%2Fb'],
  ['contact-url', { link_type: 'messenger' }, {}, undefined],
  ['contact-url', { link_type: 'viber', tel_number: '+12' }, {}, 'viber://chat?number=%2B12'],
  ['contact-url', { link_type: 'viber' }, {}, undefined],
  [
    'contact-url',
    { link_type: 'waze', location: 'Quay 1, Lisbon' },
    {},
    'https://waze.com/ul?q=Quay%201%2C%20Lisbon&amp;navigate=yes',
  ],
  ['contact-url', { link_type: 'waze' }, {}, undefined],
  ['contact-url', { link_type: 'constructor', username: 'a' }, {}, undefined],
  ['author-url', {}, { post: '$post.tide' }, 'https://quay.example/author/aiko-author/'],
  ['author-url', { url: 'website' }, { post: '$post.tide' }, undefined],
  [
    'archive-url',
    {},
    { templateContext: { archive: 'term', term: '$category.news' } },
    'https://quay.example/category/news/',
  ],
  [
    'archive-url',
    {},
    { templateContext: { archive: 'author', user: '$user.author2' } },
    'https://quay.example/author/aiko-author/',
  ],
  ['archive-url', {}, { templateContext: { archive: 'posts' } }, 'https://quay.example/'],
  ['archive-url', {}, { templateContext: { post: '$post.tide' } }, undefined],
  ['comments-url', {}, { post: '$post.tide' }, 'https://quay.example/tide/#comments'],
])('the address of %s with %o in %o', async (name, settings, context, address) => {
  const link = { url: '#' }
  const element = widgetElement('b', 'button', { text: 'b', link, __dynamic__: { link: tag(name, settings) } })
  expect(/<a[^>]* href="([^"]*)"/.exec(await htmlOf(element, context))?.[1]).toBe(address)
})
