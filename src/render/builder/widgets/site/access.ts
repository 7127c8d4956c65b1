/** Draws the way to sign in, and the search of the newer kind. Signing in is up to the host: the page links to its page. */
import { color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { filtered } from '../../html/markup.ts'
import { type Child, h, isNothing } from '../../html/nodes.ts'
import { plainOf } from '../../template-context/current-post.ts'
import { archiveOf, searchText } from '../../template-context/page.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

// ---------------------------------------------------------------- login

/**
 * Choice: fields for names and passwords are not drawn, because only the host knows where they may be sent. Readers get a link to
 * `/login/` of the site, which comes back to the page.
 */
const login = widget({
  html: (element) => {
    const { settings, pass } = element
    pass.depend('option:url')
    const reader = pass.reader()
    if (!reader.isVisitor) {
      if (!settings.isOn('show_logged_in_message', 'yes')) return undefined
      const user = pass.user(reader.id)
      return h(
        'div',
        { class: ['builder-login', 'builder-login__logged-in-message'] },
        `Signed in: ${user?.displayName ?? ''}`,
      )
    }
    pass.depend('vary:request')
    const back = settings.isOn('redirect_after_login')
      ? String(element.linkAttributes('redirect_url')?.['href'] ?? '')
      : (pass.context.url ?? '')
    const query = back === '' ? '' : `?${new URLSearchParams({ redirect_to: back })}`
    pass.warnings.add(
      'not_drawn',
      element.id,
      'Fields for names and passwords are not drawn: the host signs readers in.',
    )
    const text = element.html('button_text', 'Log In')
    return h(
      'div',
      { class: ['builder-login'] },
      h(
        'a',
        {
          class: ['builder-button', 'builder-size-sm', 'builder-login__button'],
          href: `${pass.site.home}/login/${query}`,
        },
        h('span', { class: ['builder-button-text'] }, isNothing(text) ? 'Log In' : text),
      ),
    )
  },
  controls: [
    color('button_text_color', '& .builder-button', 'color'),
    color('button_background_color', '& .builder-button', 'background-color'),
    ...typography('button_typography', '& .builder-button'),
  ],
  defaults: [{ selector: '.builder-button', color: 'accent', properties: ['background-color'], typography: 'accent' }],
  isUnread: true,
})

// ---------------------------------------------------------------- search

function submitButton(element: WidgetContext): Child {
  const { settings } = element
  const text = filtered(settings.text('submit_button_text', 'Search'))
  const icon = element.icon('icon_submit')
  const label = isNothing(text) ? { 'aria-label': 'Search' } : {}
  return h('button', { class: ['e-search-submit'], type: 'submit', ...label }, icon, h('span', {}, text))
}

/** A script fills the box while somebody types. Without it the form leads to the page of the results. */
const resultsOf = ({ settings }: WidgetContext): Child =>
  h('div', {
    class: ['e-search-results'],
    'aria-live': 'polite',
    hidden: true,
    'data-minimum': Math.max(1, Math.floor(settings.number('minimum_search_characters', 3))),
    'data-nothing': plainOf(settings.text('nothing_found_message_text', 'Nothing was found here.')),
  })

const search = widget({
  html: (element) => {
    const { settings, pass, id } = element
    pass.depend('option:url')
    const field = `search-${id}`
    const current = archiveOf(pass)?.archive === 'search' ? searchText(pass) : ''
    const isOnType = settings.text('submit_trigger') === 'key_enter'
    const isLive = settings.isOn('live_results')
    if (isLive) pass.behaviours.add('search')
    return h(
      'search',
      { class: ['e-search'], role: 'search' },
      h(
        'form',
        { class: ['e-search-form'], action: pass.site.home, method: 'get' },
        h('label', { class: ['builder-screen-only'], for: field }, 'Search'),
        h(
          'div',
          { class: ['e-search-input-wrapper'] },
          h('span', { class: ['e-search-icon'] }, element.icon('search_field_icon', SEARCH)),
          h('input', {
            ...{ id: field, class: ['e-search-input'], type: 'search', name: 's', value: current, autocomplete: 'off' },
            placeholder: plainOf(settings.text('search_input_placeholder_text', 'Search this site')),
          }),
        ),
        !isOnType && submitButton(element),
      ),
      isLive && resultsOf(element),
    )
  },
  controls: [
    color('search_field_text_color', '& .e-search-input', 'color'),
    color('search_field_placeholder_color', '& .e-search-input::placeholder', 'color'),
    color('search_field_background_color', '& .e-search-input-wrapper', 'background-color'),
    ...typography('search_field_typography', '& .e-search-input'),
    size('search_field_submit_gap', '& .e-search-form', 'gap'),
    color('submit_button_text_color', '& .e-search-submit', 'color'),
    color('submit_button_background_color', '& .e-search-submit', 'background-color'),
    ...typography('submit_button_typography', '& .e-search-submit'),
  ],
  defaults: [
    { selector: '.e-search-input', typography: 'text' },
    { selector: '.e-search-results', typography: 'text' },
    { selector: '.e-search-submit', color: 'accent', properties: ['background-color'], typography: 'accent' },
  ],
  // Without a template the results are cards: the box shows their titles.
  rules: `.e-search{position:relative}.e-search-results{position:absolute;inset-inline:0;inset-block-start:100%;z-index:100;max-height:70vh;overflow:auto;
margin-block-start:4px;padding:16px;border:1px solid #d5d8dc;border-radius:3px;background-color:#fff;color:#1f2124;box-shadow:0 4px 24px rgba(0,0,0,.15)}
.e-search-results .builder-post__title{margin:0;font:inherit}.e-search-results .builder-post{padding-block:6px}
.e-search-results .builder-post :is(.builder-post__thumbnail__link,.builder-post__meta-data,.builder-post__excerpt,.builder-post__read-more){display:none}
.e-search-results[hidden]{display:none}.e-search-results p{margin:0}
.builder-widget-search{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.e-search-form{display:flex;gap:8px}.e-search-input-wrapper{flex:1;display:flex;align-items:center;gap:8px;min-width:0;padding-inline:12px;
border:1px solid #69727d;border-radius:3px;background-color:#fff}.e-search-icon{display:flex;color:#69727d}
.e-search-input-wrapper:focus-within{outline:2px solid;outline-offset:2px}.e-search-input-wrapper .e-search-input:focus{outline:0}
.e-search-input{flex:1;min-width:0;padding:10px 0;border:0;background:none;font:inherit}
.e-search-submit{display:inline-flex;align-items:center;gap:8px;padding:10px 20px;border:0;border-radius:3px;background-color:#0c0d0e;
color:#fff;font:inherit;cursor:pointer}`,
  isUnread: true,
})

const SEARCH = { value: 'eicon-search', library: 'eicons' }

export const accessWidgets: WidgetTable = { login, search }
