/** Buttons. */
import { background } from '../../controls/background.ts'
import { border, boxShadow, radius, textShadow } from '../../controls/border.ts'
import { prefixClass } from '../../controls/classes.ts'
import { type Control, choice, color, sides, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf } from '../../document/values.ts'
import { linkAttributes, linkName } from '../../elements/link.ts'
import { type Attributes, filled, h, isNothing, written } from '../../html/nodes.ts'
import type { WidgetDefault } from '../../pass/host.ts'
import { type WidgetTable, widget } from '../widget.ts'

const SIZES = ['xs', 'sm', 'md', 'lg', 'xl']
const ALIGNMENTS: ReadonlySet<string> = new Set(['left', 'center', 'right', 'justify', 'start', 'end'])

const textColor = (value: string) =>
  [
    ['fill', value],
    ['color', value],
  ] as const

/** The controls of a button; a list of posts has the same ones for "load more". */
export function buttonControls(button: string): readonly Control[] {
  const hover = `${button}:hover, ${button}:focus`
  const content = `${button} .builder-button-content-wrapper`
  return [
    ...typography('typography', button),
    textShadow('text_shadow', button),
    color('button_text_color', button, textColor),
    // Documents that are older than the switch store a colour only.
    ...background('background', button, { classic: ['', 'classic'] }),
    ...border({ name: 'border', selector: button }),
    radius('border_radius', button),
    boxShadow('button_box_shadow', button),
    sides('text_padding', button, 'padding'),
    color('hover_color', hover, textColor),
    ...background('button_background_hover', hover, { classic: ['', 'classic'] }),
    color('button_hover_border_color', hover, 'border-color'),
    boxShadow('button_hover_box_shadow', hover),
    size('icon_indent', content, 'gap'),
    choice(
      'icon_align',
      { row: 'row', 'row-reverse': 'row-reverse', left: 'row', right: 'row-reverse' },
      content,
      'flex-direction',
    ),
  ]
}

export const buttonDefault = (selector: string): WidgetDefault => ({
  selector,
  color: 'accent',
  properties: ['background-color'],
  typography: 'accent',
})

const button = widget({
  html: (element) => {
    const { settings } = element
    const text = element.html('text', 'Click here')
    const icon = element.icon('selected_icon', undefined, 'icon')
    if (isNothing([text, icon])) return undefined
    const link = linkAttributes(settings.has('link') ? settings.value('link') : { url: '#' })
    const id = nameOf(settings.text('button_css_id'))
    const hover = nameOf(settings.text('hover_animation'))
    const attributes: Attributes = {
      class: [
        'builder-button',
        link !== undefined && 'builder-button-link',
        `builder-size-${settings.choice('size', SIZES, 'sm')}`,
        hover !== '' && `builder-animation-${hover}`,
      ],
      ...(link ?? { role: 'button' }),
      ...(isNothing(text) ? linkName(link ?? {}) : {}),
      id: id === '' ? undefined : written(id),
    }
    return h(
      'a',
      attributes,
      h(
        'span',
        { class: ['builder-button-content-wrapper'] },
        filled('span', { class: ['builder-button-icon'] }, icon),
        filled('span', { class: ['builder-button-text'] }, text),
      ),
    )
  },
  classes: [
    prefixClass('button_type', 'builder-button-'),
    prefixClass('align', 'builder%s-align-', {
      isResponsive: true,
      map: (value) => (ALIGNMENTS.has(value) ? value : undefined),
    }),
  ],
  controls: buttonControls('& .builder-button'),
  defaults: [buttonDefault('.builder-button')],
  rules: `.builder-button{display:inline-block;line-height:1;font-size:15px;padding:12px 24px;border-radius:3px;
background-color:#69727d;color:#fff;fill:#fff;text-align:center;text-decoration:none}
.builder-button.builder-size-xs{font-size:13px;padding:10px 20px;border-radius:2px}
.builder-button.builder-size-md{font-size:16px;padding:15px 30px;border-radius:4px}
.builder-button.builder-size-lg{font-size:18px;padding:20px 40px;border-radius:5px}
.builder-button.builder-size-xl{font-size:20px;padding:25px 50px;border-radius:6px}
.builder-button-content-wrapper{display:flex;flex-direction:row;justify-content:center;align-items:center;gap:5px}
.builder-button-icon{display:flex;align-items:center}.builder-button-icon svg{width:1em;height:auto}.builder-button-icon .e-font-icon-svg{height:1em}
.builder-button-icon:has(>.builder-icon-missing):not(:only-child){display:none}
.builder-align-left,.builder-align-start{text-align:start}.builder-align-center{text-align:center}
.builder-align-right,.builder-align-end{text-align:end}.builder-align-justify .builder-button{width:100%}`,
})

export const buttonWidgets: WidgetTable = { button }
