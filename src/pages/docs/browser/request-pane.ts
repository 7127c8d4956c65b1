/** The request as code, in the language that was chosen last. */
import { copyButton } from '../../browser/copy.ts'
import { element } from '../../browser/elements.ts'
import { attemptOf } from './request.ts'
import { languages, type SnippetValues } from './snippets.ts'

/** All routes of the page share the chosen language. */
let chosen = languages[0]

interface RequestPane {
  readonly view: HTMLElement
  readonly update: () => void
}

export function createRequestPane(values: () => SnippetValues): RequestPane {
  const code = element('code', {})
  const buttons = languages.map((language) => {
    const button = element('button', { type: 'button' }, language.name)
    button.addEventListener('click', () => {
      chosen = language
      update()
    })
    return button
  })
  const update = () => {
    const current = values()
    code.textContent = chosen?.write(current, attemptOf(current)) ?? ''
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.textContent === chosen?.name))
  }
  const view = element(
    'section',
    { class: 'pane', 'aria-label': 'Request' },
    element(
      'div',
      { class: 'bar' },
      element('h3', {}, 'Request'),
      element('div', { class: 'choices', role: 'group', 'aria-label': 'Show as' }, ...buttons),
      copyButton(() => code.textContent ?? ''),
    ),
    element('pre', { tabindex: '0', role: 'region', 'aria-label': 'Code' }, code),
  )
  return { view, update }
}
