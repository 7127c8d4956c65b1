/** A restaurant that was built in sections and columns: header and footer of the builder, a kit, a form, add-on widgets. */
import { harbour, mark, plate, portrait } from '../drawings.ts'
import { KitWriter, type MovedKit, oldAddress, serialized } from '../writing.ts'

const px = (size: number) => ({ unit: 'px', size, sizes: [] })
const around = (top: number, right: number, bottom: number, left: number) => ({
  ...{ unit: 'px', top: `${top}`, right: `${right}`, bottom: `${bottom}`, left: `${left}`, isLinked: false },
})

export function restaurant(): MovedKit {
  const kit = new KitWriter('The Salt Pan', 'Fish, fire and a view of the harbour')
  const { say, picture, icon, widget, section, entry } = kit
  kit.draw('2024/02/harbour.jpg', harbour())
  kit.draw('2024/02/mussels.jpg', plate('#d9772f'))
  kit.draw('2024/02/bream.jpg', plate('#c9c2b0', '#3f4a52'))
  kit.draw('2024/02/tart.jpg', plate('#8c2f39', '#5b4636'))
  kit.draw('2024/03/cook.jpg', portrait('#f4f1ea', '#8fa3a8'))
  kit.draw('2024/02/salt-pan.svg', mark('#12343b'))

  const color = (id: string, title: string, value: string) => ({ _id: id, title, color: value })
  const font = (id: string, title: string, family: string, weight: string) => ({
    ...{ _id: id, title, typography_typography: 'custom' },
    ...{ typography_font_family: family, typography_font_weight: weight },
  })
  kit.kit({
    system_colors: [
      ...[color('primary', 'Primary', '#12343B'), color('secondary', 'Secondary', '#2D545E')],
      ...[color('text', 'Text', '#3C3A36'), color('accent', 'Accent', '#B4531B')],
    ],
    custom_colors: [color('5a17a01', 'Sand', '#F3E9DC')],
    system_typography: [
      ...[font('primary', 'Primary', 'Georgia', '700'), font('secondary', 'Secondary', 'Georgia', '400')],
      ...[font('text', 'Text', 'Verdana', '400'), font('accent', 'Accent', 'Verdana', '600')],
    ],
    container_width: px(1080),
    button_background_color: '#B4531B',
    button_text_color: '#FFFFFF',
    button_border_radius: around(4, 4, 4, 4),
    form_field_background_color: '#FFFFFF',
  })

  const pages = { home: kit.reserve(), menu: kit.reserve(), vouchers: kit.reserve(), news: kit.reserve() }
  kit.category('kitchen', 'Kitchen')
  kit.menu('main', 'Main', [
    { title: 'Home', page: pages.home },
    { title: 'The menu', page: pages.menu },
    { title: 'Gift vouchers', page: pages.vouchers },
    { title: 'Call us', url: 'tel:+441234567' },
  ])

  const header = kit.template(
    'header',
    'Header',
    () => [
      section(
        { background_background: 'classic', background_color: '#F3E9DC', padding: around(16, 0, 16, 0) },
        [
          widget('image', {
            image: picture('2024/02/salt-pan.svg'),
            image_size: 'full',
            align: 'left',
            width: px(160),
          }),
        ],
        [widget('nav-menu', { menu: 'main', layout: 'horizontal', align_items: 'flex-end' })],
      ),
    ],
    { conditions: ['include/general'] },
  )
  const footer = kit.template(
    'footer',
    'Footer',
    () => [
      section(
        {
          __globals__: { background_color: 'globals/colors?id=primary' },
          background_background: 'classic',
          padding: around(40, 0, 40, 0),
          ...{ heading_color: '#F3E9DC', color_text: '#F3E9DC' },
        },
        [
          widget('heading', { title: say('Find us'), header_size: 'h3', title_color: '#F3E9DC' }),
          widget('icon-list', {
            icon_list: [
              entry({ text: say('3 Quay Street, Port Elder'), selected_icon: icon('fas fa-map-marker-alt') }),
              entry({
                text: say('+44 1234 567'),
                selected_icon: icon('fas fa-phone-alt'),
                link: { url: 'tel:+441234567' },
              }),
              entry({ text: say('table@saltpan.example'), selected_icon: icon('far fa-envelope') }),
            ],
            text_color: '#F3E9DC',
            icon_color: '#F3E9DC',
          }),
        ],
        [
          widget('wp-widget-text', {
            wp: { title: say('Opening hours'), text: say('Tuesday to Sunday, noon to ten. We close on Mondays.') },
            _css_classes: 'hours',
          }),
        ],
        [
          widget('social-icons', {
            social_icon_list: [
              entry({ social_icon: icon('fab fa-instagram'), link: { url: 'https://social.example/saltpan' } }),
              entry({ social_icon: icon('fab fa-facebook-f'), link: { url: 'https://faces.example/saltpan' } }),
            ],
            shape: 'circle',
          }),
        ],
      ),
    ],
    { conditions: ['include/general'] },
  )
  const around_ = [header.noted, footer.noted]
  const call = kit.template('section', 'Book a table', () => [
    section({ background_background: 'classic', background_color: '#F3E9DC', padding: around(48, 24, 48, 24) }, [
      widget('heading', { title: say('A table by the window?'), align: 'center' }),
      widget('button', {
        text: say('Book a table'),
        link: { url: `${oldAddress}/gift-vouchers/` },
        align: 'center',
        selected_icon: icon('fas fa-utensils'),
      }),
    ]),
  ])

  const dish = (path: string, title: string, text: string) => [
    widget('image-box', {
      ...{ image: picture(path), title_text: say(title), description_text: say(text), position: 'top' },
      ...{ title_size: 'h3', image_space: px(18), image_size: { unit: '%', size: 100, sizes: [] } },
    }),
  ]
  kit.built(
    [
      section(
        {
          background_background: 'classic',
          background_image: picture('2024/02/harbour.jpg'),
          ...{
            background_position: 'center center',
            background_size: 'cover',
            background_overlay_background: 'classic',
          },
          ...{
            background_overlay_color: '#12343B',
            background_overlay_opacity: px(0.45),
            padding: around(140, 20, 140, 20),
          },
        },
        [
          widget('heading', {
            title: say('Fish, fire and salt'),
            header_size: 'h1',
            align: 'center',
            title_color: '#FFFFFF',
            typography_typography: 'custom',
            typography_font_size: px(56),
          }),
          widget('text-editor', {
            editor: `<p>${say('We cook what the boats bring in, over oak.')}</p>`,
            align: 'center',
            text_color: '#F3E9DC',
          }),
          widget('button', {
            text: say('See the menu'),
            link: { url: `${oldAddress}/the-menu/` },
            align: 'center',
            size: 'lg',
          }),
        ],
      ),
      section(
        { padding: around(72, 0, 72, 0) },
        dish('2024/02/mussels.jpg', 'Mussels in cider', 'From the rope to the pot in an hour.'),
        dish('2024/02/bream.jpg', 'Bream on the bone', 'Grilled whole, with fennel and lemon.'),
        dish('2024/02/tart.jpg', 'Plum tart', 'The last slice goes at nine.'),
      ),
      section(
        { padding: around(40, 0, 60, 0) },
        [
          widget('acme-chef-card', {
            ...{
              acme_photo: picture('2024/03/cook.jpg'),
              acme_chef_name: say('Maren Holt'),
              acme_chef_role: say('Cook and owner'),
            },
            ...{
              acme_bio: `<p>${say('Maren learned to salt cod from her grandmother, who never wrote anything down.')}</p>`,
            },
            ...{ acme_align: 'center', acme_title_tag: 'h3', acme_image_size: 'medium', acme_gap: px(12) },
          }),
        ],
        [
          widget('testimonial', {
            testimonial_content: say('We came for lunch and left after sunset.'),
            ...{
              testimonial_name: say('Oda Lind'),
              testimonial_job: say('Guest since 2019'),
              testimonial_image: { url: '', id: '' },
            },
          }),
          widget('acme-steps', {
            acme_steps: [
              entry({
                step_title: say('Call before ten'),
                step_text: say('We keep four tables for walkers.'),
                step_color: '#B4531B',
              }),
              entry({ step_title: say('Tell us about nuts'), step_text: say('The kitchen is small and careful.') }),
            ],
            acme_layout: 'vertical',
          }),
        ],
      ),
      section({}, [widget('shortcode', { shortcode: `[elementor-template id="${call.id}"]` })]),
    ],
    {
      title: 'Home',
      slug: 'home',
      path: '/',
      also: [...around_, call.noted],
      link: `${oldAddress}/`,
      meta: [['_wp_page_template', 'elementor_header_footer']],
    },
    pages.home,
  )

  const priced = (title: string, text: string, price: string) =>
    entry({ title: say(title), item_description: say(text), price: say(price) })
  kit.built(
    [
      section({ padding: around(56, 0, 24, 0) }, [
        widget('heading', {
          title: say('The menu in March'),
          header_size: 'h1',
          align: 'center',
          _margin: around(0, 0, 0, 0),
        }),
        widget('text-editor', {
          editor: `<p style="text-align:center">${say('Prices are in pounds. Bread and butter come with everything.')}</p>`,
        }),
      ]),
      section(
        { padding: around(0, 0, 64, 0) },
        [
          widget('heading', { title: say('To begin'), header_size: 'h2' }),
          widget('price-list', {
            price_list: [
              priced('Cockles', 'Vinegar and white pepper.', '6'),
              priced('Smoked roe', 'On toast, with pickled onion.', '8'),
            ],
          }),
        ],
        [
          widget('heading', { title: say('From the fire'), header_size: 'h2' }),
          widget('price-list', {
            price_list: [
              priced('Whole bream', 'For two, with potatoes.', '38'),
              priced('Leeks', 'Burnt outside, sweet inside.', '14'),
            ],
          }),
        ],
      ),
      section({ padding: around(0, 0, 64, 0) }, [
        widget('accordion', {
          tabs: [
            entry({
              tab_title: say('Do you take dogs?'),
              tab_content: `<p>${say('On the terrace, if they like each other.')}</p>`,
            }),
            entry({
              tab_title: say('Is there a car park?'),
              tab_content: `<p>${say('Behind the ice house, free after six.')}</p>`,
            }),
          ],
        }),
        widget('form', {
          form_name: 'Booking',
          form_fields: [
            entry({
              custom_id: 'name',
              field_type: 'text',
              field_label: say('Your name'),
              required: 'true',
              width: '50',
            }),
            entry({ custom_id: 'email', field_type: 'email', field_label: say('Your address for mail'), width: '50' }),
            entry({
              custom_id: 'message',
              field_type: 'textarea',
              field_label: say('When, and how many?'),
              width: '100',
            }),
          ],
          button_text: say('Ask for a table'),
        }),
      ]),
    ],
    {
      title: 'The menu',
      slug: 'the-menu',
      path: '/the-menu/',
      also: around_,
      meta: [
        ['_elementor_page_settings', serialized({ hide_title: 'yes' })],
        ['_wp_old_slug', 'food'],
        ['_wp_old_slug', 'carte'],
      ],
    },
    pages.menu,
  )

  kit.built(
    [
      section(
        {
          height: 'min-height',
          custom_height: px(420),
          content_position: 'middle',
          background_background: 'classic',
          background_color: '#12343B',
          padding: around(80, 20, 80, 20),
        },
        [
          widget('heading', {
            title: say('A voucher fits in every pocket'),
            header_size: 'h1',
            align: 'center',
            title_color: '#F3E9DC',
          }),
          widget('icon', { selected_icon: icon('fas fa-gift'), primary_color: '#F3E9DC', align: 'center' }),
          widget('text-editor', {
            editor: `<p>${say('Write to us with a sum and a name; the card comes by post.')}</p>`,
            align: 'center',
            text_color: '#F3E9DC',
          }),
        ],
      ),
    ],
    {
      title: 'Gift vouchers',
      slug: 'gift-vouchers',
      path: '/gift-vouchers/',
      meta: [['_wp_page_template', 'elementor_canvas']],
    },
    pages.vouchers,
  )

  kit.page({
    type: 'post',
    title: say('The first sardines'),
    slug: 'first-sardines',
    path: '/first-sardines/',
    terms: [['category', 'kitchen', 'Kitchen']],
    also: around_,
    content: [
      `<!-- wp:paragraph {"dropCap":true} --><p class="has-drop-cap">${say('They came in on Tuesday, small and bright.')}</p><!-- /wp:paragraph -->`,
      `<!-- wp:image {"id":${picture('2024/02/bream.jpg').id},"sizeSlug":"large","align":"wide"} --><figure class="wp-block-image alignwide size-large"><img src="${picture('2024/02/bream.jpg').url}" alt="" class="wp-image-${picture('2024/02/bream.jpg').id}"/><figcaption class="wp-element-caption">${say('Not a sardine, but as fresh.')}</figcaption></figure><!-- /wp:image -->`,
      `<!-- wp:quote --><blockquote class="wp-block-quote"><p>${say('Salt, heat, nothing else.')}</p><cite>${say('Maren')}</cite></blockquote><!-- /wp:quote -->`,
      `<!-- wp:paragraph --><p>${say('See what we cook')} <a href="${oldAddress}/the-menu/">${say('on the menu')}</a>.</p><!-- /wp:paragraph -->`,
    ].join('\n'),
  })
  return kit.finish()
}
