/** Widgets that depend on the page around them: contents, paths, panels, archives; and those that lead out of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { containerElement, storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const rendered = async (elements: unknown[], context = {}) => {
  const id = await storeDocument(site, elements)
  const result = await site.api.render.document(id, context)
  if (!result) throw new Error('the document was not rendered')
  return { ...result, css: result.css.map((sheet) => sheet.css).join('') }
}
const one = async (type: string, settings: object, context = {}) =>
  (await rendered([widgetElement('w', type, settings)], context)).html

describe('a table of contents', () => {
  const headings = [
    widgetElement('h1', 'heading', { title: 'Boats & nets', header_size: 'h2' }),
    widgetElement('h2', 'heading', { title: 'Boats & nets', header_size: 'h3' }),
    widgetElement('t1', 'text-editor', { editor: '<h2 id="own">In a <i>text</i></h2><h4>Deep</h4><h3></h3>' }),
  ]
  const withContents = (settings: object, more: unknown[] = headings) =>
    rendered([widgetElement('toc', 'table-of-contents', settings), ...more])

  test('leads to the headings after it, which get ids that no other has', async () => {
    const { html, text } = await withContents({})
    expect(html).toContain('<h2 class="builder-heading-title builder-size-default" id="toc-boats-nets">')
    expect(html).toContain('<h3 class="builder-heading-title builder-size-default" id="toc-boats-nets-2">')
    expect(html).toContain('<h2 id="own">In a <i>text</i></h2><h4 id="toc-deep">Deep</h4>')
    const links = [...html.matchAll(/<a class="builder-toc__list-item-text" href="([^"]+)">([^<]*)/g)]
    expect(links.map(([, href, title]) => `${href} ${title}`)).toEqual([
      '#toc-boats-nets Boats &amp; nets',
      '#toc-boats-nets-2 Boats &amp; nets',
      '#own In a text',
      '#toc-deep Deep',
    ])
    expect(html).toMatch(
      /Boats &amp; nets<\/a><ol class="builder-toc__list-wrapper"><li class="builder-toc__list-item"><a [^>]*>Boats/,
    )
    expect(text).toBe('Boats & nets\nBoats & nets\nIn a text\nDeep\n')
  })

  test('lists the levels of its setting, flat and with bullets if it says so', async () => {
    const { html } = await withContents({ headings_by_tags: ['h2'], marker_view: 'bullets', hierarchical_view: '' })
    expect(html.match(/list-item-text/g)).toHaveLength(2)
    expect(html).toContain('<ul class="builder-toc__list-wrapper">')
    expect(html).not.toContain('id="toc-boats-nets-2"')
  })

  test('leaves headings of lists of other posts out', async () => {
    const { html } = await withContents({}, [widgetElement('p1', 'posts', {}), ...headings])
    expect(html.match(/list-item-text/g)).toHaveLength(4)
  })

  test('says that there are no headings', async () => {
    expect((await withContents({ no_headings_message: 'None' }, [])).html).toContain('>None</nav>')
  })
})

test('breadcrumbs lead from the front page through the pages and terms above', async () => {
  const path = async (context: object) =>
    [...(await one('breadcrumbs', {}, context)).matchAll(/<li>(?:<a href="([^"]*)">|<span[^>]*>)([^<]*)/g)].map(
      ([, href = '-', title]) => `${title} ${href}`,
    )
  expect(await path({ post: site.ids['page.about'] })).toEqual([
    'Home https://quay.example/',
    'Front https://quay.example/',
    'About -',
  ])
  const term = site.ids['category.news-harbour']
  expect(await path({ templateContext: { archive: 'term', term } })).toEqual([
    'Home https://quay.example/',
    expect.stringMatching(/^News https:/),
    'Harbour -',
  ])
  expect((await path({ post: site.ids['post.ferry'] })).at(-1)).toBe('The ferry is late -')
})

test('a list of an archive shows its posts, and a message when there are none', async () => {
  const term = (key: string) => ({ templateContext: { archive: 'term', term: site.ids[key] } })
  const settings = { _skin: 'archive_cards', archive_cards_show_excerpt: '' }
  const html = await one('archive-posts', settings, term('category.guides'))
  expect(html).toContain('builder-posts--skin-cards')
  expect(html).toContain('Knots')
  expect(html).not.toContain('The ferry is late')
  expect(html).not.toContain('builder-post__excerpt')
  expect(
    await one(
      'archive-posts',
      { nothing_found_message: 'Nothing' },
      { templateContext: { archive: 'search' }, url: '/?s=qqq' },
    ),
  ).toContain('>Nothing</div>')
})

test('portfolios show pictures of posts that link to them', async () => {
  const html = await one('portfolio', { posts_post_type: 'post', posts_per_page: 20, taxonomy: 'category' })
  expect(html).toContain('aria-label="Reading the tide"')
  expect(html).toContain('Harbour, Guides &amp; tips')
  expect(html).not.toContain('Draft of an author')
})

describe('panels', () => {
  const panel = (id: string, title: string) => containerElement(id, {}, [widgetElement(`h${id}`, 'heading', { title })])

  test('of a menu open without a script', async () => {
    const menu_items = [
      { _id: 'a', item_title: 'Boats', item_dropdown_content: 'yes' },
      { _id: 'b', item_title: 'Nets', item_link: { url: '/nets/' } },
    ]
    const { html } = await rendered([
      widgetElement('w', 'mega-menu', { menu_items }, [panel('c1', 'Sloops'), panel('c2', 'Hidden')]),
    ])
    expect(html).toMatch(/<summary class="e-n-menu-title-container">.*Boats.*<\/summary>.*Sloops.*<\/details>/)
    expect(html).toContain('<a class="e-n-menu-title-container e-link" href="/nets/">')
    expect(html).not.toContain('Hidden')
  })

  test('over the page open by the link of the dynamic tag', async () => {
    const { html, warnings } = await rendered([
      widgetElement('b1', 'button', {
        text: 'More',
        __dynamic__: { link: '[builder-tag id="x" name="off-canvas" settings="%7B%22off_canvas%22%3A%22w%22%7D"]' },
      }),
      widgetElement('w', 'off-canvas', {}, [panel('c1', 'Inside')]),
    ])
    expect(html).toContain('href="#off-canvas-w"')
    expect(html).toMatch(/<div id="off-canvas-w" class="e-off-canvas" role="dialog".*Inside/)
    expect(warnings).toEqual([])
  })
})

describe('what leads out of the page', () => {
  test('pays at the address of the account, never with an address from the settings', async () => {
    const html = await one('paypal-button', { email: 'till@quay.example', product_name: 'A "rope"', product_price: 12 })
    expect(html).toContain('action="https://www.paypal.com/cgi-bin/webscr"')
    expect(html).toContain('<input type="hidden" name="amount" value="12">')
    expect(html).toContain('name="item_name" value="A &quot;rope&quot;"')
    expect(await one('paypal-button', {})).not.toContain('<form')
  })

  test('is a link where a network would bring a script', async () => {
    const { html, warnings } = await rendered([
      widgetElement('w', 'facebook-page', { url: 'https://www.facebook.com/quay' }),
      widgetElement('v', 'facebook-page', { url: 'javascript:alert(1)' }),
    ])
    expect(html).toContain('href="https://www.facebook.com/quay"')
    expect(html).not.toMatch(/<script|<iframe|javascript/)
    expect(warnings.map(({ code, element }) => `${code} ${element}`)).toEqual(['not_drawn w'])
  })

  test('is a contact of a kind that the engine knows', async () => {
    const contact = (more: object) => ({ contact_repeater: [{ _id: 'a', ...more }] })
    const href = async (more: object) =>
      /href="([^"]*)"/.exec(await one('contact-buttons-var-3', contact(more)))?.[1] ?? ''
    expect(await href({ contact_icon_platform: 'whatsapp', contact_icon_number: '+44 20-12' })).toBe(
      'https://wa.me/442012',
    )
    expect(await href({ contact_icon_platform: 'email', contact_icon_mail: 'a@quay.example' })).toBe(
      'mailto:a@quay.example',
    )
    expect(await href({ contact_icon_platform: 'url', contact_icon_url: { url: 'javascript:x()' } })).toBe('')
    const texts = { top_bar_title: 'Office', message_bubble_name: 'Lee', message_bubble_body: 'How can we help' }
    expect(await one('contact-buttons', texts)).toMatch(/Office.*Lee.*How can we help/s)
  })

  test('is not drawn for parts of a shop, and a warning says so', async () => {
    const { html, warnings } = await rendered([widgetElement('w', 'woocommerce-products', {})])
    expect(html).not.toContain('data-id="w"')
    expect(warnings).toEqual([{ code: 'not_drawn', element: 'w', message: expect.stringContaining('shop') }])
  })

  test('signs readers in at the page of the host', async () => {
    expect(await one('login', {}, { url: 'https://quay.example/a/' })).toContain(
      'href="https://quay.example/login/?redirect_to=https%3A%2F%2Fquay.example%2Fa%2F"',
    )
    expect(await one('login', {}, { user: site.ids['user.admin'] })).toContain('Signed in: Ada Admin')
  })
})

test('marks on a picture are at their places, and open without a script', async () => {
  const { html, css } = await rendered([
    widgetElement('w', 'hotspot', {
      image: { url: 'https://else.example/a.png' },
      hotspot: [
        {
          _id: 'm1',
          hotspot_label: 'Bow',
          hotspot_tooltip_content: 'The front',
          hotspot_offset_x: { unit: '%', size: 20 },
        },
        { _id: 'm2', hotspot_link: { url: '/stern/' }, hotspot_vertical: 'bottom' },
      ],
    }),
  ])
  expect(html).toMatch(
    /<details class="e-hotspot builder-repeater-item-m1"[^>]*><summary [^>]*>.*Bow.*<\/summary><div class="e-hotspot__tooltip">The front/,
  )
  expect(html).toMatch(/<a class="e-hotspot builder-repeater-item-m2" href="\/stern\/" aria-label="stern">/)
  expect(css).toMatch(/item-m1\{left:20%;top:50%\}/)
  expect(css).toMatch(/item-m2\{left:50%;bottom:50%\}/)
})

test('code, curves and lists of videos show texts as texts', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  const html = [
    await one('code-highlight', { code: hostile, language: 'x"><script>' }),
    await one('text-path', { text: `a${hostile}`, path: 'constructor' }),
    await one('video-playlist', { tabs: [{ _id: 'a', title: hostile, youtube_url: 'javascript:x()' }] }),
    await one('media-carousel', { slides: [{ _id: 'a', type: 'video', video: { url: 'javascript:x()' } }] }),
    await one('link-in-bio', {
      bio_heading: hostile,
      cta_link: [{ cta_link_text: 'A', cta_link_url: { url: 'javascript:x()' } }],
    }),
    await one('floating-bars', { announcement_text: hostile }),
  ].join('')
  expect(html).not.toMatch(/<[^>]*onerror=|javascript:|<script/)
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
})

test('a map of the site lists pages as a tree, and terms; a filter leads to archives of terms', async () => {
  const sitemap_items = [
    { _id: 'a', sitemap_source_post_type: 'page', sitemap_title: 'Our pages' },
    { _id: 'b', sitemap_type_selector: 'taxonomy', sitemap_source_taxonomy: 'category' },
  ]
  const html = await one('sitemap', { sitemap_items })
  expect(html).toMatch(
    /<h2 class="builder-sitemap-title">Our pages<\/h2>.*Front<\/a><ul class="builder-sitemap-list"><li .*About<\/a>/,
  )
  expect(html).toMatch(/>Categories<\/h2>.*>News<\/a><ul class="children">.*Harbour/)
  const filter = await one('taxonomy-filter', { taxonomy: 'category' })
  expect(filter).toMatch(
    /aria-current="true">All<\/a><a class="e-filter-item" href="https:\/\/quay.example\/category\/guides\/">/,
  )
  expect(filter).not.toContain('Harbour')
})

test('a text longer than its curve is squeezed, not cut', async () => {
  expect(await one('text-path', { text: 'Short' })).not.toContain('textLength')
  expect(await one('text-path', { text: 'A text that is longer than its curve' })).toContain('textLength="255"')
})
