/**
 * Tests which settings of classic widgets change their HTML, and which leave nothing to show. `~` stands for the folder
 * of the site's files, `$media.mast` for the id of a record.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeDocument, widgetElement, withoutShapes } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'

const mast = {
  ...{ key: 'mast', slug: 'mast', title: 'Mast', file: '2024/01/mast.jpg', mime_type: 'image/jpeg', author: 'editor' },
  ...{ width: 400, height: 800, caption: 'The <b>mast</b>', alt_text: 'A mast', description: 'Tall' },
  date: '2024-01-02T10:00:00',
}
const waves = {
  ...{ key: 'waves', slug: 'waves', title: 'Waves', file: '2024/01/waves.mp3', mime_type: 'audio/mpeg' },
  ...{ author: 'editor', date: '2024-01-02T10:00:00' },
}

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ seed: { ...smallSite, media: [...smallSite.media, mast, waves] } })
})
afterAll(() => site.dispose())

function withIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIds)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withIds(member)]))
  }
  if (typeof value !== 'string') return value
  if (value.startsWith('$')) return site.ids[value.slice(1)]
  return value
    .replace('$waves', String(site.ids['media.waves']))
    .replace('$ids', [site.ids['media.pier'], site.ids['media.mast'], 'nope'].join(', '))
}

test.each<[type: string, settings: object, html: string]>([
  [
    'image',
    { image: { id: '$media.mast', url: '' }, caption_source: 'attachment', link_to: 'file' },
    '<figure class="cms-caption"><a href="~mast.jpg"><img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="attachment-large size-large cms-image-2" alt="A mast"></a><figcaption class="widget-image-caption cms-caption-text">The <b>mast</b></figcaption></figure>',
  ],
  [
    'image',
    {
      image: { id: '$media.mast', url: '' },
      caption_source: 'custom',
      caption: 'Own',
      link_to: 'custom',
      link: { url: 'https://b.example/', is_external: 'on', nofollow: 'on' },
    },
    '<figure class="cms-caption"><a href="https://b.example/" target="_blank" rel="nofollow noopener"><img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="attachment-large size-large cms-image-2" alt="A mast"></a><figcaption class="widget-image-caption cms-caption-text">Own</figcaption></figure>',
  ],
  [
    'image',
    { image: { id: '', url: 'https://a.example/x.png', alt: 'An x' }, caption_source: 'attachment', link_to: 'file' },
    '<a href="https://a.example/x.png"><img src="https://a.example/x.png" alt="An x" loading="lazy"></a>',
  ],
  [
    'image',
    {
      image: { id: '$media.mast', url: '' },
      image_size: 'custom',
      image_custom_dimension: { width: '100', height: '' },
    },
    '<img decoding="async" loading="lazy" width="100" src="~mast.jpg" class="attachment-custom size-custom cms-image-2" alt="A mast">',
  ],
  [
    'image',
    { image: { id: '$media.mast', url: '' }, image_size: 'custom', image_custom_dimension: { width: 0, height: 'x' } },
    '<img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="attachment-custom size-custom cms-image-2" alt="A mast">',
  ],
  [
    'image',
    { image: { id: '$media.mast', url: '' }, image_size: '' },
    '<img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="attachment-large size-large cms-image-2" alt="A mast">',
  ],
  ['image', { image: {}, caption_source: 'custom', caption: 'Own' }, ''],
  [
    'image-gallery',
    {
      wp_gallery: [
        { id: '$media.mast', url: '' },
        { id: '$media.pier', url: '' },
        {},
        { id: '', url: 'https://a.example/x.png', alt: 'An x' },
      ],
      gallery_link: 'attachment',
    },
    '<div class="builder-image-gallery"><div class="gallery gallery-columns-4 gallery-size-thumbnail"><figure class="gallery-item"><div class="gallery-icon portrait"><a href="https://quay.example/mast/"><img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="attachment-thumbnail size-thumbnail cms-image-2" alt="A mast"></a></div><figcaption class="gallery-caption">The <b>mast</b></figcaption></figure><figure class="gallery-item"><div class="gallery-icon landscape"><a href="https://quay.example/pier/"><img decoding="async" loading="lazy" width="1200" height="800" src="~pier.jpg" class="attachment-thumbnail size-thumbnail cms-image-1" alt="Pier at dusk"></a></div></figure><figure class="gallery-item"><div class="gallery-icon landscape"><a href="https://a.example/x.png"><img src="https://a.example/x.png" alt="An x" loading="lazy"></a></div></figure></div></div>',
  ],
  [
    'image-gallery',
    { wp_gallery: [{ id: '$media.mast', url: '' }], gallery_link: 'none', gallery_display_caption: 'none' },
    '<div class="builder-image-gallery"><div class="gallery gallery-columns-4 gallery-size-thumbnail"><figure class="gallery-item"><div class="gallery-icon portrait"><img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="attachment-thumbnail size-thumbnail cms-image-2" alt="A mast"></div></figure></div></div>',
  ],
  [
    'image-gallery',
    { wp_gallery: [{ id: '$media.mast', url: '' }], gallery_rand: 'rand' },
    '<div class="builder-image-gallery"><div class="gallery gallery-columns-4 gallery-size-thumbnail"><figure class="gallery-item"><div class="gallery-icon portrait"><a href="~mast.jpg"><img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="attachment-thumbnail size-thumbnail cms-image-2" alt="A mast"></a></div><figcaption class="gallery-caption">The <b>mast</b></figcaption></figure></div></div>',
  ],
  [
    'image-carousel',
    { carousel: [{ id: '$media.mast', url: '' }], caption_type: 'title', link_to: 'file' },
    '<div class="builder-image-carousel-wrapper swiper" role="region" aria-roledescription="carousel" aria-label="Image Carousel" dir="ltr"><div class="builder-image-carousel swiper-wrapper" aria-live="off"><div class="swiper-slide" role="group" aria-roledescription="slide" aria-label="1 of 1"><a href="~mast.jpg"><figure class="swiper-slide-inner"><img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="swiper-slide-image" alt="A mast"><figcaption class="builder-image-carousel-caption">Mast</figcaption></figure></a></div></div></div>',
  ],
  [
    'gallery',
    {
      gallery: [
        { id: '$media.mast', url: '' },
        { id: '', url: 'https://a.example/x.png', alt: 'An x' },
      ],
      overlay_title: 'alt',
      overlay_description: 'caption',
      link_to: 'none',
    },
    '<ul class="e-gallery-container e-gallery-grid"><li class="e-gallery-item" style="--e-ratio:0.5"><figure><img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="e-gallery-image" alt="A mast"><figcaption><span class="builder-gallery-item__title">A mast</span><span class="builder-gallery-item__description">The <b>mast</b></span></figcaption></figure></li><li class="e-gallery-item"><figure><img src="https://a.example/x.png" alt="An x" loading="lazy" class="e-gallery-image"></figure></li></ul>',
  ],
  [
    'gallery',
    { gallery: [{ id: '$media.mast', url: '' }], overlay_title: 'title', link_to: 'custom', url: { url: '/there/' } },
    '<ul class="e-gallery-container e-gallery-grid"><li class="e-gallery-item" style="--e-ratio:0.5"><figure><a href="/there/"><img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="e-gallery-image" alt="A mast"></a><figcaption><span class="builder-gallery-item__title">Mast</span></figcaption></figure></li></ul>',
  ],
  [
    'social-icons',
    {
      social_icon_list: [
        {
          _id: 'a',
          social_icon: { value: 'fab fa-git-alt', library: 'fa-brands' },
          link: { url: 'https://b.example/', is_external: 'on', nofollow: 'on' },
        },
        { _id: 'b', social_icon: { value: 'fas fa-star', library: 'fa-solid' } },
        { _id: 'c', social_icon: { value: 'x', library: '' }, link: { url: 'https://c.example/p' } },
        { _id: 'd' },
      ],
    },
    '<div class="builder-social-icons-wrapper builder-grid" role="list"><span class="builder-grid-item" role="listitem"><a class="builder-icon builder-social-icon builder-social-icon-git-alt builder-repeater-item-a" href="https://b.example/" target="_blank" rel="nofollow noopener"><span class="builder-screen-only">Git Alt</span><svg fab-fa-git-alt></a></span><span class="builder-grid-item" role="listitem"><span class="builder-icon builder-social-icon builder-social-icon-star builder-repeater-item-b"><span class="builder-screen-only">Star</span><svg fas-fa-star></span></span></div>',
  ],
  [
    'icon-list',
    {
      view: 'inline',
      icon_list: [
        { _id: 'a', text: 'One', link: { url: '/there/' } },
        { _id: 'b', text: '', selected_icon: { value: 'fas fa-star', library: 'fa-solid' } },
        { _id: 'c', text: '' },
      ],
    },
    '<ul class="builder-icon-list-items builder-inline-items"><li class="builder-icon-list-item builder-inline-item"><a href="/there/"><span class="builder-icon-list-text">One</span></a></li><li class="builder-icon-list-item builder-inline-item"><span class="builder-icon-list-icon"><svg fas-fa-star></span></li></ul>',
  ],
  ['button', { text: '', selected_icon: '' }, ''],
  [
    'button',
    {
      text: 'Go',
      button_css_id: 'my id',
      hover_animation: 'grow',
      link: { url: '/there/' },
      selected_icon: { value: 'fas fa-star', library: 'fa-solid' },
      icon_align: 'right',
      align: 'justify',
      align_mobile: 'sideways',
    },
    '<a class="builder-button builder-button-link builder-size-sm builder-animation-grow" href="/there/" id="myid"><span class="builder-button-content-wrapper"><span class="builder-button-icon"><svg fas-fa-star></span><span class="builder-button-text">Go</span></span></a>',
  ],
  [
    'divider',
    { look: 'line_text', text: 'or' },
    '<div class="builder-divider"><span class="builder-divider-separator"><span class="builder-divider__text builder-divider__element">or</span></span></div>',
  ],
  [
    'divider',
    { look: 'line_icon', icon: { value: 'fas fa-star', library: 'fa-solid' } },
    '<div class="builder-divider"><span class="builder-divider-separator"><div class="builder-icon builder-divider__element"><svg fas-fa-star></div></span></div>',
  ],
  [
    'divider',
    { look: 'line_icon', icon: '' },
    '<div class="builder-divider"><span class="builder-divider-separator"></span></div>',
  ],
  ['spacer', { space: { unit: 'px', size: 0, sizes: [] } }, ''],
  ['menu-anchor', { anchor: '' }, ''],
  ['menu-anchor', { anchor: 'deck' }, '<div class="builder-menu-anchor" id="deck"></div>'],
  [
    'progress',
    { title: '', percent: { unit: '%', size: 45, sizes: [] }, inner_text: 'Ropes', progress_type: 'warning' },
    '<div class="builder-progress-wrapper progress-warning" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow="45" aria-valuetext="45% (Ropes)"><div class="builder-progress-bar" data-max="45" style="width:45%"><span class="builder-progress-text">Ropes</span><span class="builder-progress-percentage">45%</span></div></div>',
  ],
  [
    'progress',
    { title: 'Sails', percent: { unit: '%', size: 200, sizes: [] }, progress_type: 'odd', display_percentage: 'hide' },
    '<span class="builder-title" id="builder-progress-bar-w">Sails</span><div class="builder-progress-wrapper" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow="100" aria-valuetext="100% (Web Designer)" aria-labelledby="builder-progress-bar-w"><div class="builder-progress-bar" data-max="100" style="width:100%"><span class="builder-progress-text">Web Designer</span></div></div>',
  ],
  [
    'counter',
    { ending_number: 'many' },
    '<div class="builder-counter"><div class="builder-counter-title">Cool Number</div><div class="builder-counter-number-wrapper"><span class="builder-counter-number" data-duration="2000" data-to-value="100" data-from-value="0" data-delimiter=",">100</span></div></div>',
  ],
  [
    'counter',
    { ending_number: '-1234.5', prefix: '~', suffix: ' km', thousand_separator: 'yes' },
    '<div class="builder-counter"><div class="builder-counter-title">Cool Number</div><div class="builder-counter-number-wrapper"><span class="builder-counter-number-prefix">~</span><span class="builder-counter-number" data-duration="2000" data-to-value="-1234.5" data-from-value="0" data-delimiter=",">-1,234.5</span><span class="builder-counter-number-suffix"> km</span></div></div>',
  ],
  [
    'call-to-action',
    { title: '', description: '', button: '', graphic_element: 'icon', icon_view: 'framed', icon_shape: 'square' },
    '<div class="builder-cta"><div class="builder-cta__content"><div class="builder-cta__icon builder-icon-wrapper builder-view-framed builder-shape-square builder-cta__content-item builder-content-item"><div class="builder-icon"><svg fas-fa-star></div></div></div></div>',
  ],
  ['call-to-action', { title: '', description: '', button: '' }, ''],
  [
    'flip-box',
    {
      graphic_element: 'image',
      image: { id: '', url: 'https://a.example/x.png', alt: 'An x' },
      link: { url: '/there/' },
      link_click: 'box',
    },
    '<a href="/there/" class="builder-flip-box"><div class="builder-flip-box__layer builder-flip-box__front"><div class="builder-flip-box__layer__overlay"><div class="builder-flip-box__layer__inner"><div class="builder-flip-box__image"><img src="https://a.example/x.png" alt="An x" loading="lazy"></div><h3 class="builder-flip-box__layer__title">This is the heading</h3><div class="builder-flip-box__layer__description">Say in a sentence or two what visitors get, and why now.</div></div></div></div><div class="builder-flip-box__layer builder-flip-box__back"><div class="builder-flip-box__layer__overlay"><div class="builder-flip-box__layer__inner"><h3 class="builder-flip-box__layer__title">This is the heading</h3><div class="builder-flip-box__layer__description">Say in a sentence or two what visitors get, and why now.</div><span class="builder-flip-box__button builder-button builder-size-sm">Click Here</span></div></div></div></a>',
  ],
  [
    'flip-box',
    {
      graphic_element: 'none',
      title_text_a: '',
      description_text_a: '',
      title_text_b: '',
      description_text_b: '',
      button_text: '',
    },
    '<div class="builder-flip-box" tabindex="0"><div class="builder-flip-box__layer builder-flip-box__front"><div class="builder-flip-box__layer__overlay"><div class="builder-flip-box__layer__inner"><div class="builder-flip-box__icon builder-icon-wrapper builder-view-default builder-shape-circle"><div class="builder-icon"><svg fas-fa-star></div></div></div></div></div><div class="builder-flip-box__layer builder-flip-box__back"><div class="builder-flip-box__layer__overlay"></div></div></div>',
  ],
  [
    'price-table',
    {
      heading: '',
      sub_heading: '',
      price: '',
      button_text: '',
      features_list: [],
      footer_additional_info: '',
      show_ribbon: '',
    },
    '',
  ],
  [
    'price-table',
    {
      price: '39.99',
      sale: 'yes',
      original_price: '59',
      currency_symbol: 'euro',
      currency_position: 'after',
      currency_format: ',',
      button_css_id: 'buy',
      link: { url: '/there/' },
    },
    '<div class="builder-price-table"><div class="builder-price-table__header"><h3 class="builder-price-table__heading">Enter your title</h3><span class="builder-price-table__subheading">Enter your description</span></div><div class="builder-price-table__price"><div class="builder-price-table__original-price">€59</div><span class="builder-price-table__integer-part">39.99</span><span class="builder-price-table__currency">€</span><span class="builder-price-table__period">Monthly</span></div><div class="builder-price-table__footer"><a class="builder-price-table__button builder-button builder-size-md" href="/there/" id="buy">Click Here</a></div></div><div class="builder-ribbon"><div class="builder-ribbon-inner">Popular</div></div>',
  ],
  ['price-list', { price_list: [{ _id: 'a', title: '', price: '', item_description: '' }] }, ''],
  ['animated-headline', { headline_style: 'rotate', before_text: '', rotating_text: '', after_text: '' }, ''],
  [
    'slides',
    {
      slides: [{ _id: 'a', heading: 'One', description: '', button_text: '', background_overlay: 'yes' }],
      autoplay: '',
    },
    '<div class="builder-slides-wrapper swiper" role="region" aria-roledescription="carousel" aria-label="Slides"><div class="builder-slides swiper-wrapper" aria-live="polite"><div class="builder-repeater-item-a swiper-slide" role="group" aria-roledescription="slide" aria-label="1 of 1"><div class="swiper-slide-bg"></div><div class="builder-background-overlay"></div><div class="swiper-slide-inner"><div class="swiper-slide-contents"><div class="builder-slide-heading">One</div></div></div></div></div></div>',
  ],
  ['countdown', { due_date: 'never' }, ''],
  [
    'countdown',
    { due_date: '2024-06-16 12:00', custom_labels: 'yes', label_days: 'tides', show_seconds: '' },
    '<div class="builder-countdown-wrapper" data-date="1718535600"><div class="builder-countdown-item"><span class="builder-countdown-digits builder-countdown-days">00</span><span class="builder-countdown-label">tides</span></div><div class="builder-countdown-item"><span class="builder-countdown-digits builder-countdown-hours">23</span><span class="builder-countdown-label">Hours</span></div><div class="builder-countdown-item"><span class="builder-countdown-digits builder-countdown-minutes">00</span><span class="builder-countdown-label">Minutes</span></div></div>',
  ],
  [
    'tabs',
    {
      tabs: [
        { _id: 'a', tab_title: '', tab_content: '' },
        { _id: 'b', tab_title: 'B', tab_content: 'Bee' },
      ],
      type: 'vertical',
    },
    '<div class="builder-tabs"><div class="builder-tabs-wrapper" role="tablist"><div id="builder-tab-title-02" class="builder-tab-title builder-tab-desktop-title builder-active" aria-selected="true" role="tab" tabindex="0" data-tab="2" aria-controls="builder-tab-content-02">B</div></div><div class="builder-tabs-content-wrapper"><div id="builder-tab-content-02" class="builder-tab-content builder-clearfix builder-active" data-tab="2" role="tabpanel" aria-labelledby="builder-tab-title-02" tabindex="0">Bee</div></div></div>',
  ],
  ['alert', { alert_title: '', alert_description: '' }, ''],
  ['icon-box', { title_text: '', description_text: '', selected_icon: '' }, ''],
  [
    'icon',
    { selected_icon: { value: 'fas fa-star', library: 'fa-solid' }, link: { url: '/there/' }, view: 'framed' },
    '<div class="builder-icon-wrapper"><a href="/there/" aria-label="there" class="builder-icon"><svg fas-fa-star></a></div>',
  ],
  [
    'star-rating',
    { rating: 3.5, title: 'Food', unmarked_star_style: 'outline' },
    '<div class="builder-star-rating__wrapper"><div class="builder-star-rating__title">Food</div><div class="builder-star-rating" itemtype="https://schema.org/Rating" itemscope itemprop="reviewRating"><i class="builder-star-full" aria-hidden="true">☆</i><i class="builder-star-full" aria-hidden="true">☆</i><i class="builder-star-full" aria-hidden="true">☆</i><i class="builder-star-5" aria-hidden="true">☆</i><i class="builder-star-empty" aria-hidden="true">☆</i><span itemprop="ratingValue" class="builder-screen-only">Rated 3.5 out of 5</span></div></div>',
  ],
  ['text-editor', { editor: '<p>Drop</p>', drop_cap: 'yes' }, '<p>Drop</p>'],
  [
    'shortcode',
    { shortcode: 'a [gallery ids="$ids" columns="20" size="me/dium" link="none" orderby="rand"] b' },
    '<div class="builder-shortcode">a <div class="gallery gallery-columns-9 gallery-size-medium"><figure class="gallery-item"><div class="gallery-icon portrait"><img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="attachment-medium size-medium cms-image-2" alt="A mast"></div><figcaption class="gallery-caption">The <b>mast</b></figcaption></figure><figure class="gallery-item"><div class="gallery-icon landscape"><img decoding="async" loading="lazy" width="1200" height="800" src="~pier.jpg" class="attachment-medium size-medium cms-image-1" alt="Pier at dusk"></div></figure></div> b</div>',
  ],
  ['shortcode', { shortcode: '[gallery include="x"]' }, ''],
  ['shortcode', { shortcode: '[playlist ids="$ids"]' }, ''],
  [
    'shortcode',
    { shortcode: '[playlist ids="$waves"]' },
    '<div class="builder-shortcode"><div class="playlist playlist-audio playlist-light"><ol class="playlist-tracks"><li class="playlist-track"><div class="playlist-title">Waves</div><audio src="~waves.mp3" controls preload="none" aria-label="Waves" style="width:100%"><a href="~waves.mp3">Waves</a></audio></li></ol></div></div>',
  ],
  ['shortcode', { shortcode: '[gallery]' }, ''],
  [
    'shortcode',
    { shortcode: '[gallery columns="x" ids="$ids"]' },
    '<div class="builder-shortcode"><div class="gallery gallery-columns-3 gallery-size-thumbnail"><figure class="gallery-item"><div class="gallery-icon landscape"><a href="~pier.jpg"><img decoding="async" loading="lazy" width="1200" height="800" src="~pier.jpg" class="attachment-thumbnail size-thumbnail cms-image-1" alt="Pier at dusk"></a></div></figure><figure class="gallery-item"><div class="gallery-icon portrait"><a href="~mast.jpg"><img decoding="async" loading="lazy" width="400" height="800" src="~mast.jpg" class="attachment-thumbnail size-thumbnail cms-image-2" alt="A mast"></a></div><figcaption class="gallery-caption">The <b>mast</b></figcaption></figure></div></div>',
  ],
  ['video', { video_type: 'youtube', youtube_url: 'nonsense' }, ''],
  ['google_maps', { address: '' }, ''],
  ['audio', { link: { url: '' } }, ''],
  ['toggle', { tabs: [] }, ''],
  [
    'accordion',
    { tabs: [{ _id: 'a', tab_title: 'A', tab_content: '' }] },
    '<div class="builder-accordion"><div class="builder-accordion-item"><div id="builder-tab-title-01" class="builder-tab-title" data-tab="1" role="button" aria-controls="builder-tab-content-01" aria-expanded="false"><span class="builder-accordion-icon builder-accordion-icon-left" aria-hidden="true"><span class="builder-accordion-icon-closed"><svg fas-fa-plus></span><span class="builder-accordion-icon-opened"><svg fas-fa-minus></span></span><a class="builder-accordion-title" tabindex="0">A</a></div><div id="builder-tab-content-01" class="builder-tab-content builder-clearfix" data-tab="1" role="region" aria-labelledby="builder-tab-title-01"></div></div></div>',
  ],
])('%s with %o', async (type, settings, expected) => {
  const id = await storeDocument(site, [widgetElement('w', type, withIds(settings) as object)])
  const html = (await site.api.render.document(id))?.html ?? ''
  const own = /data-id="w"[^>]*>(.*)<\/div><\/div>$/s.exec(html)?.[1] ?? ''
  expect(withoutShapes(own).replaceAll('https://quay.example/uploads/2024/01/', '~')).toBe(expected)
})
