/** The form below a route: fields for its arguments, and the response. It is created when the route is first opened. */
import { element, findElement } from './elements.ts'
import { type Attempt, attemptOf, type Credentials, curlOf, type Field, prettyBody } from './request.ts'

export interface TryItContext {
  readonly base: string
  readonly credentials: () => Credentials | undefined
}

/** The arguments of every route, which the tables do not list. */
const globals: readonly (readonly [name: string, hint: string])[] = [
  ['_fields', 'author,title.rendered'],
  ['_embed', '1, or relations'],
  ['_envelope', '1'],
]

/** Longer responses are truncated. */
const maxShownCharacters = 200_000

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export function addTryIt(route: HTMLDetailsElement, context: TryItContext): void {
  const { methods = '', path = '', body = '' } = route.dataset
  const controls: (readonly [Omit<Field, 'value'>, Control])[] = []
  const rows = [...route.querySelectorAll<HTMLTableRowElement>('tr[data-name]')]
  const id = (name: string) => `${route.id}-${name}`

  const field = (control: Control, label: string, hint = ''): HTMLElement => {
    control.id = id(label)
    const note = hint === '' ? [] : [element('span', { class: 'hint', id: `${control.id}-hint` }, hint)]
    if (hint !== '') control.setAttribute('aria-describedby', `${control.id}-hint`)
    return element('div', { class: 'field' }, element('label', { for: control.id }, label), ...note, control)
  }

  const own = rows.map((row) => {
    const { name = '', place = 'query', kind = 'text', options, required } = row.dataset
    const control = controlFor(kind, options, required !== undefined)
    controls.push([{ name, place: place as Field['place'], kind: kind as Field['kind'] }, control])
    return field(control, name, hintOf(kind, place, required !== undefined))
  })
  const shared = globals.map(([name, hint]) => {
    const control = element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' })
    controls.push([{ name, place: 'query', kind: 'text' }, control])
    return field(control, name, hint)
  })
  const query = element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' })
  const typed = element('textarea', { rows: '4', spellcheck: 'false' })
  const names = methods.split(' ')
  const method = element('select', {}, ...names.map((name) => element('option', {}, name)))
  const send = element('button', { type: 'submit', class: 'primary' }, 'Send')
  const result = createResult()
  const form = element(
    'form',
    { class: 'try', novalidate: true, 'aria-labelledby': id('try') },
    element('h4', { id: id('try') }, 'Try it'),
    ...(names.every((name) => name === 'GET')
      ? []
      : [element('p', { class: 'warning' }, 'It is carried out on this site.')]),
    element(
      'div',
      { class: 'fields' },
      ...(names.length > 1 ? [field(method, 'Method')] : []),
      ...own,
      ...(body === '' ? [] : [field(typed, body === 'more' ? 'More of the body' : 'Body', 'JSON')]),
    ),
    element(
      'details',
      { class: 'more' },
      element('summary', {}, 'What every route takes'),
      ...shared,
      field(query, 'More of the query', 'a=1&b=2'),
    ),
    element('p', { class: 'actions' }, send),
    result.region,
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const fields = controls.flatMap(([declared, control]) =>
      control.value === '' ? [] : [{ ...declared, value: control.value }],
    )
    const missing = controls.find(([{ place }, control]) => place === 'path' && control.value === '')
    if (missing) {
      result.say(`${missing[0].name} is missing: it stands in the path.`)
      missing[1].focus()
      return
    }
    const credentials = context.credentials()
    const { base } = context
    const attempt = attemptOf({
      base,
      method: method.value,
      path,
      fields,
      query: query.value,
      body: typed.value,
      credentials,
    })
    send.disabled = true
    await result.show(attempt, credentials?.login)
    send.disabled = false
    send.focus()
  })
  findElement(route, '.inside').append(form)
}

function controlFor(kind: string, options: string | undefined, isRequired: boolean): Control {
  const choices =
    kind === 'boolean' ? ['true', 'false'] : options && kind !== 'list' ? (JSON.parse(options) as string[]) : []
  const shared = { 'aria-required': isRequired ? 'true' : undefined }
  if (choices.length > 0) {
    const unset = element('option', { value: '' }, '(left out)')
    return element('select', shared, unset, ...choices.map((choice) => element('option', {}, choice)))
  }
  if (kind === 'json') return element('textarea', { ...shared, rows: '2', spellcheck: 'false' })
  const inputmode = kind === 'integer' ? 'numeric' : undefined
  return element('input', { ...shared, type: 'text', autocomplete: 'off', spellcheck: 'false', inputmode })
}

function hintOf(kind: string, place: string, isRequired: boolean): string {
  const words = [
    isRequired ? 'required' : '',
    place === 'header' ? 'header' : '',
    kind === 'list' ? 'separated by commas' : kind === 'json' ? 'JSON, or a text' : '',
  ]
  return words.filter((word) => word !== '').join(', ')
}

// ---------------------------------------------------------------- response

function createResult() {
  const status = element('p', { role: 'status', class: 'status' })
  const rest = element('div', {})
  const region = element('div', { class: 'result' }, status, rest)
  const say = (text: string) => {
    status.textContent = text
    rest.replaceChildren()
  }

  async function show(attempt: Attempt, login: string | undefined): Promise<void> {
    say('Sent…')
    const line = curlOf(attempt, login)
    const began = performance.now()
    try {
      const { url, ...init } = attempt
      const response = await fetch(url, { ...init, credentials: 'omit', cache: 'no-store', redirect: 'follow' })
      const text = await response.text()
      const ms = Math.round(performance.now() - began)
      status.textContent = `${response.status} ${response.statusText}`.trim()
      status.dataset.kind = response.ok ? 'good' : 'bad'
      rest.replaceChildren(
        element('p', { class: 'hint' }, `${ms} ms, ${new TextEncoder().encode(text).length} bytes`),
        block('As a line for a terminal', line, { isCopied: true }),
        block('Headers', [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')),
        block('Body', shortened(prettyBody(text, response.headers.get('content-type') ?? '')) || '(none)'),
      )
    } catch {
      status.textContent = 'There was no answer: the service can not be reached from here.'
      status.dataset.kind = 'bad'
      rest.replaceChildren(block('As a line for a terminal', line, { isCopied: true }))
    }
  }

  return { region, say, show }
}

const shortened = (text: string) =>
  text.length > maxShownCharacters
    ? `${text.slice(0, maxShownCharacters)}\n… and ${text.length - maxShownCharacters} more characters`
    : text

/** Focusable, because it scrolls. */
function block(title: string, text: string, { isCopied = false } = {}): HTMLElement {
  const shown = element('pre', { tabindex: '0', role: 'region', 'aria-label': title }, element('code', {}, text))
  return element('div', { class: 'block' }, element('h5', {}, title), ...(isCopied ? copyButton(text) : []), shown)
}

/** The clipboard is available to pages of secure origins only. */
function copyButton(text: string): HTMLElement[] {
  if (!navigator.clipboard) return []
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  })
  return [button]
}
