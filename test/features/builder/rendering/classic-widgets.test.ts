/** Classic widgets of sidebars in documents: `wp-widget-…`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
      ...{ key: 'main', name: 'Main', slug: 'main-menu' },
      items: [
        { key: 'about', type: 'post_type', object: 'page', object_id: 'page.about' },
        { key: 'news', type: 'taxonomy', object: 'category', object_id: 'category.guides', parent: 'about' },
      ],
    },
  ],
}

const built = profile({ ...content, features: [...content.features, ...documentFeatures] })
let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ profile: built, seed: siteWithMenu })
})
afterAll(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

async function rendered(type: string, wp: object, author = 'admin') {
  const id = await storeDocument(site, [widgetElement('w', `wp-widget-${type}`, { wp })], { author })
  const page = await site.api.render.document(id)
  const [, inside = ''] = /data-widget_type="[^"]*">([\s\S]*)<\/div><\/div>$/.exec(page?.html ?? '') ?? []
  return { inside, text: page?.text ?? '', warnings: page?.warnings ?? [] }
}
const inside = async (type: string, wp: object, author?: string) => (await rendered(type, wp, author)).inside

describe('texts', () => {
  test('have their title, their HTML, and paragraphs where the setting says so', async () => {
    expect(await inside('text', { title: 'Hours & days', text: 'Monday\n\nto <b>Friday</b>' })).toBe(
      '<h5>Hours &amp; days</h5><div class="textwidget">Monday\n\nto <b>Friday</b></div>',
    )
    for (const filter of [true, 'content', '1', 'on']) {
      expect(await inside('text', { text: 'Monday\n\nFriday', filter })).toBe(
        '<div class="textwidget"><p>Monday</p>\n<p>Friday</p></div>',
      )
    }
    expect(await inside('text', { title: 'Alone' })).toBe('<h5>Alone</h5>')
    expect(await inside('text', {})).toBe('')
    expect((await rendered('text', { title: 'Hours', text: 'Monday' })).text).toBe('Hours\nMonday\n')
  })

  test('are filtered when their author may not write any HTML', async () => {
    const script = '<p onclick="x()">Hi</p><script>y()</script>'
    for (const [type, name] of [
      ['text', 'text'],
      ['custom_html', 'content'],
      ['block', 'content'],
    ] as const) {
      expect(await inside(type, { [name]: script }, 'author')).not.toMatch(/x\(\)|<script/)
    }
    expect(await inside('custom_html', { content: script })).toContain('<script>y()</script>')
  })

  test('contain blocks', async () => {
    for (const word of ['wp', 'cms']) {
      const blocks = `<!-- ${word}:paragraph --><p>In a block</p><!-- /${word}:paragraph -->`
      expect((await inside('block', { content: blocks })).trim()).toBe('<p class="cms-block-paragraph">In a block</p>')
    }
  })

  test('in settings of another type are left out', async () => {
    for (const wp of [null, [], 'text', 3, { title: ['a'], text: { b: 1 } }]) {
      expect(await inside('text', wp as object)).toBe('')
    }
  })
})

describe('media', () => {
  const pier = () => site.ids['media.pier'] ?? 0

  test('show the picture of the library in its size, with link and caption', async () => {
    const html = await inside('media_image', {
      ...{ title: 'A view', attachment_id: pier(), size: 'full', caption: 'At <i>dusk</i>', link_type: 'custom' },
      ...{ link_url: 'https://pier.example/', link_target_blank: true },
    })
    expect(html).toMatch(
      /^<h5>A view<\/h5><figure class="cms-caption"><a href="https:\/\/pier.example\/" target="_blank" rel="noopener"><img [^>]*pier\.jpg[^>]*><\/a><figcaption class="cms-caption-text">At <i>dusk<\/i><\/figcaption><\/figure>$/,
    )
    expect(await inside('media_image', { attachment_id: pier(), link_type: 'file' })).toMatch(/<a href="[^"]*pier.jpg"/)
    expect(await inside('media_image', { attachment_id: pier(), link_type: 'none' })).not.toContain('<a ')
    const hostile = { url: 'https://else.example/a.png', link_type: 'custom', link_url: 'javascript:alert(1)' }
    expect(await inside('media_image', hostile)).toBe('<img src="https://else.example/a.png" alt="" loading="lazy">')
    expect(await inside('media_image', { title: 'A view' })).toBe('')
  })

  test('show galleries, videos and sounds', async () => {
    expect(await inside('media_gallery', { ids: [pier(), 999], columns: 2, link_type: 'none' })).toMatch(
      /^<div class="gallery gallery-columns-2 gallery-size-thumbnail"><figure class="gallery-item">.*<img /,
    )
    expect(await inside('media_gallery', { ids: `${pier()}` })).toContain('<img ')
    expect(await inside('media_gallery', { ids: [] })).toBe('')
    expect(await inside('media_video', { url: 'https://youtu.be/abcdefghijk', content: 'Watch' })).toMatch(
      /<iframe [^>]*src="https:\/\/www.youtube.com\/embed\/abcdefghijk[^"]*"><\/iframe><\/div><div>Watch<\/div>/,
    )
    expect(await inside('media_video', { mp4: 'https://else.example/a.mp4' })).toContain(
      '<video src="https://else.example/a.mp4" controls',
    )
    expect(await inside('media_audio', { mp3: 'https://else.example/a.mp3' })).toContain(
      '<audio src="https://else.example/a.mp3" controls',
    )
    expect(await inside('media_audio', { mp3: 'javascript:x()' })).toBe('')
  })
})

describe('links', () => {
  test('lead to the search of the site', async () => {
    const { inside: html, text } = await rendered('search', { title: 'Find it' })
    expect(html).toContain(
      '<h5>Find it</h5><form class="search-form" role="search" method="get" action="https://quay.example"',
    )
    expect(html).toContain('name="s"')
    expect(text).toBe('')
  })

  test('show the items of a stored menu, those below others too', async () => {
    const html = await inside('nav_menu', { title: 'Pages', nav_menu: site.ids['menu.main'] })
    expect(html.replace(/ class="[^"]*"/g, '')).toBe(
      '<h5>Pages</h5><nav aria-label="Pages"><ul><li><a href="https://quay.example/front/about/">About</a>' +
        '<ul><li><a href="https://quay.example/category/guides/">Guides &amp; tips</a></li></ul></li></ul></nav>',
    )
    expect(await inside('nav_menu', { title: 'Pages', nav_menu: 999 })).toBe('')
  })

  test('lead to a feed, whose entries are not read', async () => {
    const { inside: html, warnings } = await rendered('rss', { title: 'Tides', url: 'https://tides.example/feed' })
    expect(html).toBe('<h5>Tides</h5><p><a href="https://tides.example/feed">Open the feed</a></p>')
    expect(warnings).toEqual([{ code: 'not_drawn', element: 'w', message: expect.stringContaining('no request') }])
  })
})

describe('lists', () => {
  const linksIn = (html: string) =>
    [...html.matchAll(/<a href="https:\/\/quay\.example([^"]*)"[^>]*>([^<]*)/g)].map(
      ([, href, title]) => `${title} ${href}`,
    )

  test('of categories are flat or nested, with counts, and lead to their archives', async () => {
    const flat = await inside('categories', {})
    expect(flat).toContain('<h5>Categories</h5><ul><li class="cat-item ')
    expect(linksIn(flat)).toContain('Guides &amp; tips /category/guides/')
    const nested = await inside('categories', { title: 'Subjects', count: 1, hierarchical: '1' })
    expect(nested).toMatch(/>News<\/a> \(\d+\)<ul class="children"><li [^>]*><a [^>]*>Harbour<\/a> \(1\)<\/li><\/ul>/)
    expect(await inside('categories', { dropdown: 1 })).toContain('<details><summary>Choose a category</summary><ul>')
  })

  test('of posts, pages and months show published ones, and follow changes', async () => {
    const posts = await inside('recent-posts', { number: 3, show_date: true })
    expect(posts).toContain('<h5>Recent Posts</h5><ul><li>')
    expect(linksIn(posts)).toHaveLength(3)
    expect(posts).toMatch(/<span class="post-date">\w+ \d+, \d{4}<\/span>/)
    const all = await inside('recent-posts', { number: 100 })
    expect(all).not.toMatch(/Draft of|Private of|Far ahead|Thrown away/)
    expect(linksIn(await inside('pages', { exclude: `${site.ids['page.journal']}` }))).toEqual([
      'Front /',
      'About /front/about/',
    ])
    expect(linksIn(await inside('archives', { count: true }))).toContain('February 2024 /2024/02/')
  })

  test('of tags are a cloud; a calendar shows the days that have posts', async () => {
    const cloud = await inside('tag_cloud', {})
    expect(cloud).toMatch(/<div class="tagcloud"><a href="[^"]*\/tag\/green\/" class="tag-cloud-link/)
    expect(await inside('calendar', {})).toContain('<caption>June 2024</caption>')
  })

  test('have no text of their own', async () => {
    for (const type of ['categories', 'archives', 'recent-posts', 'pages', 'tag_cloud', 'calendar', 'meta']) {
      expect((await rendered(type, {})).text).toBe('')
      expect(await inside(type, {})).not.toBe('')
    }
  })

  test('change with their records', async () => {
    const id = await storeDocument(site, [widgetElement('w', 'wp-widget-categories', { wp: {} })])
    const html = async () => (await site.api.render.document(id))?.html ?? ''
    expect(await html()).toContain('>News<')
    await site.as('ada')('PUT', `/cms/v2/categories/${site.ids['category.news']}`, { body: { name: 'Tidings' } })
    expect(await html()).toContain('>Tidings<')
  })
})

test('comments are shown when they are approved and their post is public', async () => {
  const ada = site.as('ada')
  const write = async (post: string, more: object = {}) =>
    (await ada('POST', '/cms/v2/comments', { body: { post: site.ids[post], content: `On <b>${post}</b>`, ...more } }))
      .body.id as number
  expect(await inside('recent-comments', {})).toBe('')
  const first = await write('post.ferry')
  const reply = await write('post.ferry', { parent: first })
  const hidden = await write('post.draft')
  const held = await write('post.hello', { status: 'hold' })
  const html = await inside('recent-comments', { number: 10 })
  expect(html).toContain('<h5>Recent Comments</h5><ul><li class="recentcomments">')
  expect([...html.matchAll(/#comment-(\d+)/g)].map(([, id]) => Number(id)).sort()).toEqual([first, reply].sort())
  expect(html).toContain('>The ferry is late</a>')
  expect(html).not.toMatch(new RegExp(`comment-(${hidden}|${held})"`))
  const document = await storeDocument(site, [widgetElement('w', 'post-comments', {})])
  const page = await site.api.render.document(document, { post: site.ids['post.ferry'] ?? 0 })
  expect(page?.html).toMatch(
    new RegExp(
      `2 Comments</h2>.*id="comment-${first}".*On <b>post.ferry</b>.*<ol class="children"><li id="comment-${reply}"`,
      's',
    ),
  )
  expect(page?.text).toBe('')
  expect((await site.api.render.document(document, { post: site.ids['post.hello'] ?? 0 }))?.html).not.toContain(
    'comments-area',
  )
})

test("texts of classic and unknown widgets have the font of the kit, and the colour of the document: a section's wins", async () => {
  const cssOf = async (type: string, settings: object) => {
    const id = await storeDocument(site, [widgetElement('w', type, settings)])
    const sheets = (await site.api.render.document(id))?.css ?? []
    return sheets.find(({ key }) => key === 'defaults')?.css ?? ''
  }
  const color = /:where\(\.builder\)\{color:\s*var\( --e-global-color-text \)/
  for (const [type, settings] of [
    ['wp-widget-text', { wp: { text: 'Monday' } }],
    ['acme-team', { acme_text: 'Our garden' }],
  ] as const) {
    const css = await cssOf(type, settings)
    expect(css).toMatch(new RegExp(`\\.builder-widget-${type}\\{font-family:`))
    expect(css).toMatch(color)
    expect(css).toMatch(/:where\(\.builder \.builder\)\{color:\s*inherit/)
  }
  expect(await cssOf('html', { html: '<p>Own</p>' })).not.toMatch(color)
  await site.api.site.options.write({ builder_kit_settings: { body_color: '#123456' } })
  expect(await cssOf('wp-widget-text', { wp: { text: 'Tuesday' } })).not.toMatch(color)
})
