/** One element for each widget of the display family, as editors store them. */
import { containerElement, widgetElement } from './documents.ts'

const px = (size: number) => ({ unit: 'px', size, sizes: [] })
/** A grey picture: no request leaves the page. */
const picture = {
  id: '',
  alt: 'A grey field',
  url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEElEQVR4nGNoaGj4D8IMMAYAR9wIAYFEVkQAAAAASUVORK5CYII=',
}
const said = (name: string, more: object = {}) => ({
  ...{ _id: name.toLowerCase(), name, title: 'Harbour master', content: `What ${name} said.`, image: picture },
  ...more,
})

export const displayElements = [
  containerElement('disp000', { content_width: 'full' }, [
    widgetElement('quote01', 'blockquote', {
      blockquote_content: 'Time and tide wait for <b>no one</b>.',
      author_name: 'A proverb',
      tweet_button_label: 'Pass it on',
      border_color: '#112233',
      border_width: px(4),
    }),
    widgetElement('quote02', 'blockquote', {
      blockquote_skin: 'quotation',
      blockquote_content: 'Quiet.',
      tweet_button: '',
    }),
    widgetElement('quote03', 'blockquote', {
      blockquote_skin: 'boxed',
      blockquote_content: 'In a box.',
      tweet_button: '',
    }),
    widgetElement('head002', 'animated-headline', {
      headline_style: 'rotate',
      before_text: 'We sell',
      rotating_text: 'ropes\nsails\nlanterns',
      tag: 'h2',
    }),
    widgetElement('head001', 'animated-headline', {
      before_text: 'We are',
      highlighted_text: 'by the sea',
      after_text: 'all year',
      marker: 'curly',
      marker_color: '#ff0000',
    }),
    widgetElement('price01', 'price-list', {
      price_list: [
        {
          _id: 'a1',
          title: 'Coffee',
          price: '€ 3',
          item_description: 'Black, or with milk.',
          link: { url: '/coffee/' },
        },
        { _id: 'a2', title: 'A long name of a dish that needs two lines on a phone', price: '€ 12.50', image: picture },
      ],
      price_color: '#004400',
      row_gap: px(14),
    }),
    widgetElement('share01', 'share-buttons', {
      share_buttons: [
        { button: 'facebook' },
        { button: 'email', text: 'Write' },
        { button: 'mastodon' },
        { button: 'nowhere' },
      ],
      shape: 'rounded',
    }),
    widgetElement('voice01', 'testimonial-carousel', {
      slides: [said('Ada'), said('Bo')],
      slide_background_color: '#eeeeee',
    }),
    widgetElement('voice02', 'reviews', {
      slides: ['Cy', 'Di', 'Ed', 'Flo'].map((name) => said(name, { rating: 4, title: '@quay' })),
      space_between: px(12),
    }),
    widgetElement('galry01', 'gallery', {
      gallery: Array.from({ length: 5 }, () => picture),
      columns: 3,
      gap: px(6),
      aspect_ratio: '1:1',
      link_to: 'none',
    }),
    widgetElement('galry02', 'gallery', {
      gallery_type: 'multiple',
      gallery_layout: 'justified',
      link_to: 'none',
      galleries: [
        { _id: 'g1', gallery_title: 'Boats', multiple_gallery: [picture, picture] },
        { _id: 'g2', gallery_title: 'Nets', multiple_gallery: [picture] },
      ],
    }),
  ]),
]
