/**
 * Draws headlines with a marked word or with words that alternate. The animation is CSS, and respects `prefers-reduced-motion`.
 */
import { choice, color, compound, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { type Child, h, isNothing, unread } from '../../html/nodes.ts'
import { ALIGN } from '../content/text.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

const CLASS = 'builder-headline'
const maxWords = 20
const MARKERS = ['underline', 'double_underline', 'strikethrough', 'circle', 'curly'] as const

/** Screen readers get the first word; the others are decoration. */
function turns({ settings }: WidgetContext): Child {
  const words = settings
    .text('rotating_text')
    .split('\n')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .slice(0, maxWords)
  if (words.length === 0) return undefined
  const [first, ...others] = words
  const hidden = others.map((word) => unread(h('span', { class: [`${CLASS}-text`], 'aria-hidden': 'true' }, word)))
  return h(
    'span',
    { class: [`${CLASS}-dynamic-wrapper`, 'e-headline-turns'], style: `--e-words:${words.length}` },
    h('span', { class: ['e-headline-words'] }, h('span', { class: [`${CLASS}-text`] }, first), hidden),
  )
}

function marked(element: WidgetContext): Child {
  const text = element.settings.text('highlighted_text')
  const marker = element.settings.choice('marker', MARKERS, 'circle')
  return (
    text !== '' &&
    h(
      'span',
      { class: [`${CLASS}-dynamic-wrapper`, `e-headline-${marker.replaceAll('_', '-')}`] },
      h('mark', { class: [`${CLASS}-text`] }, text),
    )
  )
}

const seconds = (setting: string) =>
  compound([setting], (values) => {
    const ms = values.number(setting)
    return ms === undefined || ms <= 0 ? undefined : [['&', [['--e-turn', `${numberText(Math.max(ms, 500))}ms`]]]]
  })

const LINE = `& .${CLASS}`
const MOVING = `& .${CLASS}-dynamic-wrapper`

const animatedHeadline = widget({
  html: (element) => {
    const { settings } = element
    const isRotating = settings.text('headline_style', 'highlight') === 'rotate'
    const before = settings.text('before_text')
    const after = settings.text('after_text')
    const parts = [before, isRotating ? turns(element) : marked(element), after].filter((part) => !isNothing(part))
    if (parts.length === 0) return undefined
    const spaced = parts.flatMap((part, at) => (at === 0 ? [part] : [' ', part]))
    return element.link('link', h(element.tag('tag', 'h3'), { class: [CLASS] }, spaced))
  },
  controls: [
    choice('alignment', ALIGN, LINE, 'text-align'),
    color('title_color', LINE, 'color'),
    ...typography('title_typography', LINE),
    color('words_color', MOVING, '--e-words-color'),
    ...typography('words_typography', MOVING),
    color('marker_color', MOVING, '--e-marker'),
    size('stroke_width', MOVING, '--e-marker-width'),
    seconds('rotate_iteration_delay'),
  ],
  defaults: [{ selector: `.${CLASS}`, color: 'primary', typography: 'primary' }],
  rules: `.builder-widget-animated-headline{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.${CLASS}{margin:0;line-height:1.2}.${CLASS}-dynamic-wrapper{color:var(--e-words-color,inherit)}
.${CLASS} mark{background:none;color:inherit}
.e-headline-underline,.e-headline-double-underline,.e-headline-curly,.e-headline-strikethrough{
text-decoration:underline solid var(--e-marker,currentColor) var(--e-marker-width,.1em);text-underline-offset:.15em}
.e-headline-double-underline{text-decoration-style:double}.e-headline-curly{text-decoration-style:wavy}
.e-headline-strikethrough{text-decoration-line:line-through}
.e-headline-circle{border:var(--e-marker-width,.1em) solid var(--e-marker,currentColor);border-radius:50%/60%;padding-inline:.25em}
.e-headline-turns{display:inline-block;height:1.2em;overflow:hidden;vertical-align:bottom}
.e-headline-words{display:flex;flex-direction:column}.e-headline-words>*{white-space:nowrap}
@keyframes e-headline-turns{to{transform:translateY(-100%)}}
@media (prefers-reduced-motion:no-preference){
.e-headline-words{animation:e-headline-turns calc(var(--e-words)*var(--e-turn,2500ms)) steps(var(--e-words)) infinite}}`,
})

export const headlineWidgets: WidgetTable = { 'animated-headline': animatedHeadline }
