/** Draws a text along a curve, as svg. */
import { lookupTable } from '../../../../contract/lookup-table.ts'
import { choice, color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { h } from '../../html/nodes.ts'
import { type WidgetTable, widget } from '../widget.ts'

interface Curve {
  readonly box: string
  readonly path: string
  /** The length of the path in units of the box. */
  readonly length: number
}

const WAVE: Curve = { box: '0 0 250 42', path: 'M0 20 C42 -6 83 -6 125 20 S208 46 250 20', length: 255 }

const CURVES: { readonly [name: string]: Curve } = lookupTable({
  wave: WAVE,
  arc: { box: '0 0 250 90', path: 'M10 85 A150 150 0 0 1 240 85', length: 262 },
  circle: { box: '0 0 250 250', path: 'M25 125 A100 100 0 1 1 25 125.01', length: 628 },
  line: { box: '0 0 250 30', path: 'M0 24 L250 24', length: 250 },
  oval: { box: '0 0 250 150', path: 'M20 75 A105 52 0 1 1 20 75.01', length: 508 },
  spiral: {
    box: '0 0 250 250',
    path: 'M125 125 C125 110 150 110 150 130 C150 165 95 165 95 125 C95 70 180 70 180 130 C180 210 60 210 60 125 C60 30 220 30 220 130',
    length: 740,
  },
})

/** Letters of most fonts are narrower, in parts of the font size. */
const WIDTH_OF_LETTER = 0.6

const textPath = widget({
  html: (element) => {
    const { settings, id } = element
    const text = element.label('text', 'A text along a curve')
    if (text.trim() === '') return undefined
    const { box, path, length } = CURVES[settings.text('path', 'wave')] ?? WAVE
    const curve = `e-path-${id}`
    // A text that is longer than its curve is squeezed: svg would cut its end off.
    const fontSize =
      settings.text('text_typography_typography') === 'custom' ? settings.number('text_typography_font_size', 20) : 20
    const start = Math.min(Math.max(settings.number('start_point', 0), 0), 100)
    const room = (length * (100 - start)) / 100
    const squeezed =
      text.length * fontSize * WIDTH_OF_LETTER > room
        ? { textLength: numberText(Math.round(room)), lengthAdjust: 'spacingAndGlyphs' }
        : {}
    return h(
      'div',
      { class: ['e-text-path'] },
      h(
        'svg',
        { viewBox: box },
        h('path', { id: curve, d: path, class: ['e-text-path__line'] }),
        h(
          'text',
          {},
          h('textPath', { href: `#${curve}`, startOffset: `${start}%`, ...squeezed }, element.link('link', text)),
        ),
      ),
      // The plain text of a document contains no svg.
      h('span', { class: ['builder-screen-only'], 'aria-hidden': 'true' }, text),
    )
  },
  controls: [
    choice('align', { left: 'start', center: 'center', right: 'end', start: 'start', end: 'end' }, '&', 'text-align'),
    color('text_color_normal', '& text', 'fill'),
    color('text_color_hover', '& text:hover', 'fill'),
    ...typography('text_typography', '& text'),
    size('size', '& svg', 'width'),
    size('word_spacing', '& text', 'word-spacing'),
    size('rotation', '& svg', (value) => [['transform', `rotate(${value})`]], { unit: 'deg' }),
    color('stroke_color_normal', '& .e-text-path__line', 'stroke'),
    size('stroke_width_normal', '& .e-text-path__line', 'stroke-width'),
  ],
  defaults: [{ selector: 'text', color: 'primary', properties: ['fill'], typography: 'primary' }],
  rules: `.e-text-path svg{display:inline-block;width:500px;max-width:100%;overflow:visible}.e-text-path text{font-size:20px}
.e-text-path a{fill:inherit}.e-text-path__line{fill:none;stroke:none}`,
})

export const textPathWidgets: WidgetTable = { 'text-path': textPath }
