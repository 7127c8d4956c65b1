/** The ids inside imported contents lead to the rows of this site, and never to others that have the old numbers. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'
import { author, category, exportFile, inPieces, item, site as old } from './export-file.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ profile: full })
  // The next id of a user is not the one of the file.
  await site.api.site.users.create({ login: 'eve', roles: ['subscriber'] })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const medium = (id: number) =>
  item({
    ...{ id, type: 'attachment', status: 'inherit', slug: `file-${id}`, title: `File ${id}` },
    more: `<wp:attachment_url>${old}/wp-content/uploads/${id}.jpg</wp:attachment_url>`,
    meta: [['_wp_attached_file', `${id}.jpg`]],
  })

/** Each text as a function of what its author names: two media, a post, a page, a reusable block, a term, and a user. */
interface Named {
  readonly media: readonly [number, number]
  readonly post: number
  readonly part: number
  readonly term: number
  readonly user: number
  /** Names nothing that the file has. */
  readonly gone: number
}
const inFile: Named = { media: [902, 903], post: 904, part: 905, term: 3, user: 7, gone: 5000 }

const texts: { readonly [name: string]: (ids: Named) => string } = {
  'a gallery': ({ media: [a, b] }) => `[gallery ids="${a}, ${b}" link="file"]`,
  'a gallery that leaves some out': ({ media: [a], post, gone }) => `[gallery id=${post} exclude='${a},${gone}']`,
  'a gallery with a list that it includes': ({ media: [a, b] }) => `[gallery include="${a}" exclude="${b}"]`,
  'a playlist': ({ media: [a] }) => `[playlist type="video" ids="${a}"]`,
  'a caption': ({ media: [a] }) =>
    `[caption id="attachment_${a}" width="300"]<img class="x cms-image-${a}" src="/a.jpg" /> Text[/caption]`,
  'a figure': ({ media: [a] }) =>
    `<figure id="attachment_${a}" aria-describedby="caption-attachment-${a}"><img class="attachment-300x200 wp-image-${a}" data-id="${a}" /></figure>`,
  'a link to a picture': ({ media: [a] }) => `<a href="/x" rel="attachment wp-att-${a}">x</a>`,
  'a template': ({ part }) => `[elementor-template id="${part}"]`,
  'a picture block': ({ media: [a] }) =>
    `<!-- cms:image {"id":${a},"alt":"a \\u003c b"} --><p>x</p><!-- /cms:image -->`,
  'a cover': ({ media: [a] }) =>
    `<!-- cms:cover {"url":"https://x.example/a.jpg","id":${a},"dimRatio":50} --><p>x</p><!-- /cms:cover -->`,
  'media with a text': ({ media: [a] }) => `<!-- cms:media-text {"mediaId":${a}} --><p>x</p><!-- /cms:media-text -->`,
  'a gallery block of the first kind': ({ media: [a, b] }) =>
    `<!-- cms:gallery {"ids":[${a},"${b}"],"columns":2} --><p>x</p><!-- /cms:gallery -->`,
  'a background': ({ media: [a] }) =>
    `<!-- cms:group {"style":{"background":{"backgroundImage":{"url":"/a.jpg","id":${a}}}}} --><p>x</p><!-- /cms:group -->`,
  'a reusable block': ({ part }) => `<!-- cms:block {"ref":${part}} /-->`,
  'a navigation': ({ part }) => `<!-- cms:navigation {"ref":${part}} /-->`,
  'links of a navigation': ({ post, term }) =>
    `<!-- cms:navigation-link {"label":"A","type":"post","id":${post},"url":"/a/","kind":"post-type"} /--><!-- cms:navigation-link {"label":"B","type":"category","id":${term},"url":"/b/","kind":"taxonomy"} /-->`,
  'a list of pages': ({ post }) => `<!-- cms:page-list {"parentPageID":${post}} /-->`,
  'latest posts': ({ term, user }) =>
    `<!-- cms:latest-posts {"categories":[{"id":${term},"value":"Boats","count":3}],"selectedAuthor":${user}} /-->`,
  'a query': ({ post, term, user, gone }) =>
    `<!-- cms:query {"queryId":904,"query":{"perPage":3,"author":"${user},${gone}","exclude":[${post}],"parents":[${gone}],"taxQuery":{"category":[${term}]}}} --><p>x</p><!-- /cms:query -->`,
  'a gallery in a shortcode block': ({ media: [a] }) =>
    `<!-- cms:shortcode -->[gallery ids="${a}"]<!-- /cms:shortcode -->`,
  'markup inside an attribute': ({ media: [a] }) =>
    `<!-- cms:html {"content":"\\u003cimg class=\\u0022wp-image-${a}\\u0022\\u003e [gallery ids=\\u0022${a}\\u0022]"} /-->`,
  'an address by number': ({ post, term, user, gone }) =>
    `<a href="/?p=${post}">a</a> <a href='?cat=${term}'>b</a> <a href="/?x=1&amp;author=${user}">c</a> <a href="/?page_id=${gone}">d</a>`,
}

/** Numbers that name no rows, or rows of another site. */
const untouched = [
  '[[gallery ids="902"]] [acme-form id="902"] 902',
  '<a href="https://other.example/?p=902">x</a> <p class="columns-902" id="902">902</p>',
  '<!-- cms:paragraph {"fontSize":902,"id":902} --><p>902</p><!-- /cms:paragraph -->',
  '<!-- cms:image {"id":902 --><!-- not a marker {"id":902} --><!-- cms:image {"alt":"cut',
]

const parts = [author('ann', 'ann@old.example', 'Ann'), category('boats', 'Boats')]
const rows = () => [
  ...[medium(902), medium(903)],
  item({ id: 904, slug: 'ferry-times' }),
  item({
    id: 905,
    type: 'elementor_library',
    slug: 'part',
    title: 'Part',
    meta: [['_elementor_template_type', 'section']],
  }),
]

const imported = (items: readonly string[], options = {}) =>
  site.api.site.import(inPieces(exportFile(...parts, ...items), 999), options)

/** Posts of this site have the numbers of the file: whatever still names one of them shows a stranger. */
async function found(): Promise<Named> {
  const ada = site.as('ada')
  const first = async (path: string) => (await ada('GET', path)).body[0].id as number
  const { templates } = (await ada('GET', '/builder/v1/template-library/templates')).body
  return {
    media: [await first('/cms/v2/media?slug=file-902'), await first('/cms/v2/media?slug=file-903')],
    post: await first('/cms/v2/posts?slug=ferry-times'),
    part: templates[0].template_id as number,
    term: await first('/cms/v2/categories?slug=boats'),
    user: await first('/cms/v2/users?slug=ann&context=edit'),
    gone: 0,
  }
}

const contentOf = async (slug: string, member = 'content') =>
  (await site.as('ada')('GET', `/cms/v2/posts?slug=${slug}&context=edit`)).body[0][member].raw as string

const inWordsOfFile = (text: string) => text.replaceAll('cms:', 'wp:')

test.each(Object.entries(texts))('of %s', async (_, write) => {
  const text = inWordsOfFile(write(inFile))
  const report = await imported([item({ id: 901, slug: 'first', content: text, excerpt: text }), ...rows()])
  await imported([item({ id: 906, slug: 'last', content: text })])
  const ids = await found()
  const expected = write(ids)
  expect([await contentOf('first'), await contentOf('first', 'excerpt')]).toEqual([expected, expected])
  expect(await contentOf('last')).toBe(expected)
  const missing = report.problems.filter(({ kind }) => kind === 'missing-post')
  const gone = write({ ...ids, gone: 5000 }).split(/\b5000\b/).length - 1
  expect(missing.reduce((sum, { count }) => sum + count, 0)).toBe(2 * gone)
})

test.each(untouched)('but not %s', async (text) => {
  await imported([item({ id: 901, slug: 'first', content: inWordsOfFile(text) }), ...rows()])
  expect(await contentOf('first')).toBe(text)
})

test('to rows that the file has not become 0: what has the number here is not shown', async () => {
  await imported(rows())
  const { media } = await found()
  // A picture of this site has the number that the other file names.
  const content = `[gallery ids="${media[0]}"]<img class="wp-image-${media[0]}" src="/x.jpg">`
  const other = exportFile(item({ id: 1, slug: 'other', content })).replaceAll(old, 'https://second.example')
  const report = await site.api.site.import(inPieces(other, 999))
  expect(await contentOf('other')).toBe('[gallery ids="0"]<img class="wp-image-0" src="/x.jpg">')
  expect(report.problems).toMatchObject([
    { kind: 'missing-post', what: 'post in a document', count: 2, examples: [{ what: `${media[0]}` }, {}] },
  ])
  const [post] = (await site.as('ada')('GET', '/cms/v2/posts?slug=other')).body
  expect(post.content.rendered).not.toContain('file-902')
})

test('in addresses of the old site by number', async () => {
  const link = (home: string, post: number, media: number) =>
    `<a href="${home}/?p=${post}">a</a> <a href="${home}?attachment_id=${media}&#038;x=1">b</a> ${old}/?p=904`
  const elements = (home: string, post: number) => [
    { id: 'a1b2c3d', settings: { link: { url: `${home}/?p=${post}` } } },
  ]
  const meta = [['_elementor_data', JSON.stringify(elements(old, 904)).replaceAll('/', '\\/')] as const]
  await imported([item({ id: 901, slug: 'first', content: link(old, 904, 902), meta }), ...rows()])
  const { post, media } = await found()
  expect(await contentOf('first')).toBe(link('https://quay.example', post, media[0]))
  const [row] = (await site.as('ada')('GET', '/cms/v2/posts?slug=first&context=edit')).body
  expect(JSON.parse(row.meta._builder_data)).toEqual(elements('https://quay.example', post))
})

test('stay as they are when the file is imported again, are led again with `update`, and by the next import after a break', async () => {
  const text = '[gallery ids="902,903"]<img class="wp-image-902">'
  const items = [item({ id: 901, slug: 'first', content: text }), ...rows()]
  // Wherever it ends: `progress` is called after each part, and after what it wrote.
  for (let calls = 1; calls < 6; calls++) {
    let left = calls
    const progress = () => {
      left -= 1
      if (left === 0) throw new Error('the process ends')
    }
    await imported(items, { progress }).catch((error) => expect(error.message).toBe('the process ends'))
  }
  for (const options of [{}, {}, { update: true }]) {
    await imported(items, options)
    const { media } = await found()
    expect(await contentOf('first')).toBe(`[gallery ids="${media.join(',')}"]<img class="wp-image-${media[0]}">`)
  }
})

test('are references in an export, which its seed makes ids of', async () => {
  const text = (id: (key: string) => string, json: (key: string) => string) =>
    `[gallery ids="${id('media.file-902')}"]<img class="wp-image-${id('media.file-903')}">` +
    `<!-- cms:image {"id":${json('media.file-902')}} --><p>x</p><!-- /cms:image -->`
  const written = text(
    (key) => key.slice(-3),
    (key) => key.slice(-3),
  )
  await imported([item({ id: 901, slug: 'first', content: inWordsOfFile(written) }), ...rows()])
  const exported = await site.api.site.export()
  const contentIn = ({ posts = [] }: typeof exported) => posts.find(({ key }) => key === 'first')?.content
  const expected = text(
    (key) => `ref:${key}`,
    (key) => `{"$ref":"${key}"}`,
  )
  expect(contentIn(exported)).toBe(expected)
  const second = await createTestSite({ profile: full, seed: { ...exported, media: exported.media?.toReversed() } })
  try {
    const { data } = await second.api.call('GET', '/cms/v2/posts', { slug: 'first', context: 'edit' }, { as: 'system' })
    const id = (key: string) => String(second.ids[key])
    expect(data).toMatchObject([{ content: { raw: text(id, id) } }])
    expect(contentIn(await second.api.site.export())).toBe(expected)
  } finally {
    await second.dispose()
  }
})
