/** Draws tabs, accordions and toggles of texts. All panels are visible until a script of the page hides them. */

import { textShadow } from '../../controls/border.ts'
import { prefixClass } from '../../controls/classes.ts'
import { type Control, choice, color, sides, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { jsonLd } from '../../html/markup.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import { serialize } from '../../html/serialize.ts'
import type { WidgetDefault } from '../../pass/host.ts'
import type { WidgetContext } from '../context.ts'
import type { Icon } from '../icon.ts'
import { type Widget, type WidgetTable, widget } from '../widget.ts'
import { articleText } from './article-text.ts'
import { shortNumber } from './derived-ids.ts'
import { faqSchema } from './faq-schema.ts'

interface Panel {
  /** Counted from 1. */
  readonly at: number
  readonly title: Child
  readonly label: string
  readonly content: Child
  readonly titleId: string
  readonly contentId: string
}

function panelsOf(element: WidgetContext): Panel[] {
  const short = shortNumber(element.element)
  return element.items('tabs').flatMap((item, index) => {
    const title = item.html('tab_title')
    const content = item.rich('tab_content', '', (safe) => articleText(safe, item))
    if (isNothing([title, content])) return []
    const at = index + 1
    const ids = { titleId: `builder-tab-title-${short}${at}`, contentId: `builder-tab-content-${short}${at}` }
    return [{ at, title, label: item.label('tab_title'), content, ...ids }]
  })
}

const BORDER_STYLED = ['border-width', 'border-style'] as const

const tabs = widget({
  html: (element) => {
    const panels = panelsOf(element)
    if (panels.length === 0) return undefined
    element.pass.behaviours.add('tabs')
    const first = panels[0]
    const titles = panels.map((panel) => {
      const isSelected = panel === first
      return h(
        'div',
        {
          id: panel.titleId,
          class: ['builder-tab-title', 'builder-tab-desktop-title', isSelected && 'builder-active'],
          'aria-selected': String(isSelected),
          role: 'tab',
          tabindex: isSelected ? '0' : '-1',
          'data-tab': panel.at,
          'aria-controls': panel.contentId,
        },
        panel.title,
      )
    })
    const contents = panels.map((panel) =>
      h(
        'div',
        {
          id: panel.contentId,
          class: ['builder-tab-content', 'builder-clearfix', panel === first && 'builder-active'],
          'data-tab': panel.at,
          role: 'tabpanel',
          'aria-labelledby': panel.titleId,
          tabindex: '0',
        },
        panel.content,
      ),
    )
    return h(
      'div',
      { class: ['builder-tabs'] },
      h('div', { class: ['builder-tabs-wrapper'], role: 'tablist' }, titles),
      h('div', { class: ['builder-tabs-content-wrapper'] }, contents),
    )
  },
  classes: [
    prefixClass('type', 'builder-tabs-view-', {
      byDefault: 'horizontal',
      map: (value) => (value === 'vertical' ? value : 'horizontal'),
    }),
    prefixClass('tabs_align_horizontal', 'builder-tabs-alignment-'),
  ],
  controls: [
    size('navigation_width', '& .builder-tabs-wrapper', 'width', { unit: '%' }),
    size('border_width', '& .builder-tabs-content-wrapper, & .builder-tab-title', (value) => [
      [BORDER_STYLED[0], value],
      [BORDER_STYLED[1], 'solid'],
    ]),
    color('border_color', '& .builder-tabs-content-wrapper, & .builder-tab-title', 'border-color'),
    color(
      'background_color',
      '& .builder-tab-title.builder-active, & .builder-tabs-content-wrapper',
      'background-color',
    ),
    color('tab_color', '& .builder-tab-title', 'color'),
    color('tab_active_color', '& .builder-tab-title.builder-active', 'color'),
    ...typography('tab_typography', '& .builder-tab-title'),
    textShadow('title_shadow', '& .builder-tab-title'),
    choice('title_align', ['start', 'center', 'end'], '& .builder-tab-title', 'text-align'),
    color('content_color', '& .builder-tab-content', 'color'),
    ...typography('content_typography', '& .builder-tab-content'),
    sides('title_padding', '& .builder-tab-title', 'padding'),
    sides('content_padding', '& .builder-tab-content', 'padding'),
  ],
  defaults: [
    { selector: '.builder-tab-title', color: 'primary', typography: 'primary' },
    { selector: '.builder-tab-title.builder-active', color: 'accent' },
    { selector: '.builder-tab-content', color: 'text', typography: 'text' },
  ],
  rules: `.builder-widget-tabs{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-tabs{text-align:start}.builder-tabs-wrapper{display:flex;flex-wrap:wrap}
.builder-tab-desktop-title{padding:20px 25px;font-weight:700;line-height:1;cursor:pointer;border:1px solid transparent}
.builder-tabs .builder-tab-content{padding:20px}
.builder-tabs-content-wrapper{border:1px solid #d5d8dc}
.builder-tabs-view-vertical .builder-tabs{display:flex}
.builder-tabs-view-vertical .builder-tabs-wrapper{flex-direction:column;flex-wrap:nowrap;width:25%;flex-shrink:0}
.builder-tabs-view-vertical .builder-tabs-content-wrapper{flex-grow:1}
.builder-clearfix::after{content:'';display:block;clear:both}
.builder-js .builder-tabs .builder-tab-content:not(.builder-active){display:none}`,
})

// ---------------------------------------------------------------- accordion and toggle

interface Folding {
  readonly name: 'accordion' | 'toggle'
  readonly closed: Icon
  readonly opened: Icon
}

function foldingIcon(element: WidgetContext, { name, closed, opened }: Folding): Child {
  const sign = element.icon('selected_icon', closed, 'icon')
  if (isNothing(sign)) return undefined
  const side = element.settings.choice('icon_align', ['right'], 'left')
  const part = (state: string, child: Child): Child => h('span', { class: [`builder-${name}-icon-${state}`] }, child)
  return h(
    'span',
    { class: [`builder-${name}-icon`, `builder-${name}-icon-${side}`], 'aria-hidden': 'true' },
    part('closed', sign),
    part('opened', element.icon('selected_active_icon', opened, 'icon_active')),
  )
}

const foldingControls = (name: string): readonly Control[] => [
  size('border_width', `& .builder-${name}-item`, 'border-width'),
  color('border_color', `& .builder-${name}-item`, 'border-color'),
  size('space_between', `& .builder-${name}-item:not(:last-child)`, 'margin-block-end'),
  color('title_background', '& .builder-tab-title', 'background-color'),
  color('title_color', `& .builder-${name}-title, & .builder-${name}-icon`, 'color'),
  color('title_color', `& .builder-${name}-icon svg`, 'fill'),
  color(
    'tab_active_color',
    `& .builder-active .builder-${name}-title, & .builder-active .builder-${name}-icon`,
    'color',
  ),
  ...typography('title_typography', `& .builder-${name}-title`),
  textShadow('title_shadow', `& .builder-${name}-title`),
  sides('title_padding', '& .builder-tab-title', 'padding'),
  color('icon_color', `& .builder-${name}-icon`, ['color', 'fill']),
  color('icon_active_color', `& .builder-active .builder-${name}-icon`, ['color', 'fill']),
  size('icon_space', '& .builder-tab-title', 'gap'),
  color('content_background_color', '& .builder-tab-content', 'background-color'),
  color('content_color', '& .builder-tab-content', 'color'),
  ...typography('content_typography', '& .builder-tab-content'),
  sides('content_padding', '& .builder-tab-content', 'padding'),
]

const foldingDefaults = (name: string): readonly WidgetDefault[] => [
  { selector: `.builder-${name}-title, .builder-${name}-icon`, color: 'primary' },
  { selector: `.builder-${name}-title`, typography: 'primary' },
  { selector: `.builder-active .builder-${name}-title`, color: 'accent' },
  { selector: '.builder-tab-content', color: 'text', typography: 'text' },
]

const foldingRules = (name: string): string => `.builder-widget-${name}{width:var(--container-widget-width);
flex-grow:var(--container-widget-flex-grow)}
.builder-${name}{text-align:start}.builder-${name}-item{border:1px solid #d5d8dc}
.builder-${name}-item+.builder-${name}-item{border-block-start:0}
.builder-${name} .builder-tab-title{display:flex;gap:8px;align-items:center;margin:0;padding:15px 20px;font-weight:700;line-height:1;
cursor:pointer}.builder-${name} .builder-tab-content{padding:15px 20px;border-block-start:1px solid #d5d8dc}
.builder-${name}-icon-right{order:1;margin-inline-start:auto}.builder-${name}-icon svg{width:1em;height:1em}
.builder-${name}-icon-opened,.builder-active .builder-${name}-icon-closed{display:none}
.builder-active .builder-${name}-icon-opened{display:block}
.builder-js .builder-${name} .builder-tab-content:not(.builder-active){display:none}`

const folding = (of: Folding): Widget => {
  const { name } = of
  return widget({
    html: (element) => {
      const panels = panelsOf(element)
      if (panels.length === 0) return undefined
      element.pass.behaviours.add('accordion')
      const sign = foldingIcon(element, of)
      const items = panels.map((panel) =>
        h(
          'div',
          { class: [`builder-${name}-item`] },
          h(
            element.tag('title_html_tag', 'div'),
            {
              id: panel.titleId,
              class: ['builder-tab-title'],
              'data-tab': panel.at,
              role: 'button',
              'aria-controls': panel.contentId,
              'aria-expanded': 'false',
            },
            sign,
            filled('a', { class: [`builder-${name}-title`], tabindex: '0' }, panel.title),
          ),
          h(
            'div',
            {
              id: panel.contentId,
              class: ['builder-tab-content', 'builder-clearfix'],
              'data-tab': panel.at,
              role: 'region',
              'aria-labelledby': panel.titleId,
            },
            panel.content,
          ),
        ),
      )
      const hasQuestions = element.settings.isOn('faq_schema')
      return h(
        'div',
        { class: [`builder-${name}`] },
        items,
        hasQuestions &&
          jsonLd(faqSchema(panels.map(({ label, content }) => ({ question: label, answer: serialize(content) })))),
      )
    },
    controls: foldingControls(name),
    defaults: foldingDefaults(name),
    rules: foldingRules(name),
  })
}

const solid = (name: string): Icon => ({ value: `fas ${name}`, library: 'fa-solid' })

export const tabWidgets: WidgetTable = {
  tabs,
  accordion: folding({ name: 'accordion', closed: solid('fa-plus'), opened: solid('fa-minus') }),
  toggle: folding({ name: 'toggle', closed: solid('fa-caret-right'), opened: solid('fa-caret-up') }),
}
