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

/** A field of the form: what it declares, and where its value is typed. */
type Entry = readonly [declared: Omit<Field, 'value'>, control: Control]

export function addTryIt(route: HTMLDetailsElement, context: TryItContext): void {
  const { path = '' } = route.dataset
  const inputs: Inputs = {
    entries: [],
    query: element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' }),
    body: element('textarea', { rows: '4', spellcheck: 'false' }),
    method: element('select', {}, ...methodsOf(route).map((name) => element('option', {}, name))),
    send: element('button', { type: 'submit', class: 'primary' }, 'Send'),
  }
  const result = createResult()
  const form = createForm(route, inputs, result.region)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    return submit(path, context, inputs, result)
  })
  findElement(route, '.inside').append(form)
}

interface Inputs {
  /** Filled while the form is created. */
  readonly entries: Entry[]
  readonly query: HTMLInputElement
  readonly body: HTMLTextAreaElement
  readonly method: HTMLSelectElement
  readonly send: HTMLButtonElement
}

const methodsOf = ({ dataset: { methods = '' } }: HTMLElement): string[] => methods.split(' ')

function createForm(route: HTMLDetailsElement, inputs: Inputs, region: HTMLElement): HTMLFormElement {
  const { body = '' } = route.dataset
  const { query, body: typed, method, send } = inputs
  const names = methodsOf(route)
  const title = `${route.id}-try`
  const own = ownFields(route, inputs.entries)
  const shared = sharedFields(route, inputs.entries)
  return element(
    'form',
    { class: 'try', novalidate: true, 'aria-labelledby': title },
    element('h4', { id: title }, 'Try it'),
    ...(names.every((name) => name === 'GET')
      ? []
      : [element('p', { class: 'warning' }, 'It is carried out on this site.')]),
    element(
      'div',
      { class: 'fields' },
      ...(names.length > 1 ? [labelled(route, method, 'Method')] : []),
      ...own,
      ...(body === '' ? [] : [labelled(route, typed, body === 'more' ? 'More of the body' : 'Body', 'JSON')]),
    ),
    element(
      'details',
      { class: 'more' },
      element('summary', {}, 'What every route takes'),
      ...shared,
      labelled(route, query, 'More of the query', 'a=1&b=2'),
    ),
    element('p', { class: 'actions' }, send),
    region,
  )
}

/** The arguments that the table of the route lists. */
function ownFields(route: HTMLDetailsElement, entries: Entry[]): HTMLElement[] {
  return [...route.querySelectorAll<HTMLTableRowElement>('tr[data-name]')].map((row) => {
    const { name = '', place = 'query', kind = 'text', options, required } = row.dataset
    const control = controlFor(kind, options, required !== undefined)
    entries.push([{ name, place: place as Field['place'], kind: kind as Field['kind'] }, control])
    return labelled(route, control, name, hintOf(kind, place, required !== undefined))
  })
}

function sharedFields(route: HTMLDetailsElement, entries: Entry[]): HTMLElement[] {
  return globals.map(([name, hint]) => {
    const control = element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' })
    entries.push([{ name, place: 'query', kind: 'text' }, control])
    return labelled(route, control, name, hint)
  })
}

/** The control with its label and hint. */
function labelled(route: HTMLDetailsElement, control: Control, label: string, hint = ''): HTMLElement {
  control.id = `${route.id}-${label}`
  const note = hint === '' ? [] : [element('span', { class: 'hint', id: `${control.id}-hint` }, hint)]
  if (hint !== '') control.setAttribute('aria-describedby', `${control.id}-hint`)
  return element('div', { class: 'field' }, element('label', { for: control.id }, label), ...note, control)
}

async function submit(
  path: string,
  context: TryItContext,
  { entries, query, body, method, send }: Inputs,
  result: ReturnType<typeof createResult>,
): Promise<void> {
  const fields = entries.flatMap(([declared, control]) =>
    control.value === '' ? [] : [{ ...declared, value: control.value }],
  )
  const missing = entries.find(([{ place }, control]) => place === 'path' && control.value === '')
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
    body: body.value,
    credentials,
  })
  send.disabled = true
  await result.show(attempt, credentials?.login)
  send.disabled = false
  send.focus()
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
