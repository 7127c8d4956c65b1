/** A shop front that was written in blocks, with containers and promotion widgets of the builder on its landing page. */
import { mark, portrait, spools } from '../drawings.ts'
import { KitWriter, type MovedKit, oldAddress } from '../writing.ts'

const px = (size: number) => ({ unit: 'px', size, sizes: [] })

export function shop(): MovedKit {
  const kit = new KitWriter('Copper & Thread', 'Haberdashery since 1961')
  const { say, picture, icon, widget, container, entry } = kit
  kit.draw('2024/01/reds.jpg', spools('#b3392f', '#d98c5f'))
  kit.draw('2024/01/blues.jpg', spools('#2f5d8c', '#7fb2c9'))
  kit.draw('2024/01/greens.jpg', spools('#3f6b4f', '#a3b97a'))
  kit.draw('2024/04/owner.jpg', portrait('#7a3b2e', '#d8c9b2'))
  kit.draw('2024/01/copper.svg', mark('#b4632a'))
  kit.kit({
    system_colors: [
      { _id: 'primary', title: 'Primary', color: '#7A3B2E' },
      { _id: 'secondary', title: 'Secondary', color: '#4A4036' },
      { _id: 'text', title: 'Text', color: '#3A352F' },
      { _id: 'accent', title: 'Accent', color: '#2F5D8C' },
    ],
    container_width: px(1140),
    body_background_background: 'classic',
    body_background_color: '#FBF7F0',
  })
  const pages = { home: kit.reserve(), about: kit.reserve(), visit: kit.reserve() }
  kit.category('workshops', 'Workshops')
  kit.category('yarn', 'Yarn')
  kit.tag('wool', 'Wool')
  kit.menu('shop', 'Shop', [
    { title: 'Front', page: pages.home },
    { title: 'About', page: pages.about },
    { title: 'Visit', page: pages.visit },
  ])

  const price = (title: string, amount: string, lines: readonly string[]) =>
    widget('price-table', {
      ...{
        heading: say(title),
        price: say(amount),
        currency_symbol: 'pound',
        period: say('a month'),
        button_text: say('Join'),
      },
      features_list: lines.map((line) => entry({ item_text: say(line), selected_item_icon: icon('fas fa-check') })),
      link: { url: `${oldAddress}/visit/` },
    })
  kit.built(
    [
      container(
        {
          flex_direction: 'row',
          flex_gap: { ...px(32), column: '32', row: '32' },
          flex_align_items: 'center',
          padding: { unit: 'px', top: '64', right: '20', bottom: '64', left: '20', isLinked: false },
        },
        container(
          { width: { unit: '%', size: 50, sizes: [] } },
          ...[
            widget('heading', { title: say('Thread for people who mend'), header_size: 'h1' }),
            widget('text-editor', {
              editor: `<p>${say('Eleven hundred colours, wound by the metre.')} <a href="${oldAddress}/about-us/">${say('Who we are')}</a></p>`,
            }),
            widget('button', { text: say('Come and see'), link: { url: `${oldAddress}/visit/` } }),
          ],
        ),
        container(
          { width: { unit: '%', size: 50, sizes: [] } },
          widget('image', { image: picture('2024/01/reds.jpg'), image_size: 'large' }),
        ),
      ),
      container(
        {
          container_type: 'grid',
          grid_columns_grid: { unit: 'fr', size: 3, sizes: [] },
          grid_gaps: { column: '24', row: '24', unit: 'px', isLinked: true },
        },
        widget('icon-box', {
          selected_icon: icon('fas fa-cut'),
          title_text: say('Cut to length'),
          description_text: say('From ten centimetres on.'),
        }),
        widget('icon-box', {
          selected_icon: icon('fas fa-truck'),
          title_text: say('Sent on Thursdays'),
          description_text: say('In paper, never in foil.'),
        }),
        widget('icon-box', {
          selected_icon: icon('far fa-heart'),
          title_text: say('Mended for free'),
          description_text: say('If we sold it, we sew it.'),
        }),
      ),
      container(
        { flex_direction: 'row', flex_wrap: 'wrap' },
        widget('counter', { starting_number: 0, ending_number: 1100, title: say('colours of cotton') }),
        widget('flip-box', {
          ...{
            title_text_a: say('Left over yarn?'),
            description_text_a: say('Turn me around'),
            graphic_element: 'none',
          },
          ...{
            title_text_b: say('We buy it back'),
            description_text_b: say('By weight, on Fridays.'),
            button_text: say('How it works'),
            link: { url: `${oldAddress}/visit/` },
          },
        }),
        widget('call-to-action', {
          ...{
            title: say('Darn a sock'),
            description: say('An hour, a needle and tea.'),
            button: say('Learn it'),
            link: { url: `${oldAddress}/about-us/` },
          },
          bg_image: picture('2024/01/blues.jpg'),
        }),
      ),
      container(
        { flex_direction: 'row' },
        price('Stitch', '9', ['Four skeins', 'A pattern']),
        price('Seam', '18', ['Ten skeins', 'All patterns', 'One workshop']),
      ),
      container(
        {},
        widget('acme-banner', {
          acme_first_text: say('Wool'),
          acme_second_text: say('week'),
          acme_note: say('From 4 to 9 November'),
          acme_link: { url: 'https://fair.example/wool', is_external: 'on' },
          acme_bg: '#7A3B2E',
          acme_animation: 'fadeInUp',
        }),
      ),
    ],
    {
      title: 'Front',
      slug: 'front',
      path: '/',
      link: `${oldAddress}/`,
      meta: [['_wp_page_template', 'elementor_header_footer']],
    },
    pages.home,
  )

  const image = (path: string, caption: string) => {
    const { id, url } = picture(path)
    return `<!-- wp:image {"id":${id},"sizeSlug":"large"} --><figure class="wp-block-image size-large"><img src="${url}" alt="" class="wp-image-${id}"/><figcaption class="wp-element-caption">${say(caption)}</figcaption></figure><!-- /wp:image -->`
  }
  const cover = picture('2024/01/greens.jpg')
  const owner = picture('2024/04/owner.jpg')
  kit.page(
    {
      title: say('About us'),
      slug: 'about-us',
      path: '/about-us/',
      content: [
        `<!-- wp:cover {"url":"${cover.url}","id":${cover.id},"dimRatio":50,"align":"full"} --><div class="wp-block-cover alignfull"><span aria-hidden="true" class="wp-block-cover__background has-background-dim"></span><img class="wp-block-cover__image-background wp-image-${cover.id}" alt="" src="${cover.url}" data-object-fit="cover"/><div class="wp-block-cover__inner-container"><!-- wp:heading {"textAlign":"center"} --><h2 class="wp-block-heading has-text-align-center">${say('Three drawers and a bell')}</h2><!-- /wp:heading --></div></div><!-- /wp:cover -->`,
        `<!-- wp:columns --><div class="wp-block-columns"><!-- wp:column {"width":"66.66%"} --><div class="wp-block-column" style="flex-basis:66.66%"><!-- wp:paragraph --><p>${say('Ada opened the shop with what her aunt had left her: buttons, mostly.')}</p><!-- /wp:paragraph --></div><!-- /wp:column --><!-- wp:column {"width":"33.33%"} --><div class="wp-block-column" style="flex-basis:33.33%"><!-- wp:list --><ul class="wp-block-list"><!-- wp:list-item --><li>${say('Buttons by the dozen')}</li><!-- /wp:list-item --><!-- wp:list-item --><li>${say('Zips by the metre')}</li><!-- /wp:list-item --></ul><!-- /wp:list --></div><!-- /wp:column --></div><!-- /wp:columns -->`,
        `<!-- wp:media-text {"mediaId":${owner.id},"mediaType":"image"} --><div class="wp-block-media-text is-stacked-on-mobile"><figure class="wp-block-media-text__media"><img src="${owner.url}" alt="" class="wp-image-${owner.id} size-full"/></figure><div class="wp-block-media-text__content"><!-- wp:paragraph --><p>${say('Ida runs it now, and still rings the bell at six.')}</p><!-- /wp:paragraph --></div></div><!-- /wp:media-text -->`,
        `<!-- wp:gallery {"columns":3,"linkTo":"none"} --><figure class="wp-block-gallery has-nested-images columns-3 is-cropped">${image('2024/01/reds.jpg', 'Reds')}${image('2024/01/blues.jpg', 'Blues')}${image('2024/01/greens.jpg', 'Greens')}</figure><!-- /wp:gallery -->`,
        `<!-- wp:buttons --><div class="wp-block-buttons"><!-- wp:button --><div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="${oldAddress}/visit/">${say('Where we are')}</a></div><!-- /wp:button --><!-- wp:button {"className":"is-style-outline"} --><div class="wp-block-button is-style-outline"><a class="wp-block-button__link wp-element-button" href="mailto:hello@copper.example">${say('Write to us')}</a></div><!-- /wp:button --></div><!-- /wp:buttons -->`,
        `<!-- wp:pullquote --><figure class="wp-block-pullquote"><blockquote><p>${say('A stitch in time is cheaper.')}</p><cite>${say('Ada, often')}</cite></blockquote></figure><!-- /wp:pullquote -->`,
        `<!-- wp:table {"className":"is-style-stripes"} --><figure class="wp-block-table is-style-stripes"><table><tbody><tr><td>${say('Cotton')}</td><td>${say('40 pence')}</td></tr><tr><td>${say('Linen')}</td><td>${say('70 pence')}</td></tr></tbody></table></figure><!-- /wp:table -->`,
        `<!-- wp:separator --><hr class="wp-block-separator has-alpha-channel-opacity"/><!-- /wp:separator -->`,
        `<!-- wp:latest-posts {"postsToShow":2,"displayPostDate":true} /-->`,
      ].join('\n'),
    },
    pages.about,
  )
  const drawings = ['2024/01/reds.jpg', '2024/01/blues.jpg'].map((path) => picture(path).id)
  kit.page(
    {
      title: say('Visit'),
      slug: 'visit',
      path: '/visit/',
      content: [
        `<!-- wp:group {"layout":{"type":"flex","flexWrap":"nowrap"}} --><div class="wp-block-group"><!-- wp:paragraph --><p>${say('12 Button Lane')}</p><!-- /wp:paragraph --><!-- wp:paragraph --><p>${say('Open from nine to six')}</p><!-- /wp:paragraph --></div><!-- /wp:group -->`,
        `<!-- wp:search {"label":"${say('Look for a colour')}","buttonText":"${say('Look')}"} /-->`,
        `<!-- wp:heading --><h2 class="wp-block-heading">${say('What we write about')}</h2><!-- /wp:heading -->`,
        `<!-- wp:categories {"showPostCounts":true} /-->`,
        `<!-- wp:shortcode -->[gallery ids="${drawings.join(',')}" columns="2" link="none"]<!-- /wp:shortcode -->`,
        `<!-- wp:details --><details class="wp-block-details"><summary>${say('Is there a step?')}</summary><!-- wp:paragraph --><p>${say('One, and a ramp beside it.')}</p><!-- /wp:paragraph --></details><!-- /wp:details -->`,
      ].join('\n'),
    },
    pages.visit,
  )
  const post = (title: string, slug: string, text: string, term: readonly [string, string]) =>
    kit.page({
      type: 'post',
      title: say(title),
      slug,
      path: `/${slug}/`,
      content: `<!-- wp:paragraph --><p>${say(text)}</p><!-- /wp:paragraph -->`,
      terms: [
        ['category', ...term],
        ['post_tag', 'wool', 'Wool'],
      ],
    })
  post('How to wind a skein', 'wind-a-skein', 'Two chairs, or a patient friend.', ['yarn', 'Yarn'])
  post('Mending on Mondays', 'mending-mondays', 'Bring one thing, take one thing home.', ['workshops', 'Workshops'])
  kit.other({
    type: 'product',
    title: 'A card of buttons',
    slug: 'card-of-buttons',
    meta: [['_price', '4']],
    terms: [['product_cat', 'buttons', 'Buttons']],
  })
  return kit.finish()
}
