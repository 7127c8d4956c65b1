/** Draws the search form, which leads to the search page of the site. */

import { prefixClass } from '../../controls/classes.ts'
import { color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { filtered } from '../../html/markup.ts'
import { type Child, h, isNothing } from '../../html/nodes.ts'
import { plainOf } from '../../template-context/current-post.ts'
import { archiveOf, searchText } from '../../template-context/page.ts'
import type { WidgetContext } from '../context.ts'
import { iconOf } from '../icon.ts'
import { type WidgetTable, widget } from '../widget.ts'

const SKINS = ['classic', 'minimal', 'full_screen']

function buttonContent(element: WidgetContext): Child {
  if (element.settings.text('button_type', 'icon') === 'text') {
    return filtered(element.settings.text('button_text', 'Search'))
  }
  // The setting names a sign, or stores an icon.
  const wanted = element.settings.value('icon')
  const own = iconOf(wanted === 'arrow' ? { value: 'eicon-arrow-right', library: 'eicons' } : wanted, element.pass)
  return isNothing(own) ? searchSign(element) : own
}

const searchSign = ({ pass }: WidgetContext): Child => iconOf({ value: 'eicon-search', library: 'eicons' }, pass)

const searchForm = widget({
  html: (element) => {
    const { settings, pass, id } = element
    pass.depend('option:url')
    const skin = settings.choice('skin', SKINS, settings.choice('_skin', SKINS, 'classic'))
    const input = `builder-search-form-${id}`
    const current = archiveOf(pass)?.archive === 'search' ? searchText(pass) : ''
    return h(
      'search',
      { role: 'search' },
      h(
        'form',
        { class: ['builder-search-form'], action: pass.site.home, method: 'get' },
        h(
          'div',
          { class: ['builder-search-form__container'] },
          h('label', { class: ['builder-screen-only'], for: input }, 'Search'),
          skin === 'minimal' && h('div', { class: ['builder-search-form__icon'] }, searchSign(element)),
          h('input', {
            id: input,
            placeholder: plainOf(settings.text('placeholder', 'Search...')),
            class: ['builder-search-form__input'],
            type: 'search',
            name: 's',
            value: current,
          }),
          skin !== 'minimal' &&
            h(
              'button',
              { class: ['builder-search-form__submit'], type: 'submit', 'aria-label': 'Search' },
              buttonContent(element),
            ),
        ),
      ),
    )
  },
  classes: [
    prefixClass('skin', 'builder-search-form--skin-', {
      byDefault: 'classic',
      map: (value) => (SKINS.includes(value) ? value : 'classic'),
    }),
    prefixClass('button_type', 'builder-search-form--button-type-', { byDefault: 'icon' }),
  ],
  controls: [
    size('size', '& .builder-search-form__container', 'min-height'),
    color('input_text_color', '& .builder-search-form__input', 'color'),
    color('input_background_color', '& .builder-search-form__container', 'background-color'),
    ...typography('input_typography', '& .builder-search-form__input'),
    color('button_text_color', '& .builder-search-form__submit', 'color'),
    color('button_background_color', '& .builder-search-form__submit', 'background-color'),
  ],
  defaults: [
    { selector: '.builder-search-form__input', color: 'text', typography: 'text' },
    {
      selector: '.builder-search-form__submit',
      color: 'secondary',
      properties: ['background-color'],
      typography: 'text',
    },
  ],
  // The box would cut off an outline of the field.
  rules: `.builder-search-form__container:focus-within{outline:2px solid;outline-offset:2px}
.builder-search-form__container .builder-search-form__input:focus{outline:0}
.builder-search-form__container{display:flex;min-height:50px;border-radius:3px;background-color:#f1f2f3;overflow:hidden}
.builder-search-form__input{flex:1;min-width:0;font:inherit;border:0;background:none;padding:0 1em}
.builder-search-form__submit{display:grid;place-items:center;border:0;padding:0 1em;min-width:50px;font:inherit;color:#fff;background-color:#69727d;cursor:pointer}
.builder-search-form__icon{display:flex;align-items:center;padding-inline-start:1em}`,
  isUnread: true,
})

export const searchWidgets: WidgetTable = { 'search-form': searchForm }
