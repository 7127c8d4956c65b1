/** Headings and texts. */
import { textShadow, textStroke } from '../../controls/border.ts'
import { prefixClass } from '../../controls/classes.ts'
import { choice, color, number, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { h, isNothing } from '../../html/nodes.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { articleText } from './article-text.ts'

export const ALIGN = {
  left: 'start',
  center: 'center',
  right: 'end',
  justify: 'justify',
  start: 'start',
  end: 'end',
} as const

const BLEND_MODES =
  'multiply screen overlay darken lighten color-dodge saturation color difference exclusion hue luminosity normal'.split(
    ' ',
  )

const TITLE = '& .builder-heading-title'

export const heading = widget({
  html: (element) => {
    const title = element.html('title', 'Add Your Heading Text Here')
    if (isNothing(title)) return undefined
    const looks = element.settings.choice('size', ['small', 'medium', 'large', 'xl', 'xxl'], 'default')
    return h(
      element.tag('header_size', 'h2'),
      { class: ['builder-heading-title', `builder-size-${looks}`] },
      element.link('link', title),
    )
  },
  controls: [
    choice('align', ALIGN, '&', 'text-align'),
    color('title_color', TITLE, 'color'),
    ...typography('typography', TITLE),
    textShadow('text_shadow', TITLE),
    ...textStroke('text_stroke', TITLE),
    choice('blend_mode', BLEND_MODES, TITLE, 'mix-blend-mode', { isResponsive: false }),
    color('title_hover_color', `${TITLE} a:hover, ${TITLE} a:focus`, 'color'),
  ],
  defaults: [{ selector: '.builder-heading-title', color: 'primary', typography: 'primary' }],
  rules: `.builder-heading-title{padding:0;margin:0;line-height:1}
.builder-heading-title>a{color:inherit;font-size:inherit;line-height:inherit}
.builder-heading-title.builder-size-small{font-size:15px}
.builder-heading-title.builder-size-medium{font-size:19px}
.builder-heading-title.builder-size-large{font-size:29px}
.builder-heading-title.builder-size-xl{font-size:39px}
.builder-heading-title.builder-size-xxl{font-size:59px}`,
})

const textEditor = widget({
  html: (element) =>
    element.rich('editor', '<p>Write what this block is about.</p>', (safe) => articleText(safe, element)),
  classes: [prefixClass('drop_cap', 'builder-drop-cap-', { map: (value) => (value === 'yes' ? value : undefined) })],
  controls: [
    choice('align', ALIGN, '&', 'text-align'),
    color('text_color', '&', 'color'),
    ...typography('typography', '&'),
    color('link_color', '& a', 'color'),
    color('link_hover_color', '& a:hover, & a:focus', 'color'),
    size('paragraph_spacing', '& p', 'margin-block-end'),
    number('text_columns', '&', (value) => [['columns', numberText(Math.round(value))]], { isResponsive: true }),
    size('column_gap', '&', 'column-gap'),
    color('drop_cap_primary_color', '&.builder-drop-cap-yes > p:first-of-type::first-letter', 'color'),
  ],
  defaults: [
    { selector: '', color: 'text', typography: 'text' },
    { selector: 'a', color: 'primary' },
  ],
  rules:
    '.builder-drop-cap-yes>p:first-of-type::first-letter{float:left;font-size:3em;line-height:1;margin-inline-end:10px}',
})

export const textWidgets: WidgetTable = { heading, 'text-editor': textEditor }
