/** The form of a route, with the request as code and the response beside it. Created when the route is first shown. */
import { element, findElement } from '../../browser/elements.ts'
import { type Entry, labelled, ownFields, sharedFields, textField, typedText } from './fields.ts'
import { attemptOf, type Field } from './request.ts'
import { createRequestPane } from './request-pane.ts'
import { createResponsePane } from './response-pane.ts'
import type { SignInState } from './sign-in.ts'
import type { SnippetValues } from './snippets.ts'

interface TryItContext {
  /** The URL of the API without a trailing slash. */
  readonly base: string
  readonly profile: string
  readonly signIn: SignInState
}

export interface TryIt {
  /** Shows who sends the request. */
  readonly update: () => void
}

interface Inputs {
  /** The arguments of the route, then those of every route. */
  readonly own: readonly Entry[]
  readonly shared: readonly Entry[]
  readonly query: HTMLInputElement
  readonly body: HTMLTextAreaElement
  readonly method: HTMLSelectElement
}

/** Fewer arguments are all shown at once. */
const fewArguments = 6

export function addTryIt(route: HTMLElement, context: TryItContext): TryIt {
  const methods = (route.dataset.methods ?? '').split(' ')
  const inputs: Inputs = {
    own: ownFields(route),
    shared: sharedFields(route),
    query: textField(),
    body: element('textarea', { rows: '5', spellcheck: 'false' }),
    method: element('select', {}, ...methods.map((name) => element('option', {}, name))),
  }
  const values = () => valuesOf(route, inputs, context)
  const request = createRequestPane(values)
  const response = createResponsePane(route)
  const who = element('p', { class: 'who-sends' })
  const send = element('button', { type: 'submit', class: 'primary' }, 'Send')
  const form = element(
    'form',
    { class: 'try', novalidate: true, 'aria-label': 'Try it' },
    ...fieldViews(route, inputs),
    element('div', { class: 'actions' }, send, ...fillButtons(route, inputs, request.update)),
    who,
  )

  form.addEventListener('input', request.update)
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const missing = inputs.own.find(({ declared, control }) => declared.place === 'path' && control.value === '')
    if (missing) {
      response.say(`Fill in ${missing.declared.name}: it is part of the path.`)
      missing.control.focus()
      return
    }
    send.disabled = true
    await response.send(attemptOf(values()))
    send.disabled = false
    send.focus({ preventScroll: true })
  })

  prefill(route, inputs)
  const panes = element('div', { class: 'panes' }, request.view, response.view)
  findElement(route, '.intro').after(element('div', { class: 'bench' }, form, panes))
  const update = () => {
    who.replaceChildren(...context.signIn.describe(methods.every((name) => name === 'GET')))
    request.update()
  }
  update()
  return { update }
}

function valuesOf({ dataset }: HTMLElement, inputs: Inputs, { base, profile, signIn }: TryItContext): SnippetValues {
  const fields = [...inputs.own, ...inputs.shared].flatMap(({ declared, control }): Field[] =>
    control.value === '' ? [] : [{ ...declared, value: control.value }],
  )
  return {
    ...{ base, profile, fields, path: dataset.path ?? '' },
    method: inputs.method.value,
    query: inputs.query.value,
    body: inputs.body.value,
    credentials: signIn.credentials(),
  }
}

/** Required arguments and those of the example come first; many others are folded. */
function fieldViews(route: HTMLElement, { own, shared, query, body, method }: Inputs): HTMLElement[] {
  const { body: bodyKind = '' } = route.dataset
  const isFew = own.length <= fewArguments
  const first = own.filter((entry) => isFew || entry.isRequired || entry.example !== '')
  const shown = first.length > 0 ? first : own.slice(0, fewArguments)
  const others = own.filter((entry) => !shown.includes(entry))
  const bodyLabel = { name: bodyKind === 'more' ? 'More members of the body' : 'Body', hint: 'JSON' }
  return [
    ...(method.options.length > 1 ? [labelled(route, method, { name: 'Method' })] : []),
    ...shown.map(({ view }) => view),
    ...(bodyKind === '' ? [] : [labelled(route, body, bodyLabel)]),
    ...folded(
      `${others.length} more ${others.length === 1 ? 'argument' : 'arguments'}`,
      others.map(({ view }) => view),
    ),
    ...folded('Options of every route', [
      ...shared.map(({ view }) => view),
      labelled(route, query, { name: 'More of the query', hint: 'a=1&b=2' }),
    ]),
  ]
}

const folded = (title: string, views: readonly HTMLElement[]): HTMLElement[] =>
  views.length === 0 ? [] : [element('details', { class: 'more' }, element('summary', {}, title), ...views)]

/** Values without which the request fails are filled in from the example; the others are offered. */
function prefill(route: HTMLElement, { own, body }: Inputs): void {
  for (const { declared, control, isRequired, example } of own) {
    if (isRequired || declared.place === 'path' || declared.place === 'body') control.value = example
  }
  body.value = bodyExample(route)
}

const bodyExample = ({ dataset: { exampleBody } }: HTMLElement): string =>
  exampleBody === undefined ? '' : typedBody(JSON.parse(exampleBody))

const typedBody = (value: unknown) => (typeof value === 'string' ? typedText(value) : JSON.stringify(value, null, 2))

function fillButtons(route: HTMLElement, inputs: Inputs, update: () => void): HTMLElement[] {
  const hasExample = inputs.own.some(({ example }) => example !== '') || route.dataset.exampleBody !== undefined
  const button = (name: string, run: () => void) => {
    const made = element('button', { type: 'button' }, name)
    made.addEventListener('click', () => {
      run()
      update()
    })
    return made
  }
  const clear = () => {
    for (const { control } of [...inputs.own, ...inputs.shared]) control.value = ''
    inputs.query.value = ''
    inputs.body.value = ''
  }
  const fill = () => {
    clear()
    for (const { control, example } of inputs.own) control.value = example
    inputs.body.value = bodyExample(route)
  }
  return [...(hasExample ? [button('Use the example', fill)] : []), button('Clear', clear)]
}
