/**
 * Makes `pages.json`, the built pages of the sample site, which complete `docs/sample-site.json`: `node docs/sample-site/pages.ts`.
 * Elements name other records by id, so both documents are seeded once to learn the ids.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { full } from '../../src/profiles/full.ts'
import { createMedia } from '../../src/services/media.ts'
import { memoryMedia } from '../../src/services/media-driver.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { kitStyle } from './kit-style.ts'

interface Element {
  readonly id: string
  readonly elType: string
  readonly isInner?: boolean
  readonly widgetType?: string
  readonly settings: object
  readonly elements: readonly Element[]
}

type IdOf = (reference: string) => number

let count = 0
const nextId = () => (0x5a11000 + ++count).toString(16)

const box = (settings: object, ...elements: readonly Element[]): Element => ({
  ...{ id: nextId(), elType: 'container', isInner: false, settings, elements: elements.map(inner) },
})
const inner = (element: Element): Element => (element.elType === 'container' ? { ...element, isInner: true } : element)
const widget = (widgetType: string, settings: object): Element => ({
  ...{ id: nextId(), elType: 'widget', widgetType, settings, elements: [] },
})

const px = (size: number) => ({ unit: 'px', size })
const gap = (size: number) => ({ unit: 'px', size, column: String(size), row: String(size), isLinked: true })
const sides = (top: number, right = top) => ({
  ...{ unit: 'px', top: String(top), right: String(right), bottom: String(top), left: String(right), isLinked: false },
})
const row = { flex_direction: 'row', flex_direction_mobile: 'column' }
const percent = (size: number) => ({
  content_width: 'full',
  width: { unit: '%', size },
  width_mobile: { unit: '%', size: 100 },
})

const heading = (title: string, header_size: string, css = '') =>
  widget('heading', { title, header_size, _css_classes: css })
const text = (editor: string, css = '') => widget('text-editor', { editor, _css_classes: css })
const button = (label: string, url: string, css = '') =>
  widget('button', { text: label, link: { url }, _css_classes: css })
const image = (idOf: IdOf, key: string, css = '') =>
  widget('image', { image: { id: idOf(`media.${key}`), url: '' }, image_size: 'full', _css_classes: css })

const links = (items: readonly (readonly [label: string, url: string])[], isInline: boolean) =>
  widget('icon-list', {
    view: isInline ? 'inline' : 'traditional',
    _css_classes: isInline ? 'letter-menu' : 'letter-links',
    icon_list: items.map(([label, url], at) => ({
      _id: `item${at}`,
      text: label,
      link: { url },
      selected_icon: { value: '' },
    })),
  })

// ---------------------------------------------------------------- header and footer

const header = (): Element[] => [
  box(
    {
      ...row,
      flex_direction_mobile: 'row',
      css_classes: 'letter-top',
      flex_wrap: 'wrap',
      flex_justify_content: 'space-between',
      flex_align_items: 'center',
      padding: sides(18, 24),
      flex_gap: gap(16),
    },
    widget('heading', {
      title: 'The Millbrook Letter',
      header_size: 'div',
      link: { url: '/' },
      _css_classes: 'letter-name',
      _flex_size: 'none',
    }),
    box(
      {
        html_tag: 'nav',
        content_width: 'full',
        css_classes: 'letter-nav',
        padding: sides(0),
      },
      links(
        [
          ['Journal', '/journal/'],
          ['Photographs', '/photographs/'],
          ['About us', '/about/'],
          ['Subscribe', '/subscribe/'],
          ['Write to us', '/write/'],
        ],
        true,
      ),
    ),
  ),
]

const footer = (): Element[] => [
  box(
    { css_classes: 'letter-bottom', padding: sides(56, 24), flex_gap: gap(32) },
    box(
      { ...row, padding: sides(0), flex_gap: gap(40) },
      box(
        { ...percent(46), padding: sides(0), flex_gap: gap(8) },
        heading('The Millbrook Letter', 'h2', 'letter-small'),
        text(
          '<p>Written on a folding table in the hall by six people who live here. On paper every other Friday, on the screen whenever the river allows.</p>',
        ),
      ),
      box(
        { ...percent(24), padding: sides(0), flex_gap: gap(8) },
        heading('Sections', 'h2', 'letter-small'),
        links(
          [
            ['The valley', '/category/valley/'],
            ['River', '/category/valley/river/'],
            ['Kitchen', '/category/kitchen/'],
            ['Workshop', '/category/workshop/'],
          ],
          false,
        ),
      ),
      box(
        { ...percent(24), padding: sides(0), flex_gap: gap(8) },
        heading('Keep in touch', 'h2', 'letter-small'),
        links(
          [
            ['Write to us', '/write/'],
            ['Subscribe', '/subscribe/'],
            ['Feed', '/feed/'],
            ['How we work', '/about/how-we-work/'],
          ],
          false,
        ),
      ),
    ),
    widget('search-form', {
      placeholder: 'Search the letters',
      button_type: 'text',
      button_text: 'Search',
      _css_classes: 'letter-search',
    }),
    text(
      '<p>Texts and pictures may be copied for neighbours. Numbers up to twelve are written out.</p>',
      'letter-fine',
    ),
  ),
]

// ---------------------------------------------------------------- the card of a post

const excerptSettings = encodeURIComponent(JSON.stringify({ apply_to_post_content: 'yes', max_length: 130 }))
const excerptTag = `[builder-tag id="a2" name="post-excerpt" settings="${excerptSettings}"]`

const card = (): Element[] => [
  box(
    { css_classes: 'letter-card', padding: sides(0), flex_gap: gap(0) },
    widget('theme-post-featured-image', { image_size: 'full', link_to: 'post', _css_classes: 'letter-card-picture' }),
    box(
      { padding: sides(22, 22), flex_gap: gap(10) },
      widget('theme-post-title', {
        header_size: 'h3',
        link_to: 'post',
        __dynamic__: { link: '[builder-tag id="a1" name="post-url" settings="%7B%7D"]' },
      }),
      widget('text-editor', { __dynamic__: { editor: excerptTag }, _css_classes: 'letter-card-text' }),
      widget('post-info', {
        icon_list: [
          { _id: 'date', type: 'date', date_format: 'default', show_icon: 'none' },
          { _id: 'author', type: 'author', show_icon: 'none', show_avatar: '' },
        ],
        _css_classes: 'letter-card-facts',
      }),
    ),
  ),
]

// ---------------------------------------------------------------- pages

const section = (title: string, lead: string, ...elements: readonly Element[]) =>
  box(
    { css_classes: 'letter-section', padding: sides(56, 24), flex_gap: gap(28) },
    heading(title, 'h2', 'letter-title'),
    text(`<p>${lead}</p>`, 'letter-lead'),
    ...elements,
  )

const fact = (figure: string, words: string) =>
  box(
    { css_classes: 'letter-fact', padding: sides(20, 20), flex_gap: gap(4) },
    heading(figure, 'h3'),
    text(`<p>${words}</p>`),
  )

const topic = (idOf: IdOf, key: string, title: string, words: string, url: string) =>
  widget('image-box', {
    image: { id: idOf(`media.${key}`), url: '' },
    thumbnail_size: 'full',
    title_text: title,
    description_text: words,
    link: { url },
    title_size: 'h3',
    position: 'top',
    _css_classes: 'letter-topic',
  })

const home = (idOf: IdOf): Element[] => [
  box(
    { ...row, css_classes: 'letter-hero', flex_align_items: 'center', padding: sides(64, 24), flex_gap: gap(48) },
    box(
      { ...percent(48), padding: sides(0), flex_gap: gap(18) },
      text('<p>Letter 41 · every other Friday</p>', 'letter-kicker'),
      heading('News from a small valley', 'h1'),
      text(
        '<p>What the river does, what the council decided, and what was cooked at least three times before it was printed. Written by the people who live between the weir and the upper road.</p>',
        'letter-lead',
      ),
      box(
        {
          ...row,
          flex_direction_mobile: 'row',
          flex_wrap: 'wrap',
          padding: sides(0),
          flex_gap: gap(12),
          content_width: 'full',
          css_classes: 'letter-buttons',
        },
        button('Read the journal', '/journal/'),
        button('Subscribe', '/subscribe/', 'is-quiet'),
      ),
    ),
    box({ ...percent(48), padding: sides(0) }, image(idOf, 'valley-morning', 'letter-picture')),
  ),
  section(
    'From the last letters',
    'Three stories that people still talk about at the bakery.',
    widget('loop-grid', {
      template_id: idOf('document.card'),
      posts_per_page: 3,
      columns: 3,
      columns_tablet: 3,
      columns_mobile: 1,
      post_query_post_type: 'by_id',
      post_query_posts_ids: ['flood-november', 'market-prices', 'rye-in-one-day'].map((key) => idOf(`post.${key}`)),
      equal_height: 'yes',
      column_gap: px(28),
      row_gap: px(28),
    }),
  ),
  box(
    { css_classes: 'letter-gauge', padding: sides(56, 24), flex_gap: gap(28) },
    heading('Three numbers for the lower path', 'h2', 'letter-title'),
    box(
      {
        container_type: 'grid',
        grid_columns_grid: { unit: 'fr', size: 3 },
        grid_columns_grid_mobile: { unit: 'fr', size: 1 },
        grid_rows_grid: { unit: 'fr', size: 1 },
        grid_gaps: gap(20),
        padding: sides(0),
      },
      fact('0.8 m', 'The stepping stones are dry. Children may cross.'),
      fact('1.4 m', 'The lower path goes under. Take the road.'),
      fact('2.1 m', 'Somebody should already have knocked at the cottages.'),
    ),
    button('How to read the river gauge', '/reading-the-gauge/', 'is-light'),
  ),
  section(
    'What we write about',
    'Four tables, one printer, no advertisements.',
    box(
      {
        container_type: 'grid',
        grid_columns_grid: { unit: 'fr', size: 4 },
        grid_columns_grid_tablet: { unit: 'fr', size: 2 },
        grid_columns_grid_mobile: { unit: 'fr', size: 1 },
        grid_rows_grid: { unit: 'fr', size: 1 },
        grid_gaps: gap(24),
        padding: sides(0),
      },
      topic(idOf, 'weir-in-march', 'River', 'Levels, fish and flood marks.', '/category/valley/river/'),
      topic(idOf, 'plum-jam', 'Kitchen', 'Recipes that were cooked three times.', '/category/kitchen/'),
      topic(idOf, 'workbench', 'Workshop', 'Mending instead of buying.', '/category/workshop/'),
      topic(idOf, 'market-square', 'Market', 'Prices, stalls and where to stand.', '/tag/market/'),
    ),
  ),
  box(
    { ...row, css_classes: 'letter-section', padding: sides(56, 24), flex_gap: gap(48) },
    box(
      { ...percent(48), padding: sides(0) },
      widget('testimonial', {
        testimonial_content: 'It is the only paper I read from the first line to the last. It has four pages.',
        testimonial_name: 'M. Aldous',
        testimonial_job: 'Church Lane',
        testimonial_image: { url: '', id: '' },
        testimonial_alignment: 'left',
        _css_classes: 'letter-quote',
      }),
    ),
    box(
      { ...percent(48), padding: sides(0), flex_gap: gap(12) },
      heading('Questions at the door', 'h2', 'letter-title'),
      {
        ...widget('nested-accordion', {
          items: [
            { _id: 'q1', item_title: 'How do I get it on paper?' },
            { _id: 'q2', item_title: 'May I write for it?' },
            { _id: 'q3', item_title: 'What does it cost?' },
          ],
          accordion_item_title_icon: { value: '' },
          accordion_item_title_icon_active: { value: '' },
          title_tag: 'h3',
          _css_classes: 'letter-questions',
        }),
        elements: [
          box(
            { padding: sides(0, 0) },
            text(
              '<p>Leave your name at the shop by the bridge. June walks the upper road, Piet takes the rest by bicycle.</p>',
            ),
          ),
          box(
            { padding: sides(0, 0) },
            text(
              '<p>Yes. Short sentences, one page, and something that you have seen, read or cooked yourself. Tomás edits everything twice.</p>',
            ),
          ),
          box({ padding: sides(0, 0) }, text('<p>Three a month, or nothing, if three is much this month.</p>')),
        ].map(inner),
      },
    ),
  ),
]

const photographs = (idOf: IdOf): Element[] => [
  box(
    { css_classes: 'letter-section', padding: sides(56, 24), flex_gap: gap(24) },
    heading('Photographs', 'h1'),
    text(
      '<p>Eight views of the valley. We print them on the back page, one at a time, and take no more than one a week.</p>',
      'letter-lead',
    ),
    widget('image-gallery', {
      wp_gallery: [
        'valley-morning',
        'weir-in-march',
        'footbridge',
        'swifts',
        'market-square',
        'rye-loaf',
        'plum-jam',
        'workbench',
      ].map((key) => ({ id: idOf(`media.${key}`), url: '' })),
      ...{
        gallery_columns: 4,
        gallery_display_caption: 'none',
        thumbnail_size: 'full',
        gallery_link: 'file',
        image_spacing: 'custom',
        image_spacing_custom: px(20),
        _css_classes: 'letter-gallery',
      },
    }),
  ),
]

const price = (title: string, words: string, items: readonly string[], label: string, url: string) =>
  box(
    { css_classes: 'letter-price', padding: sides(28, 28), padding_tablet: sides(18, 18), flex_gap: gap(12) },
    text(`<p>${words}</p>`, 'letter-kicker'),
    heading(title, 'h3'),
    text(`<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`),
    button(label, url),
  )

const subscribe = (idOf: IdOf): Element[] => [
  box(
    { ...row, css_classes: 'letter-section', flex_align_items: 'center', padding: sides(56, 24), flex_gap: gap(48) },
    box(
      { ...percent(48), padding: sides(0), flex_gap: gap(18) },
      heading('Four pages, every other Friday', 'h1'),
      text(
        '<p>Printing costs us 212 a month. Subscribers pay for the paper, and the paper pays for the buckets.</p>',
        'letter-lead',
      ),
    ),
    box({ ...percent(48), padding: sides(0) }, image(idOf, 'footbridge', 'letter-picture')),
  ),
  box(
    { css_classes: 'letter-section', padding: sides(24, 24), flex_gap: gap(24) },
    heading('Three ways to take part', 'h2', 'letter-title'),
    box(
      {
        ...{
          container_type: 'grid',
          grid_columns_grid: { unit: 'fr', size: 3 },
          grid_columns_grid_mobile: { unit: 'fr', size: 1 },
        },
        ...{ grid_rows_grid: { unit: 'fr', size: 1 }, grid_gaps: gap(24), padding: sides(0) },
      },
      price(
        'Nothing',
        'On the screen',
        ['All letters since 2023', 'The feed, without ads', 'The river gauge at any hour'],
        'Read the journal',
        '/journal/',
      ),
      price(
        '3 a month',
        'On paper',
        ['At your door by bicycle', 'The map of 1958 as a gift', 'The accounts, once a year'],
        'Write to the desk',
        '/write/',
      ),
      price(
        'An evening',
        'With your hands',
        ['Folding, every other Thursday', 'Soup is provided', 'The dog may come'],
        'How we work',
        '/about/how-we-work/',
      ),
    ),
    box(
      { padding: sides(16, 0), flex_gap: gap(10) },
      heading('Where the money goes', 'h2', 'letter-title'),
      widget('progress', {
        title: 'Paper and toner',
        percent: { unit: '%', size: 62 },
        title_tag: 'h3',
        inner_text: '',
      }),
      widget('progress', {
        title: 'Stamps for the upper road',
        percent: { unit: '%', size: 23 },
        title_tag: 'h3',
        inner_text: '',
      }),
      widget('progress', { title: 'Soup', percent: { unit: '%', size: 15 }, title_tag: 'h3', inner_text: '' }),
    ),
  ),
]

const field = (custom_id: string, field_type: string, field_label: string, more: object = {}) => ({
  ...{ _id: `f-${custom_id}`, custom_id, field_type, field_label, required: 'true', width: '100', ...more },
})

const write = (idOf: IdOf): Element[] => [
  box(
    {
      ...row,
      css_classes: 'letter-section',
      padding: sides(56, 24),
      flex_gap: gap(56),
      flex_align_items: 'flex-start',
    },
    box(
      { ...percent(57), padding: sides(0), flex_gap: gap(18) },
      heading('Write to us', 'h1'),
      text(
        '<p>A correction, a count of swifts, a recipe, a complaint about the parking. We read everything aloud on Thursday and answer most of it.</p>',
        'letter-lead',
      ),
      widget('form', {
        form_name: 'Write to the desk',
        form_fields: [
          field('name', 'text', 'Your name', { width: '50', width_mobile: '100' }),
          field('email', 'email', 'E-mail', { width: '50', width_mobile: '100' }),
          field('about', 'select', 'What it is about', {
            field_options: 'A correction\nA letter to the editors\nThe river\nSomething else',
          }),
          field('message', 'textarea', 'Your letter', { rows: 7 }),
          field('print', 'acceptance', 'Printing', {
            required: '',
            acceptance_text: 'You may print it, with my name.',
          }),
        ],
        ...{
          button_text: 'Send the letter',
          button_size: 'md',
          column_gap: px(16),
          row_gap: px(16),
          _css_classes: 'letter-form',
        },
      }),
    ),
    box(
      { ...percent(38), padding: sides(0), flex_gap: gap(18) },
      image(idOf, 'swifts', 'letter-picture'),
      heading('Or on paper', 'h2', 'letter-small'),
      text('<p>Number 14, the green door beside the hall. There is a slot, and a dog that belongs to none of us.</p>'),
    ),
  ),
]

// ---------------------------------------------------------------- the document

const built = (elements: readonly Element[], type: string, more: object = {}) => ({
  meta: {
    _builder_edit_mode: 'builder',
    _builder_template_type: type,
    _builder_data: JSON.stringify(elements),
    ...more,
  },
})

const dates = { author: 'ada', date: '2024-09-25T09:00:00' }
const medium = (key: string, title: string, alt_text: string, caption = '') => ({
  ...{
    key,
    slug: `${key}-picture`,
    title,
    file: `2024/09/${key}.jpg`,
    mime_type: 'image/jpeg',
    width: 1200,
    height: 800,
    alt_text,
    caption,
  },
  ...dates,
})

function documentWith(idOf: IdOf) {
  count = 0
  const page = (key: string, title: string, elements: readonly Element[], excerpt: string) => ({
    ...{ key, slug: key, title, status: 'publish', excerpt, ...dates },
    ...built(elements, 'wp-page', { _builder_page_settings: { hide_title: 'yes' } }),
  })
  const template = (key: string, type: string, title: string, elements: readonly Element[], condition?: string) => ({
    ...{ key, type: 'builder_library', slug: key, title, status: 'publish', ...dates },
    ...built(elements, type, condition === undefined ? {} : { _builder_conditions: [condition] }),
  })
  return {
    options: {
      page_on_front: 'home',
      posts_per_page: 8,
      builder_active_kit: 1,
      builder_disable_color_schemes: 'yes',
      builder_disable_typography_schemes: 'yes',
      builder_kit_settings: {
        custom_css: kitStyle,
        container_width: px(1120),
      },
    },
    media: [
      medium(
        'valley-morning',
        'The valley in the morning',
        'Low sun over green hills, a river and two small houses',
        'First light, from the ridge.',
      ),
      medium(
        'footbridge',
        'The new footbridge',
        'A wooden footbridge in a long arch over calm water',
        'Sixty centimetres higher than the old one.',
      ),
      medium(
        'plum-jam',
        'Plum jam',
        'Three labelled jars of dark jam and a heap of plums',
        'Two kilos of plums, one lemon.',
      ),
      medium(
        'swifts',
        'Swifts over the church',
        'Eleven swifts around a church tower at dusk',
        'We have counted again and agree on thirteen.',
      ),
    ],
    pages: [
      page(
        'home',
        'Home',
        home(idOf),
        'What the river does, what the council decided, and what was cooked at least three times before it was printed.',
      ),
      page(
        'photographs',
        'Photographs',
        photographs(idOf),
        'Eight views of the valley, from the back page of the Letter.',
      ),
      page(
        'subscribe',
        'Subscribe',
        subscribe(idOf),
        'Three ways to take part in the Letter: on the screen, on paper, or with your hands.',
      ),
      page('write', 'Write to us', write(idOf), 'How to reach the people at the folding table.'),
    ],
    documents: [
      template('site-header', 'header', 'Header', header(), 'include/general'),
      template('site-footer', 'footer', 'Footer', footer(), 'include/general'),
      template('card', 'loop-item', 'Card of a post', card()),
    ],
  }
}

const base: unknown = JSON.parse(readFileSync(new URL('../sample-site.json', import.meta.url), 'utf8'))
const media = createMedia({ driver: memoryMedia() })
const api = createSiteApi({
  storage: memoryStorage(),
  profile: full,
  url: 'https://millbrook.example',
  services: { media },
})
const ids = await api.site.seed([base, documentWith(() => 0)])
await api.close()
const made = documentWith((reference) => {
  const id = ids[reference]
  if (id === undefined) throw new Error(`the sample site has no ${reference}`)
  return id
})
// The form of the formatter: a list of one text is one line.
const json = JSON.stringify(made, null, 2).replace(/\[\n\s+("[^"]*")\n\s+\]/g, '[$1]')
writeFileSync(new URL('pages.json', import.meta.url), `${json}\n`)
