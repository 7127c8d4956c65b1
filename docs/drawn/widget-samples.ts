/** Settings with which each built-in widget shows what it can show, by type. Widgets that are not listed draw their defaults. */

/** A grey picture: no request leaves the page. */
const picture = {
  id: '',
  alt: 'A grey field',
  url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEElEQVR4nGNoaGj4D8IMMAYAR9wIAYFEVkQAAAAASUVORK5CYII=',
}
const link = { url: 'https://quay.example/boats/' }
const px = (size: number) => ({ unit: 'px', size, sizes: [] })
const percent = (size: number) => ({ unit: '%', size, sizes: [] })
const star = { value: 'eicon-star', library: 'eicons' }
const said = (name: string) => ({
  _id: name,
  name,
  title: 'Harbour master',
  content: `What ${name} said.`,
  image: picture,
})

interface SampleIds {
  readonly menu: number
  readonly medium: number
  readonly template: number
  readonly loop: number
}

/** The ids are those of rows of the site that draws them. */
export const sampleSettings = ({ menu, medium, template, loop }: SampleIds): { readonly [type: string]: object } => ({
  image: { image: picture },
  audio: { link: { url: '/uploads/bell.mp3' } },
  html: { html: '<p>Written as <b>HTML</b>.</p>' },
  'menu-anchor': { anchor: 'boats' },
  shortcode: { shortcode: `[gallery ids="${medium}"]` },
  video: { youtube_url: 'https://youtu.be/abcdefghijk' },
  template: { template_id: template },
  'image-box': { image: picture, title_text: 'A boat', description_text: 'It floats.' },
  'image-carousel': { carousel: [picture, picture] },
  'image-gallery': { wp_gallery: [picture, picture] },
  'icon-list': { icon_list: [{ _id: 'a', text: 'Ropes', selected_icon: star }] },
  'social-icons': { social_icon_list: [{ _id: 'a', social_icon: star, link }] },
  testimonial: { testimonial_image: picture },
  tabs: { tabs: [{ _id: 'a', tab_title: 'Boats', tab_content: 'They float.' }] },
  accordion: { tabs: [{ _id: 'a', tab_title: 'Nets', tab_content: 'They hold.' }] },
  toggle: { tabs: [{ _id: 'a', tab_title: 'Sails', tab_content: 'They pull.' }] },
  'nested-tabs': { tabs: [{ _id: 'a', tab_title: 'Ports' }] },
  'nested-accordion': { items: [{ _id: 'a', item_title: 'Piers' }] },
  blockquote: { blockquote_content: 'Time and tide wait for no one.' },
  'animated-headline': { before_text: 'We sell', rotating_text: 'ropes\nsails', headline_style: 'rotate' },
  'price-list': { price_list: [{ _id: 'a', title: 'Coffee', price: '3' }] },
  gallery: { gallery: [picture, picture], link_to: 'none' },
  'testimonial-carousel': { slides: [said('Ada'), said('Bo')] },
  reviews: { slides: [said('Cy'), said('Di')] },
  'share-buttons': { share_buttons: [{ button: 'email' }] },
  'price-table': { heading: 'Crew', features_list: [{ _id: 'a', item_text: 'A bunk' }] },
  'call-to-action': { title: 'Come aboard', description: 'We sail at nine.', bg_image: picture, link },
  'flip-box': { title_text_a: 'Port', title_text_b: 'Starboard' },
  slides: {
    slides: [
      { _id: 'a', heading: 'First' },
      { _id: 'b', heading: 'Second' },
    ],
  },
  countdown: { due_date: '2098-01-01 10:00' },
  'loop-grid': { template_id: loop },
  'loop-carousel': { template_id: loop },
  form: { form_fields: [{ _id: 'a', custom_id: 'name', field_label: 'Name' }] },
  'nav-menu': { menu: `${menu}` },
  'post-info': { icon_list: [{ _id: 'a', type: 'date' }] },
  'media-carousel': {
    slides: [
      { _id: 'a', image: picture, image_link_to_type: 'custom', image_link_to: link },
      { _id: 'b', type: 'video', image: picture, video: { url: 'https://youtu.be/abcdefghijk' } },
    ],
    height: px(160),
  },
  'nested-carousel': { carousel_items: [{ _id: 'a' }, { _id: 'b' }], slides_to_show: '1' },
  'video-playlist': {
    playlist_title: 'At sea',
    tabs: [
      {
        _id: 'a',
        title: 'Casting off',
        youtube_url: 'https://youtu.be/abcdefghijk',
        duration: '1:20',
        thumbnail: picture,
      },
      {
        _id: 'b',
        type: 'vimeo',
        title: 'Coming home',
        vimeo_url: 'https://vimeo.com/123',
        inner_tab_content_1: 'Notes',
      },
    ],
  },
  hotspot: {
    image: picture,
    width: px(300),
    hotspot: [
      { _id: 'h1', hotspot_label: 'Bow', hotspot_tooltip_content: 'The front', hotspot_offset_x: percent(20) },
      { _id: 'h2', hotspot_link: link, hotspot_horizontal: 'right', hotspot_offset_x: percent(10) },
    ],
  },
  'text-path': { text: 'Round and round the harbour' },
  'code-highlight': { code: 'const knots = 12\nconst wind = "fresh"', language: 'javascript', line_numbers: 'yes' },
  lottie: {
    source: 'external_url',
    source_external_url: { url: 'https://files.example/wave.json' },
    caption: 'A wave',
  },
  'mega-menu': {
    menu_items: [
      { _id: 'a', item_title: 'Boats', item_dropdown_content: 'yes' },
      { _id: 'b', item_title: 'Nets', item_link: link },
    ],
  },
  portfolio: { posts_post_type: 'post', taxonomy: 'category' },
  'paypal-button': { email: 'till@quay.example', product_name: 'A rope', product_price: 12 },
  'facebook-page': { url: 'https://www.facebook.com/quay' },
  'facebook-embed': { post_url: 'https://www.facebook.com/quay/posts/1' },
  'facebook-button': { url_type: 'custom', url: 'https://quay.example/' },
  'facebook-comments': { url_type: 'custom', url: 'https://quay.example/' },
  ...same(['link-in-bio', ...numbered('link-in-bio-var-', 2, 7)], {
    identity_image: picture,
    bio_heading: 'Flo Ferry',
    bio_title: 'Skipper',
    bio_description: 'She knows the tide.',
    icon: [{ _id: 'a', icon_platform: 'email', icon_mail: 'flo@quay.example', icon_icon: star }],
    cta_link: [{ _id: 'a', cta_link_text: 'Timetable', cta_link_type: 'url', cta_link_url: link }],
  }),
  ...same(['contact-buttons', ...numbered('contact-buttons-var-', 1, 10)], {
    top_bar_title: 'Ask the harbour',
    contact_repeater: [{ _id: 'a', contact_icon_platform: 'whatsapp', contact_icon_number: '+44 20 1234' }],
  }),
  ...same(['floating-bars', ...numbered('floating-bars-var-', 1, 3)], {
    announcement_text: 'The ferry is late',
    cta_text: 'Timetable',
    cta_link: link,
  }),
  sitemap: {
    sitemap_items: [
      { _id: 'a', sitemap_source_post_type: 'page', sitemap_title: 'Pages' },
      { _id: 'b', sitemap_type_selector: 'taxonomy', sitemap_source_taxonomy: 'category', sitemap_title: 'Categories' },
    ],
  },
  'taxonomy-filter': { taxonomy: 'category' },
  'wp-widget-text': { wp: { title: 'Hours', text: 'Monday to Friday' } },
  'wp-widget-custom_html': { wp: { title: 'Notes', content: '<p>By hand</p>' } },
  'wp-widget-block': { wp: { content: '<!-- cms:paragraph --><p>In a block</p><!-- /cms:paragraph -->' } },
  'wp-widget-media_image': { wp: { title: 'Pier', attachment_id: medium, size: 'full' } },
  'wp-widget-media_gallery': { wp: { ids: [medium], columns: 1 } },
  'wp-widget-media_video': { wp: { url: 'https://youtu.be/abcdefghijk' } },
  'wp-widget-media_audio': { wp: { url: 'https://files.example/bell.mp3' } },
  'wp-widget-nav_menu': { wp: { title: 'Menu', nav_menu: menu } },
  'wp-widget-rss': { wp: { title: 'Tides', url: 'https://tides.example/feed' } },
})

const numbered = (start: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${start}${from + index}`)
const same = (types: readonly string[], settings: object) => Object.fromEntries(types.map((type) => [type, settings]))

/** Widgets whose children are their panels. */
export const samplesWithChildren: ReadonlySet<string> = new Set(
  'nested-tabs nested-accordion nested-carousel mega-menu off-canvas'.split(' '),
)

/** Widgets that show the posts of an archive. */
export const archiveWidgets: ReadonlySet<string> = new Set(['archive-posts', 'theme-archive-title'])

/** The site in which the widgets are drawn. */
export const sampleSite = {
  options: {
    ...{ name: 'Quay Notes', url: '{base_url}', home: '{base_url}', permalink: '/{slug}/', default_category: 'news' },
    default_comment_status: 'open',
  },
  users: [
    {
      ...{ key: 'ada', login: 'ada', display_name: 'Ada Admin', nicename: 'ada', email: 'ada@example.test' },
      ...{ role: 'administrator', registered: '2024-01-01T08:00:00', description: 'She writes.' },
    },
  ],
  categories: [
    { key: 'news', slug: 'news', name: 'News', parent: null },
    { key: 'harbour', slug: 'harbour', name: 'Harbour', parent: 'news' },
  ],
  tags: [{ key: 'red', slug: 'red', name: 'Red' }],
  media: [
    {
      ...{ key: 'pier', slug: 'pier', title: 'Pier at dusk', file: '2024/01/pier.jpg', mime_type: 'image/jpeg' },
      ...{ width: 1200, height: 800, author: 'ada', date: '2024-01-02T10:00:00' },
    },
  ],
  pages: [
    {
      ...{ key: 'about', slug: 'about', title: 'About', content: '<p>About.</p>', status: 'publish', author: 'ada' },
      date: '2024-01-05T10:00:00',
    },
  ],
  posts: ['knots', 'tide', 'ferry'].map((key, index) => ({
    ...{ key, slug: key, title: `On the ${key}`, status: 'publish', author: 'ada' },
    ...{ date: `2026-01-1${index}T09:00:00`, content: `<p>Words on the ${key}.</p>`, excerpt: `Of the ${key}.` },
    ...{ categories: ['harbour'], tags: ['red'], featured_media: 'pier' },
  })),
  menus: [
    {
      ...{ key: 'main', name: 'Main', slug: 'main' },
      items: [{ key: 'about', type: 'post_type', object: 'page', object_id: 'page.about' }],
    },
  ],
}
