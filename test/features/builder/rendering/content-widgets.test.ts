import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInWidgets } from '../../../../src/render/builder/widgets/table.ts'
import { storeDocument, widgetElement, withoutShapes } from '../../../support/documents.ts'
import { isFullRun } from '../../../support/generated-cases.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
let pier: { id: number; url: string }

beforeAll(async () => {
  site = await createTestSite({
    url: 'https://harbour.test',
    render: {
      services: {
        shortcode: (name, attributes) => (name === 'badge' ? `<b>${attributes['name'] ?? ''}</b>` : undefined),
        sidebar: (id) => (id === 'left' ? '<aside>Tide table</aside>' : undefined),
        embed: (url) =>
          url.startsWith('https://sound.test/') ? '<iframe src="https://sound.test/player"></iframe>' : undefined,
      },
    },
  })
  pier = { id: site.ids['media.pier'] ?? 0, url: '' }
})
afterAll(() => site.dispose())

async function draw(type: string, settings: object, elements: unknown[] = [], author = 'admin') {
  const id = await storeDocument(site, [widgetElement('c800011', type, settings, elements)], { author })
  const result = await site.api.render.document(id)
  if (!result) throw new Error('the document was not rendered')
  const start = result.html.indexOf('<div class="builder-element')
  const inner = start === -1 ? '' : result.html.slice(result.html.indexOf('>', start) + 1, -'</div></div>'.length)
  return {
    ...result,
    inner: withoutShapes(inner),
    wrapper: start === -1 ? '' : result.html.slice(start, result.html.indexOf('>', start) + 1),
  }
}

const link = (url: string) => ({ url, is_external: '', nofollow: '', custom_attributes: '' })
const star = { value: 'fas fa-star', library: 'fa-solid' }

describe('videos', () => {
  test.each([
    ['youtube', 'https://www.youtube.com/watch?v=AbC123_xyz9&t=3', 'https://www.youtube.com/embed/AbC123_xyz9?'],
    ['youtube', 'https://youtu.be/AbC123_xyz9', 'https://www.youtube.com/embed/AbC123_xyz9?'],
    ['youtube', 'https://youtube.com/shorts/AbC123_xyz9', 'https://www.youtube.com/embed/AbC123_xyz9?'],
    [
      'vimeo',
      'https://vimeo.com/235215203/0a1b2c3d',
      'https://player.vimeo.com/video/235215203?h=0a1b2c3d&amp;autopause=0',
    ],
    ['dailymotion', 'https://www.dailymotion.com/video/x7tgad0', 'https://www.dailymotion.com/embed/video/x7tgad0?'],
    ['dailymotion', 'https://dai.ly/x7tgad0', 'https://www.dailymotion.com/embed/video/x7tgad0?'],
  ])('%s plays %s in a frame', async (video_type, url, src) => {
    const { inner } = await draw('video', { video_type, [`${video_type}_url`]: url })
    expect(inner).toContain(`src="${src}`)
    expect(inner).toMatch(
      /^<div class="builder-wrapper builder-open-inline"><iframe class="builder-video-iframe" allowfullscreen/,
    )
  })

  test('options of a frame are parameters of its address', async () => {
    const { inner } = await draw('video', {
      youtube_url: 'https://youtu.be/AbC123_xyz9',
      ...{ yt_privacy: 'yes', loop: 'yes', mute: 'yes', controls: '', start: 5, end: '9', autoplay: 'yes' },
    })
    expect(inner).toContain(
      'https://www.youtube-nocookie.com/embed/AbC123_xyz9?controls=0&amp;mute=1&amp;loop=1&amp;rel=0&amp;cc_load_policy=0' +
        '&amp;start=5&amp;end=9&amp;autoplay=1&amp;playlist=AbC123_xyz9"',
    )
  })

  test('an address of somewhere else shows nothing', async () => {
    for (const url of [
      'javascript:window.hit=1',
      'https://evil.test/embed/AbC123_xyz9',
      'https://youtu.be/a"b',
      '',
      7,
    ]) {
      expect((await draw('video', { youtube_url: url })).inner).toBe('')
    }
  })

  test('a file has its own element, and an image over it keeps it from starting by itself', async () => {
    const { inner } = await draw('video', {
      video_type: 'hosted',
      hosted_url: { url: 'https://harbour.test/clip.mp4' },
      ...{ autoplay: 'yes', mute: 'yes', play_on_mobile: 'yes', end: 9 },
      ...{ show_image_overlay: 'yes', image_overlay: { url: 'https://harbour.test/a"b.png' } },
    })
    expect(inner).toBe(
      '<div class="builder-wrapper e-hosted-video builder-open-inline"><video class="builder-video" ' +
        'src="https://harbour.test/clip.mp4#t=0,9" controls muted playsinline preload="metadata" controlsList="nodownload"></video>' +
        '<div class="builder-custom-embed-image-overlay" style="background-image: url(&quot;https://harbour.test/a%22b.png&quot;)">' +
        '<div class="builder-custom-embed-play" role="button" aria-label="Play video" tabindex="0"></div></div></div>',
    )
  })
})

describe('foreign content', () => {
  test('a map asks for its address', async () => {
    const { inner } = await draw('google_maps', { address: 'Pier "4" & Co\ud800', zoom: { size: 99 } })
    expect(inner).toContain('q=Pier%20%224%22%20%26%20Co&amp;t=m&amp;z=20&amp;output=embed&amp;iwloc=near"')
    expect(inner).toContain('title="Pier &quot;4&quot; &amp; Co"')
    expect((await draw('google_maps', { address: '' })).inner).toBe('')
  })

  test('sounds are files of the site, or what the host embeds', async () => {
    const audio = (url: string) => draw('audio', { link: link(url) }).then(({ inner }) => inner)
    expect(await audio('https://harbour.test/uploads/a.mp3')).toBe(
      '<audio controls preload="none" src="https://harbour.test/uploads/a.mp3"></audio>',
    )
    expect(await audio('/uploads/a.ogg?v=1')).toContain('<audio')
    expect(await audio('https://sound.test/7')).toBe(
      '<div class="builder-soundcloud-wrapper"><iframe src="https://sound.test/player"></iframe></div>',
    )
    expect(await audio('https://other.test/a.mp3')).toBe('')
    expect(await audio('https://harbour.test/a.html')).toBe('')
  })

  test('a sidebar of the host is shown and is no plain text', async () => {
    const { inner, text, dependencies } = await draw('sidebar', { sidebar: 'left' })
    expect(inner).toBe('<aside>Tide table</aside>')
    expect(text).toBe('')
    expect(dependencies).toContain('sidebar:left')
    expect((await draw('sidebar', { sidebar: 'right' })).dependencies).toContain('sidebar:right')
  })

  test('HTML is written as it is by right, and filtered without', async () => {
    const html = '<section data-x="1"><script>hit()</script><p>Text'
    expect((await draw('html', { html })).inner).toBe('<section data-x="1"><script>hit()</script><p>Text</p></section>')
    const filtered = (await draw('html', { html }, [], 'author2')).html
    expect(filtered).not.toContain('<script')
    expect(filtered).toContain('Text</p>')
  })

  test('the mark of "read more" shows nothing', async () => {
    expect((await draw('read-more', { link_text: 'go on' })).html).not.toContain('builder-element')
  })
})

describe('boxes', () => {
  test('an icon has a view, and a shape when it has a frame', async () => {
    expect((await draw('icon', {})).wrapper).not.toContain('builder-shape')
    const { inner, wrapper } = await draw('icon', { view: 'framed', shape: 'square', link: link('/a') })
    expect(wrapper).toContain('builder-view-framed builder-shape-square')
    expect(inner).toBe(
      '<div class="builder-icon-wrapper"><a href="/a" aria-label="a" class="builder-icon"><svg fas-fa-star></a></div>',
    )
  })

  test('an icon box links its title, and its icon out of the tab order', async () => {
    const settings = {
      title_text: 'Safe <b>&</b> sound',
      description_text: 'Yes',
      link: link('/safe'),
      position: 'left',
    }
    const { inner, wrapper } = await draw('icon-box', settings)
    expect(wrapper).toContain('builder-position-inline-start')
    expect(inner).toContain('<a href="/safe" tabindex="-1" aria-label="Safe &amp; sound" class="builder-icon">')
    expect(inner).toContain('<h3 class="builder-icon-box-title"><a href="/safe">Safe <b>&amp;</b> sound</a></h3>')
    expect(inner).toContain('<p class="builder-icon-box-description">Yes</p>')
  })

  test('a description with blocks is no paragraph', async () => {
    const { inner } = await draw('image-box', { title_text: '', description_text: '<ul><li>One</ul></div>' })
    expect(inner).toBe(
      '<div class="builder-image-box-wrapper"><div class="builder-image-box-content">' +
        '<div class="builder-image-box-description"><ul><li>One</li></ul></div></div></div>',
    )
  })

  test('an svg file of the library is part of the page', async () => {
    const { inner } = await draw('icon', { selected_icon: { library: 'svg', value: { id: 999_999, url: '/x.svg' } } })
    expect(inner).toBe('')
  })
})

describe('pictures', () => {
  test('a carousel counts its slides', async () => {
    const settings = {
      carousel: [pier, { url: 'https://harbour.test/b.png' }, {}, 7],
      link_to: 'file',
      carousel_name: 'A "b"',
    }
    const { inner, behaviours } = await draw('image-carousel', settings)
    expect(inner.match(/class="swiper-slide"/g)).toHaveLength(2)
    expect(inner).toContain('aria-label="A &quot;b&quot;"')
    expect(inner).toContain(
      'aria-label="2 of 2"><a href="https://harbour.test/b.png"><figure class="swiper-slide-inner">',
    )
    expect(inner).toContain('builder-swiper-button-next')
    expect(behaviours).toContain('carousel')
    const single = await draw('image-carousel', { carousel: [pier] })
    expect(single.inner).not.toContain('builder-swiper-button')
  })

  test('a gallery has columns and links', async () => {
    const { inner } = await draw('image-gallery', { wp_gallery: [pier], gallery_columns: '99', thumbnail_size: '"x' })
    expect(inner).toContain('<div class="gallery gallery-columns-10 gallery-size-x"><figure class="gallery-item">')
    expect(inner).toMatch(/<div class="gallery-icon landscape"><a href="[^"]+pier[^"]*"><img /)
  })

  test('a gallery in random order keeps it for a day', async () => {
    const wp_gallery = Array.from({ length: 12 }, (_, at) => ({ url: `https://harbour.test/${at}.png` }))
    const id = await storeDocument(site, [widgetElement('a', 'image-gallery', { wp_gallery, gallery_rand: 'rand' })])
    const order = async (day: number) => {
      const result = await site.api.render.document(id, { now: day * 86_400_000 + 7 })
      expect(result?.dependencies).toContain('vary:time')
      return result?.html.match(/\d+\.png" alt/g)?.join()
    }
    expect(await order(20_000)).toBe(await order(20_000))
    expect(await order(20_000)).not.toBe(await order(20_001))
  })
})

describe('lists', () => {
  test('an entry without a safe address has no link, and an empty one is left out', async () => {
    const icon_list = [
      { text: 'Call', selected_icon: star, link: link('tel:+49') },
      { text: 'Bad', link: link('javascript:hit()') },
      { text: '' },
    ]
    const { inner } = await draw('icon-list', { view: 'inline', icon_list })
    expect(inner).toBe(
      '<ul class="builder-icon-list-items builder-inline-items"><li class="builder-icon-list-item builder-inline-item">' +
        '<a href="tel:+49"><span class="builder-icon-list-icon"><svg fas-fa-star></span>' +
        '<span class="builder-icon-list-text">Call</span></a></li><li class="builder-icon-list-item builder-inline-item">' +
        '<span class="builder-icon-list-text">Bad</span></li></ul>',
    )
  })

  test('a social icon is named, opens a new page, and has its own colour', async () => {
    const social_icon_list = [
      {
        ...{
          _id: 'a1b2c3d',
          social_icon: { value: 'fab fa-git-alt', library: 'fa-brands' },
          link: link('https://g.test/'),
        },
        ...{ item_icon_color: 'custom', item_icon_primary_color: '#123456', item_icon_secondary_color: 'red;}' },
      },
    ]
    const { inner, css, text, warnings } = await draw('social-icons', { social_icon_list })
    expect(inner).toContain(
      '<a class="builder-icon builder-social-icon builder-social-icon-git-alt builder-repeater-item-a1b2c3d" href="https://g.test/" ' +
        'target="_blank" rel="noopener"><span class="builder-screen-only">Git Alt</span>',
    )
    expect(css.map((sheet) => sheet.css).join('')).toContain(
      '.builder-repeater-item-a1b2c3d.builder-social-icon{background-color:#123456}',
    )
    expect(warnings).toEqual([{ code: 'unsafe_value', element: 'c800011' }])
    expect(text).toBe('')
  })
})

describe('numbers', () => {
  test.each([
    [{ ending_number: 1234567.5 }, '1,234,567.5'],
    [{ ending_number: '-1200.50', thousand_separator_char: '.' }, '-1.200.50'],
    [{ ending_number: 12500, thousand_separator: '' }, '12500'],
    [{ ending_number: 'many' }, '100'],
  ])('a counter shows its end: %j', async (settings, shown) => {
    const { inner, text } = await draw('counter', settings)
    expect(inner).toMatch(new RegExp(`>${shown.replaceAll('.', '\\.')}</span></div></div>$`))
    expect(text).toContain(shown)
  })

  test('a progress bar is named by its title and stays within its bounds', async () => {
    const { inner } = await draw('progress', { title: 'Rope', percent: { size: -5 }, inner_text: 'a <b>b</b>' })
    expect(inner).toContain('<span class="builder-title" id="builder-progress-bar-c800011">Rope</span>')
    expect(inner).toContain(
      'aria-valuenow="0" aria-valuetext="0% (a b)" aria-labelledby="builder-progress-bar-c800011"',
    )
    expect(inner).toContain('data-max="0" style="width:0%"')
    const hidden = await draw('progress', { title: 'Rope', title_display: '', display_percentage: '' })
    expect(hidden.inner).toContain('aria-label="Rope"')
    expect(hidden.inner).not.toContain('percentage')
  })

  test('ratings fill the last icon in part', async () => {
    const { inner } = await draw('rating', { rating_value: '2.25', rating_scale: { size: 3 } })
    expect(inner).toContain('aria-label="Rated 2.25 out of 3"')
    expect(inner.match(/--e-rating-icon-marked-width: 25%;/g)).toHaveLength(1)
    expect(inner.match(/class="e-icon"/g)).toHaveLength(3)
    const stars = await draw('star-rating', { rating: 3.7, title: '<b>', rating_scale: '10' })
    expect(stars.inner).toContain('<div class="builder-star-rating__title">&lt;b&gt;</div>')
    expect(stars.inner.match(/builder-star-full/g)).toHaveLength(3)
    expect(stars.inner.match(/builder-star-7/g)).toHaveLength(1)
    expect(stars.inner.match(/builder-star-empty/g)).toHaveLength(6)
    expect(stars.text).toBe('<b>\n')
  })
})

describe('notices', () => {
  test('a testimonial links the person', async () => {
    const { inner } = await draw('testimonial', {
      ...{ testimonial_content: 'Good', testimonial_image: pier, testimonial_name: 'Nan', testimonial_job: '' },
      link: link('https://n.test/'),
    })
    expect(inner).toContain('builder-has-image builder-testimonial-image-position-aside')
    expect(inner).toContain('<a href="https://n.test/" class="builder-testimonial-name">Nan</a></div>')
    expect(inner).not.toContain('testimonial-job')
  })

  test('an alert may be dismissed unless it says otherwise', async () => {
    const { inner, wrapper, text } = await draw('alert', {
      alert_title: 'Gale',
      alert_description: 'Stay',
      alert_type: 'x',
    })
    expect(wrapper).toContain('builder-alert-info')
    expect(inner).toContain('<button type="button" class="builder-alert-dismiss" aria-label="Dismiss this alert.">')
    expect(text).not.toContain('×')
    expect((await draw('alert', { alert_title: 'a', show_dismiss: '' })).inner).not.toContain('button')
    expect((await draw('alert', { alert_title: '', alert_description: '' })).inner).toBe('')
  })
})

describe('tabs and accordions', () => {
  const tabs = [
    { tab_title: 'One', tab_content: '<p>First</p>' },
    { tab_title: 'Two', tab_content: '<p>Second' },
  ]

  test('titles and panels refer to each other', async () => {
    const { inner, text } = await draw('tabs', { tabs })
    expect(inner).toContain('id="builder-tab-title-2091"')
    expect(inner).toContain('aria-controls="builder-tab-content-2092">Two</div>')
    expect(inner).toContain('role="tabpanel" aria-labelledby="builder-tab-title-2092" tabindex="0"><p>Second</p></div>')
    expect(text).toBe('One\nTwo\nFirst\nSecond\n')
  })

  test.each(['accordion', 'toggle'])('%s: data for search engines cannot end their element', async (type) => {
    const hostile = [{ tab_title: '</script><b>Why?</b>', tab_content: '<p>--> </script></p>' }]
    const { inner, text } = await draw(type, { tabs: hostile, faq_schema: 'yes' })
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(inner)?.[1] ?? ''
    expect(data).not.toMatch(/[<>]/)
    expect(JSON.parse(data).mainEntity[0]).toMatchObject({ name: 'Why?', acceptedAnswer: { '@type': 'Answer' } })
    expect(text).not.toContain('schema.org')
  })

  test('nested panels are the children, in order', async () => {
    const panel = (id: string, title: string, settings = {}) => ({
      ...{ id, elType: 'container', isInner: true, settings },
      elements: [widgetElement(`${id}h`, 'heading', { title })],
    })
    const entries = [{ tab_title: 'Hull' }, { tab_title: 'Mast', element_id: 'ma st' }, { tab_title: 'Alone' }]
    const { inner } = await draw('nested-tabs', { tabs: entries }, [
      panel('a1', 'Oak'),
      panel('a2', 'Pine', { _element_id: 'own' }),
      panel('a3', 'Ash'),
      panel('a4', 'Left out'),
    ])
    expect(inner).toMatch(
      /<div class="[^"]*builder-element-a1[^"]*e-active"[^>]*role="tabpanel" aria-labelledby="e-n-tab-title-2097152171"/,
    )
    expect(inner).toMatch(/<button id="mast"[^>]*aria-controls="own"/)
    expect(inner).not.toContain('Left out')

    const items = [{ item_title: 'A' }, { item_title: 'B', element_css_id: 'bee' }]
    const accordion = await draw('nested-accordion', { items, title_tag: 'h4', faq_schema: 'yes' }, [
      panel('b1', 'a in'),
      panel('b2', 'b in'),
    ])
    expect(accordion.inner).toContain('<details id="e-n-accordion-item-2090" class="e-n-accordion-item" open>')
    expect(accordion.inner).toContain('<details id="bee" class="e-n-accordion-item"><summary')
    expect(accordion.inner).toContain('"text":"b in"')
    const closed = await draw('nested-accordion', { items, default_state: 'all_collapsed' }, [])
    expect(closed.inner).not.toContain(' open')
  })
})

describe('promotions', () => {
  test('a price has a currency, a whole and a fraction', async () => {
    const { inner } = await draw('price-table', {
      currency_symbol: 'pound',
      price: '1,234.50',
      period_position: 'beside',
      sale: 'yes',
    })
    expect(inner).toContain('__original-price">£59</div>')
    expect(inner).toContain('__currency">£</span><span class="builder-price-table__integer-part">1,234</span>')
    expect(inner).toContain(
      '__fractional-part">50</span><span class="builder-price-table__period">Monthly</span></div></div>',
    )
    const comma = await draw('price-table', {
      currency_symbol: 'custom',
      currency_symbol_custom: '<',
      price: '9,5',
      currency_format: ',',
    })
    expect(comma.inner).toContain('__currency">&lt;</span><span class="builder-price-table__integer-part">9</span>')
  })

  test('a box that is a link holds no other one', async () => {
    const settings = {
      title: 'Come',
      description: '',
      button: 'Sail',
      link: link('/sail'),
      bg_image: pier,
      skin: 'cover',
    }
    const box = await draw('call-to-action', { ...settings, link_click: 'box' })
    expect(box.inner.match(/<a /g)).toHaveLength(1)
    expect(box.inner).toMatch(/^<a href="\/sail" class="builder-cta"><div class="builder-cta__bg-wrapper">/)
    expect(box.inner).toContain('<span class="builder-cta__button builder-button builder-size-sm">Sail</span>')
    const other = await draw('call-to-action', settings)
    expect(other.inner).toContain('<a class="builder-cta__button builder-button builder-size-sm" href="/sail">Sail</a>')
    const bare = await draw('call-to-action', { title: 'Come', link_click: 'box' })
    expect(bare.inner).toMatch(/^<div class="builder-cta">/)
  })

  test('a flip box shows both sides', async () => {
    const { text } = await draw('flip-box', {
      title_text_a: 'Front',
      title_text_b: 'Back',
      description_text_a: '',
      description_text_b: '',
    })
    expect(text).toBe('Front\nBack\nClick Here\n')
  })
})

test('texts of editors have typographic signs and shortcodes, and stay inside their element', async () => {
  const editor = '<p>"Tide" [badge name="a & b"]</p><div>[[badge]] [unknown x="1"]'
  const shown = '<p>“Tide” <b>a & b</b></p><div>[badge] [unknown x='
  for (const author of ['admin', 'author2']) {
    expect((await draw('text-editor', { editor }, [], author)).inner).toContain(shown)
    const tabs = [{ tab_title: 'One', tab_content: editor }]
    const { inner, dependencies } = await draw('accordion', { tabs }, [], author)
    expect(inner).toContain(shown)
    expect(inner).toMatch(/<\/div><\/div><\/div><\/div>$/)
    expect(dependencies).toContain('shortcode:badge')
  }
})

test('a text that is no text counts as absent', async () => {
  expect((await draw('alert', { alert_title: {}, alert_description: '' })).text).toBe('This is an Alert\n')
})

describe('slides and countdowns', () => {
  test('a slide is a link as a whole, or has a button', async () => {
    const slides = [
      { _id: 'a1', heading: 'One', button_text: 'Go', link: link('/one'), background_color: '#102030' },
      {
        _id: 'a2',
        heading: 'Two',
        button_text: 'Go',
        link: link('/two'),
        link_click: 'button',
        background_image: pier,
      },
    ]
    const { inner, css } = await draw('slides', { slides, slides_title_tag: 'h3' })
    expect(inner).toContain('<a class="swiper-slide-inner" href="/one"><div class="swiper-slide-contents">')
    expect(inner).toContain('<a class="builder-button builder-slide-button builder-size-sm" href="/two">Go</a>')
    expect(inner).toContain('<h3 class="builder-slide-heading">Two</h3>')
    const sheet = css.map((one) => one.css).join('')
    expect(sheet).toContain('.builder-repeater-item-a1 .swiper-slide-bg{background-color:#102030}')
    expect(sheet).toMatch(/\.builder-repeater-item-a2 \.swiper-slide-bg\{background-image:url\("[^"]+pier/)
  })

  test('a countdown shows what is left at the time of the render', async () => {
    const settings = {
      due_date: '2026-03-12 11:30',
      show_seconds: '',
      expire_actions: ['message'],
      message_after_expire: 'Over',
    }
    const id = await storeDocument(site, [widgetElement('a', 'countdown', settings)])
    const at = (now: string) => site.api.render.document(id, { now: Date.parse(now) })
    const before = await at('2026-03-10T09:00:00Z')
    expect(before?.text).toBe('02Days\n02Hours\n30Minutes\n')
    expect(before?.html).toContain(`data-date="${Date.parse('2026-03-12T11:30:00Z') / 1000}"`)
    expect(before?.dependencies).toEqual(expect.arrayContaining(['vary:time', 'option:timezone_string']))
    expect((await at('2026-04-01T00:00:00Z'))?.text).toContain('00Days\n00Hours\n00Minutes\nOver')
    expect((await draw('countdown', { due_date: 'soon' })).inner).toBe('')
  })
})

test('containers and sections have drawn edges', async () => {
  const settings = { shape_divider_top: 'waves', shape_divider_top_color: '#fed', shape_divider_bottom: '"><script>' }
  for (const elType of ['container', 'section']) {
    const id = await storeDocument(site, [{ id: 'c1', elType, settings, elements: [widgetElement('h', 'heading')] }])
    const result = await site.api.render.document(id)
    expect(result?.html.match(/<div class="builder-shape /g)).toHaveLength(1)
    expect(result?.html).toMatch(
      /<div class="builder-shape builder-shape-top" aria-hidden="true" data-negative="false"><svg viewBox/,
    )
    expect(result?.css.map(({ css }) => css).join('')).toContain('> .builder-shape-top .builder-shape-fill{fill:#fed}')
  }
})

test('markup in every text stays inside its element', async () => {
  const hostile = '"><script>hit()</script></div></section><img src=x onerror=hit()><b>'
  const item = {
    _id: hostile,
    text: hostile,
    tab_title: hostile,
    tab_content: hostile,
    item_title: hostile,
    item_text: hostile,
  }
  const texts = (
    'title title_text description_text description text editor html alert_title alert_description testimonial_content inner_text ' +
    'testimonial_name testimonial_job address heading sub_heading price period button_text footer_additional_info ribbon_title ' +
    'prefix suffix thousand_separator_char button ending_number carousel_name sidebar title_text_a description_text_b currency_symbol'
  ).split(' ')
  const settings = {
    ...Object.fromEntries(texts.map((name) => [name, hostile])),
    ...{
      tabs: [item],
      items: [item],
      icon_list: [item],
      features_list: [item],
      social_icon_list: [item],
      carousel: [item],
    },
  }
  const types = (
    'video google_maps icon icon-box image-box image-carousel image-gallery icon-list social-icons counter progress rating ' +
    'star-rating testimonial alert tabs accordion toggle nested-tabs nested-accordion audio html sidebar price-table call-to-action flip-box slides'
  ).split(' ')
  const elements = types.map((type, at) => widgetElement(`f${at}`, type, settings))
  const id = await storeDocument(site, [...elements, widgetElement('last', 'heading', { title: 'Last' })], {
    author: 'author2',
  })
  const result = await site.api.render.document(id)
  expect(result?.html).not.toMatch(/<script(?! type="application)|<img[^>]* onerror/)
  expect(result?.html).toMatch(/<h2 class="builder-heading-title builder-size-default">Last<\/h2><\/div><\/div>$/)
  expect(result?.warnings).toEqual([])
})

test('values of a wrong type count as absent in every widget', async () => {
  const wrong = [
    {},
    [],
    7,
    true,
    null,
    [null, 7, 'x', []],
    { url: {}, id: [], size: {}, value: {} },
    [{ text: {}, _id: [] }],
    -1e308,
    '',
  ]
  const types = Object.keys(builtInWidgets)
  const names = [
    ...new Set(
      Object.values(builtInWidgets).flatMap(({ controls = [] }) => controls.flatMap(({ settings }) => settings)),
    ),
    ...(
      'title title_text description_text description text editor html alert_title testimonial_content testimonial_image inner_text ' +
      'address heading price period button_text features_list ribbon_title prefix suffix ending_number starting_number duration ' +
      'carousel wp_gallery gallery_columns slides slides_to_show tabs items icon_list social_icon_list selected_icon rating_icon ' +
      'rating_scale rating_value rating image image_size thumbnail_custom_dimension bg_image link percent zoom start end hosted_url ' +
      'poster image_overlay youtube_url video_type due_date expire_actions shortcode sidebar anchor view shape position'
    ).split(' '),
  ]
  // All in one document may take longer than a render may, on a slow machine.
  const perDocument = 16
  const groups = Array.from({ length: Math.ceil(types.length / perDocument) }, (_, at) =>
    types.slice(at * perDocument, (at + 1) * perDocument),
  )
  for (const [kind, value] of wrong.entries()) {
    const settings = Object.fromEntries(names.map((name) => [name, value]))
    // Each group meets two of the values, and all of them in a full run.
    for (const group of groups.filter((_, at) => isFullRun || kind % 5 === at % 5)) {
      const id = await storeDocument(
        site,
        group.map((type, at) => widgetElement(`f${at}`, type, settings)),
        // Lists of posts leave it out.
        { status: 'draft' },
      )
      const result = await site.api.render.document(id, { user: site.ids['user.admin'] ?? 0 })
      const written = `${result?.html} ${result?.css.map(({ css }) => css).join(' ')} ${result?.text}`
      expect(written, JSON.stringify(value)).not.toMatch(/\[object |undefined|NaN|Infinity/)
      expect(result?.warnings.filter(({ code }) => code === 'element_failed')).toEqual([])
    }
  }
})
