/** Writes the portfolio of an architect: elements of both generations, tabs, galleries, and a loop with its template. */
import { facade, mark, portrait } from '../drawings.ts'
import { KitWriter, type MovedKit, oldAddress } from '../writing.ts'

const px = (size: number) => ({ unit: 'px', size, sizes: [] })
const tagged = (type: string, value: unknown) => ({ $$type: type, value })

export function portfolio(): MovedKit {
  const kit = new KitWriter('Ines Calder', 'Houses that wait for weather')
  const { say, picture, icon, widget, container, entry } = kit
  kit.draw('2023/09/library.jpg', facade('#8d5a44', '#f2e6d0'))
  kit.draw('2023/09/boathouse.jpg', facade('#3f5560', '#bcd3dc', 3))
  kit.draw('2023/10/school.jpg', facade('#c7b299', '#49525a', 4))
  kit.draw('2023/10/ines.jpg', portrait('#2c2f33', '#b9b2a6'))
  kit.draw('2023/09/mark.svg', mark('#2c2f33'))
  kit.kit({
    system_colors: [
      { _id: 'primary', title: 'Primary', color: '#2C2F33' },
      { _id: 'secondary', title: 'Secondary', color: '#7A7F84' },
      { _id: 'text', title: 'Text', color: '#4A4E52' },
      { _id: 'accent', title: 'Accent', color: '#8D5A44' },
    ],
    system_typography: [
      {
        _id: 'primary',
        title: 'Primary',
        typography_typography: 'custom',
        typography_font_family: 'Helvetica',
        typography_font_weight: '300',
      },
      {
        _id: 'text',
        title: 'Text',
        typography_typography: 'custom',
        typography_font_family: 'Helvetica',
        typography_font_weight: '400',
      },
    ],
    container_width: px(1200),
  })
  const pages = { work: kit.reserve(), studio: kit.reserve() }
  kit.category('houses', 'Houses')
  kit.menu('pages', 'Pages', [
    { title: 'Work', page: pages.work },
    { title: 'Studio', page: pages.studio },
    { title: 'Old site', url: `${oldAddress}/studio/` },
  ])
  const header = kit.template(
    'header',
    'Top',
    () => [
      container(
        { flex_direction: 'row', flex_justify_content: 'space-between', flex_align_items: 'center' },
        widget('heading', { title: say('Ines Calder'), header_size: 'div', link: { url: `${oldAddress}/` } }),
        widget('nav-menu', { menu: 'pages', layout: 'horizontal' }),
      ),
    ],
    { conditions: ['include/general'] },
  )
  const card = kit.template('loop-item', 'Card', () => [
    container(
      {
        padding: { unit: 'px', top: '16', right: '16', bottom: '16', left: '16', isLinked: true },
        border_border: 'solid',
        border_width: { unit: 'px', top: '1', right: '1', bottom: '1', left: '1', isLinked: true },
        border_color: '#D8D8D8',
      },
      widget('heading', {
        title: '',
        header_size: 'h3',
        __dynamic__: {
          title: '[elementor-tag id="1a2b3c4" name="post-title" settings="%7B%7D"]',
          link: '[elementor-tag id="1a2b3c5" name="post-url" settings="%7B%7D"]',
        },
      }),
      widget('theme-post-excerpt', {}),
    ),
  ])

  const first = kit.noting(() => {
    kit.page({
      type: 'post',
      title: say('A house on posts'),
      slug: 'house-on-posts',
      path: '/house-on-posts/',
      also: [header.noted],
      excerpt: 'The river may come in.',
      content: `<p>${say('Twelve oak posts carry a room that floods twice a year.')}</p>`,
      terms: [['category', 'houses', 'Houses']],
    })
    kit.page({
      type: 'post',
      title: say('The long barn'),
      slug: 'long-barn',
      path: '/long-barn/',
      also: [header.noted],
      excerpt: 'Forty metres, one door.',
      content: `<p>${say('We left the swallows where they were.')}</p>`,
      terms: [['category', 'houses', 'Houses']],
    })
  })
  void first
  const listed = kit.noting(() => {
    say('A house on posts')
    say('The long barn')
    say('The river may come in.')
    say('Forty metres, one door.')
  })

  const atomic = (
    elType: string,
    widgetType: string | undefined,
    settings: object,
    elements: readonly unknown[] = [],
    styles: object = {},
  ) =>
    ({
      ...widget(widgetType ?? elType, settings as never),
      elType,
      ...(widgetType ? { widgetType } : { widgetType: undefined }),
      elements,
      styles,
      version: '0.0',
    }) as never
  kit.built(
    [
      container(
        {
          min_height: { unit: 'vh', size: 60, sizes: [] },
          flex_justify_content: 'center',
          background_background: 'classic',
          background_color: '#EDEAE4',
        },
        widget('animated-headline', {
          headline_style: 'rotate',
          before_text: say('We build'),
          rotating_text: say('slowly'),
          after_text: say('and once'),
          tag: 'h1',
        }),
        widget('divider', { width: { unit: '%', size: 20, sizes: [] } }),
      ),
      container(
        {},
        widget('gallery', {
          gallery: [picture('2023/09/library.jpg'), picture('2023/09/boathouse.jpg'), picture('2023/10/school.jpg')],
          gallery_layout: 'grid',
          columns: 3,
        }),
      ),
      container(
        {},
        widget('loop-grid', {
          template_id: String(card.id),
          columns: 2,
          posts_per_page: 6,
          post_query_post_type: 'post',
        }),
      ),
      atomic('e-div-block', undefined, {}, [
        atomic('widget', 'e-heading', {
          title: tagged('string', say('From the drawing board')),
          tag: tagged('string', 'h2'),
        }),
        atomic('widget', 'e-paragraph', {
          paragraph: tagged('string', say('Every project begins with a walk around the field.')),
        }),
        atomic('widget', 'e-image', {
          image: tagged('image', {
            src: tagged('image-src', {
              id: tagged('image-attachment-id', picture('2023/10/school.jpg').id),
              url: null,
            }),
            size: tagged('string', 'large'),
          }),
        }),
        atomic('widget', 'e-button', {
          text: tagged('string', say('Ask for the book')),
          link: tagged('link', { destination: tagged('url', `${oldAddress}/studio/`), isTargetBlank: null }),
        }),
      ]),
    ],
    {
      title: 'Work',
      slug: 'work',
      path: '/',
      link: `${oldAddress}/`,
      also: [header.noted, listed],
      meta: [['_wp_page_template', 'elementor_header_footer']],
    },
    pages.work,
  )
  kit.built(
    [
      container(
        { flex_direction: 'row' },
        widget('image', {
          image: picture('2023/10/ines.jpg'),
          image_size: 'medium_large',
          caption_source: 'custom',
          caption: say('Ines on site, 2023'),
        }),
        widget('tabs', {
          tabs: [
            entry({
              tab_title: say('Approach'),
              tab_content: `<p>${say('We draw by hand until the wall is right.')}</p>`,
            }),
            entry({ tab_title: say('People'), tab_content: `<p>${say('Four of us, and a dog called Plumb.')}</p>` }),
          ],
        }),
      ),
      container(
        {},
        widget('toggle', {
          tabs: [entry({ tab_title: say('How long does it take?'), tab_content: `<p>${say('Two winters.')}</p>` })],
        }),
        widget('progress', {
          title: say('Timber we grow ourselves'),
          percent: { unit: '%', size: 70, sizes: [] },
          inner_text: say('seven tenths'),
        }),
        widget('image-carousel', {
          carousel: [picture('2023/09/library.jpg'), picture('2023/09/boathouse.jpg')],
          slides_to_show: '2',
        }),
        widget('icon-list', {
          icon_list: [
            entry({ text: say('Prize of the county, 2021'), selected_icon: icon('fas fa-award') }),
            entry({ text: say('Shown in Porto'), selected_icon: icon('far fa-building') }),
          ],
        }),
        widget('blockquote', {
          blockquote_content: say('A roof is a promise.'),
          author_name: say('Ines Calder'),
          tweet_button: '',
        }),
        widget('acme-timeline', {
          acme_events: [
            entry({
              event_year: say('2009'),
              event_title: say('A shed in Wick'),
              event_content: `<p>${say('Six square metres, and still dry.')}</p>`,
              event_icon: icon('fas fa-hammer'),
            }),
            entry({
              event_year: say('2016'),
              event_title: say('The studio moves'),
              event_content: say('Into the net loft.'),
            }),
          ],
          acme_line_color: '#D8D8D8',
        }),
        widget('google_maps', { address: 'Net Loft, Port Elder', zoom: px(12) }),
      ),
    ],
    { title: say('Studio'), slug: 'studio', path: '/studio/', also: [header.noted] },
    pages.studio,
  )
  return kit.finish()
}
