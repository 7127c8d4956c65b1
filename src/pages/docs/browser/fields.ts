/** The fields of a form: one for each argument that the table of the route lists, and those that every route has. */
import { element } from '../../browser/elements.ts'
import type { Field } from './request.ts'

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** A field: what it declares, where its value is typed, and its value in the example. */
export interface Entry {
  readonly declared: Omit<Field, 'value'>
  readonly control: Control
  readonly view: HTMLElement
  readonly isRequired: boolean
  /** The example as it is entered; empty without one. */
  readonly example: string
}

/** The arguments of every route, which the tables do not list. */
const shared: readonly (readonly [name: string, hint: string, place: Field['place']])[] = [
  ['_fields', 'the members to return, such as author,title.rendered', 'query'],
  ['_embed', 'adds linked records: 1, or names of relations', 'query'],
  ['_envelope', '1 returns status and headers in the body', 'query'],
]

export const sharedFields = (route: HTMLElement): Entry[] =>
  shared.map(([name, hint, place]) => {
    const control = textField()
    const view = labelled(route, control, { name, hint })
    return { declared: { name, place, kind: 'text' }, control, view, isRequired: false, example: '' }
  })

export const ownFields = (route: HTMLElement): Entry[] =>
  [...route.querySelectorAll<HTMLTableRowElement>('tr[data-name]')].map((row) => {
    const { name = '', place = 'query', kind = 'text', options, required, example } = row.dataset
    // The casts: the page is written with these places and kinds.
    const declared = { name, place: place as Field['place'], kind: kind as Field['kind'] }
    const isRequired = required !== undefined
    const typed = example === undefined ? '' : typedText(JSON.parse(example))
    const control = controlFor(declared, { options, isRequired, lines: typed.split('\n').length })
    const hint = [isRequired ? 'required' : '', place === 'header' ? 'header' : '', hintOf(kind)]
    const view = labelled(route, control, {
      name,
      hint: hint.filter((word) => word !== '').join(', '),
      description: row.querySelector('.meaning')?.textContent ?? '',
    })
    if (control instanceof HTMLInputElement && typed !== '') control.placeholder = `for example ${typed}`
    return { declared, control, view, isRequired, example: typed }
  })

/** Formats a value as it is entered into a field. */
export function typedText(value: unknown): string {
  if (typeof value === 'string') return value
  const isFlat = Array.isArray(value) && value.every((item) => typeof item !== 'object')
  return isFlat ? value.join(', ') : JSON.stringify(value, null, 2)
}

export const textField = () => element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' })

interface Shape {
  /** JSON: the values of an enum. */
  readonly options: string | undefined
  readonly isRequired: boolean
  /** How many lines the example has. */
  readonly lines: number
}

function controlFor({ kind }: Entry['declared'], { options, isRequired, lines }: Shape): Control {
  const choices =
    kind === 'boolean'
      ? ['true', 'false']
      : options && kind !== 'list' && kind !== 'numbers'
        ? (JSON.parse(options) as string[])
        : []
  const state = { 'aria-required': isRequired ? 'true' : undefined }
  if (choices.length > 0) {
    const unset = element('option', { value: '' }, 'not sent')
    return element('select', state, unset, ...choices.map((choice) => element('option', {}, choice)))
  }
  const rows = String(Math.min(Math.max(lines, 2), 10))
  if (kind === 'json') return element('textarea', { ...state, rows, spellcheck: 'false' })
  const inputmode = kind === 'integer' ? 'numeric' : undefined
  return element('input', { ...state, type: 'text', autocomplete: 'off', spellcheck: 'false', inputmode })
}

const hintOf = (kind: string) =>
  kind === 'list'
    ? 'separated by commas'
    : kind === 'numbers'
      ? 'numbers, separated by commas'
      : kind === 'json'
        ? 'JSON or text'
        : kind === 'text'
          ? ''
          : kind

export interface Label {
  readonly name: string
  readonly hint?: string
  readonly description?: string
}

/** The control with its label, hint and description. */
export function labelled(
  route: HTMLElement,
  control: Control,
  { name, hint = '', description = '' }: Label,
): HTMLElement {
  control.id = `${route.id}--${name}`
  const note = (kind: string, text: string) =>
    text === '' ? [] : [element('span', { class: kind, id: `${control.id}-${kind}` }, text)]
  const hints = note('hint', hint)
  const descriptions = note('description', description)
  const ids = [...hints, ...descriptions].map(({ id }) => id)
  if (ids.length > 0) control.setAttribute('aria-describedby', ids.join(' '))
  const heading = element('div', {}, element('label', { for: control.id }, name), ' ', ...hints)
  return element('div', { class: 'field' }, heading, control, ...descriptions)
}
