/**
 * Which settings of widgets that no table has are texts of their author: shapes of the widgets of many add-ons, in our own words. A name
 * that begins with `*` marks a text; the rules were made with the first half, the other half was held out.
 */
import { expect, test } from 'vitest'
import { isAuthorText } from '../../../../src/render/builder/widgets/author-texts.ts'

type Shape = { readonly [name: string]: string }

const madeWith: readonly Shape[] = [
  {
    '*acme_person_name': 'Pat Doe',
    '*acme_role': 'Head gardener',
    '*member_bio': '<p>Digs at dawn.</p>',
    acme_align: 'center',
    acme_name_color: '#334455',
    name_tag: 'h3',
    image_size: 'medium_large',
    hover_animation: 'grow',
    show_social: 'yes',
    social_position: 'bottom',
  },
  {
    '*plan_title': 'Starter',
    '*plan_price': '19',
    '*plan_period': 'a month',
    '*button_label': 'Join',
    '*ribbon_text': 'popular',
    currency_position: 'before',
    button_size: 'lg',
    button_style: 'primary',
    header_bg: 'rgba(0,0,0,.2)',
    columns: '3',
    price_font_family: 'Open Sans',
  },
  {
    '*first_text': 'Our',
    '*second_text': 'garden',
    '*sub_heading': 'since 1961',
    text_align: 'left',
    heading_tag: 'h2',
    text_gradient_type: 'linear',
    divider_type: 'solid',
    custom_css: 'selector { color: red }',
    _animation: 'fadeIn',
  },
  {
    '*quote': 'They came on time.',
    '*author': 'Oda Lind',
    '*designation': 'Guest since 2019',
    layout: 'layout-1',
    autoplay_speed: '5000',
    slides_per_view: '2',
    pagination_type: 'bullets',
    query_id: 'latest-quotes',
    posts_per_page: '6',
    date_format: 'F j, Y',
  },
  {
    '*front_title': 'Left over yarn?',
    '*front_description': 'Turn me around',
    '*back_title': 'We buy it back',
    '*back_button_text': 'how',
    flip_direction: 'right',
    flip_effect: 'flip-3d',
    front_icon_type: 'icon',
    back_link_type: 'button',
    transition_duration: '0.6s',
  },
]

const heldOut: readonly Shape[] = [
  {
    '*event_year': '2009',
    '*event_title': 'A shed in Wick',
    '*event_content': 'Six square metres',
    line_color: '#d8d8d8',
    event_position: 'left',
    timeline_layout: 'zigzag',
    icon_animation: 'pulse',
  },
  {
    '*ekit_title': 'Dig in',
    '*ekit_sub_title': 'Before the frost',
    '*ekit_btn_text': 'Read on',
    ekit_title_tag: 'h4',
    ekit_title_float: 'left',
    ekit_shadow_text_color: 'red',
    ekit_container_class: 'box wide',
  },
  {
    '*ending_number': '1100',
    '*number_suffix': '+',
    '*counter_title': 'colours',
    animation_duration: '2000',
    thousand_separator: 'yes',
    title_position: 'after',
    number_size: '48px',
  },
  {
    '*before_label': 'Then',
    '*after_label': 'Now',
    orientation: 'horizontal',
    offset: '0.5',
    move_on_hover: 'yes',
    handle_color: '#fff',
    label_position: 'top',
  },
  {
    '*dish_name': 'Leeks',
    '*dish_description': 'Burnt outside, sweet inside.',
    '*dish_price': '14.50',
    separator_style: 'dotted',
    title_separator_spacing: '10px',
    image_position: 'left',
    price_html_tag: 'span',
  },
  {
    '*venue': 'Net Loft, Port Elder',
    '*ticket_text': 'Two left',
    '*day': '04',
    '*month': 'Nov',
    due_date: '2026-11-04 18:00',
    map_type: 'roadmap',
    zoom: '12',
    marker_url: 'https://maps.example/pin',
    shortcode: '[acme-map id="3"]',
  },
]

function figuresOf(shapes: readonly Shape[]) {
  const settings = shapes.flatMap((shape) => Object.entries(shape))
  const judged = settings.map(([name, value]) => ({
    name,
    isText: name.startsWith('*'),
    isTaken: isAuthorText(name.replace(/^\*/, ''), value) && !name.startsWith('_'),
  }))
  const wrong = judged.filter(({ isText, isTaken }) => isText !== isTaken).map(({ name }) => name)
  const of = (all: typeof judged) => all.filter(({ isText, isTaken }) => isText && isTaken).length / all.length
  return {
    wrong,
    recall: of(judged.filter(({ isText }) => isText)),
    precision: of(judged.filter(({ isTaken }) => isTaken)),
  }
}

test.each([
  ['that the rules were made with', madeWith],
  ['that were held out', heldOut],
])('texts of shapes %s are found, and nothing else', (_, shapes) => {
  const { wrong, recall, precision } = figuresOf(shapes)
  expect(recall, wrong.join()).toBeGreaterThanOrEqual(0.97)
  expect(precision, wrong.join()).toBeGreaterThanOrEqual(0.97)
})
