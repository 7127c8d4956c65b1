/** Draws code, animations that need a player, and the reading progress. */
import { color, size } from '../../controls/control.ts'
import { linkAddress } from '../../document/addresses.ts'
import { nameOf, ownValue, textOf } from '../../document/values.ts'
import { mediaAddress } from '../../elements/image.ts'
import { type Child, filled, h, isNothing, unread } from '../../html/nodes.ts'
import { type WidgetTable, widget } from '../widget.ts'

/** Colours of words need a script of the host, which finds the language in the class. */
const codeHighlight = widget({
  html: ({ settings }) => {
    const code = settings.text('code', '')
    if (code.trim() === '') return undefined
    const language = nameOf(settings.text('language', 'markup'))
    const isNumbered = settings.isOn('line_numbers')
    const lines: Child = isNumbered
      ? code.split('\n').map((line) => h('span', { class: ['e-code__line'] }, `${line}\n`))
      : code
    return h(
      'pre',
      { class: ['e-code', `language-${language}`, isNumbered && 'line-numbers'], tabindex: '0' },
      h('code', { class: [`language-${language}`] }, lines),
    )
  },
  controls: [size('height', '& .e-code', 'max-height'), size('font_size', '& .e-code', 'font-size')],
  rules: `.e-code{margin:0;padding:1em;overflow:auto;background-color:#f6f7f8;color:#1f2124;font-family:ui-monospace,monospace;
line-height:1.5;tab-size:4;text-align:start;white-space:pre}.e-code.line-numbers{counter-reset:line}
.e-code__line::before{counter-increment:line;content:counter(line);display:inline-block;width:2.5em;margin-inline-end:1em;
text-align:end;color:#6b7076;user-select:none}`,
  isUnread: true,
})

/** The host draws the animation: it finds the file in `data-source`. */
const lottie = widget({
  html: (element) => {
    const { settings, pass } = element
    const isExternal = settings.text('source', 'media_file') === 'external_url'
    const stored = isExternal
      ? textOf(ownValue(settings.object('source_external_url'), 'url'))
      : mediaAddress(settings.value('source_json'), pass)
    const source = linkAddress(stored)
    const caption = filled('figcaption', { class: ['e-lottie__caption'] }, element.html('caption'))
    if (source !== '') {
      pass.behaviours.add('lottie')
      pass.warnings.add('not_drawn', element.id, 'An animation needs a player of the host; its caption is drawn.')
    }
    if (source === '' && isNothing(caption)) return undefined
    const animation = source !== '' && h('div', { class: ['e-lottie__animation'], 'data-source': source })
    return h('figure', { class: ['e-lottie'] }, element.link('custom_link', animation), caption)
  },
  scriptSettings:
    'loop number_of_times trigger link_timeout play_speed start_point end_point reverse_animation renderer'.split(' '),
  controls: [size('width', '& .e-lottie', 'width'), color('caption_color', '& .e-lottie__caption', 'color')],
  defaults: [{ selector: '.e-lottie__caption', color: 'text', typography: 'text' }],
  rules: '.e-lottie{margin:0 auto}.e-lottie__caption{text-align:center;margin-block-start:.5em}',
})

/** Browsers that have timelines of scrolling move the bar; in others it is not visible. */
const progressTracker = widget({
  html: ({ settings }) => {
    const isCircle = settings.text('type', 'horizontal') === 'circular'
    const bar = h('div', { class: ['e-scroll-progress__bar'] })
    return unread(
      h('div', { class: ['e-scroll-progress', isCircle && 'e-scroll-progress--round'], 'aria-hidden': 'true' }, bar),
    )
  },
  controls: [
    color('progress_color', '& .e-scroll-progress__bar', 'background-color'),
    color('horizontal_color', '& .e-scroll-progress__bar', 'background-color'),
    color('tracker_background_color', '& .e-scroll-progress', 'background-color'),
    size('height', '& .e-scroll-progress', 'height'),
    size('horizontal_height', '& .e-scroll-progress', 'height'),
  ],
  defaults: [{ selector: '.e-scroll-progress__bar', color: 'primary', properties: ['background-color'] }],
  rules: `.builder-widget-progress-tracker{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.e-scroll-progress{height:10px;overflow:hidden;background-color:#eee}
.e-scroll-progress__bar{height:100%;background-color:#0c0d0e;transform:scaleX(0);transform-origin:0 50%}
[dir=rtl] .e-scroll-progress__bar{transform-origin:100% 50%}
@supports (animation-timeline:scroll()){.e-scroll-progress__bar{animation:e-scroll-progress linear both;animation-timeline:scroll(root)}}
@keyframes e-scroll-progress{to{transform:scaleX(1)}}`,
  isUnread: true,
})

export const codeWidgets: WidgetTable = { 'code-highlight': codeHighlight, lottie, 'progress-tracker': progressTracker }
