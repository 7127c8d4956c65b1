/** Draws the fields of forms, by type. */
import { lookupTable } from '../../../../contract/lookup-table.ts'
import { ownValue, textOf } from '../../document/values.ts'
import { filtered } from '../../html/markup.ts'
import { type Attributes, type Child, h, written } from '../../html/nodes.ts'
import { plainOf } from '../../template-context/current-post.ts'
import type { WidgetContext } from '../context.ts'

interface Drawing {
  readonly form: WidgetContext
  readonly field: WidgetContext
  /** The id that the document stores for the field. */
  readonly id: string
  readonly size: string
  readonly isRequired: boolean
}

const INPUTS: ReadonlySet<string> = new Set(
  'text email url tel number date time password hidden search upload'.split(' '),
)

const maxOptions = 1000

type DrawControl = (drawing: Drawing) => Child

const OTHERS: { readonly [type: string]: DrawControl } = lookupTable({
  textarea: (drawing) => {
    const rows = Math.min(Math.max(Math.floor(drawing.field.settings.number('rows', 4)), 1), 100)
    return h('textarea', { ...common(drawing), rows }, drawing.field.settings.text('field_value'))
  },
  select: (drawing) => select(drawing),
  radio: (drawing) => options(drawing, 'radio'),
  checkbox: (drawing) => options(drawing, 'checkbox'),
  acceptance: (drawing) => acceptance(drawing),
  html: ({ field }) => field.rich('field_html'),
  honeypot: ({ id }) => honeypot(id),
  challenge: () => captcha('challenge'),
  captcha: () => captcha('captcha'),
  recaptcha: () => captcha('recaptcha'),
  recaptcha_v3: () => captcha('recaptcha_v3'),
  hcaptcha: () => captcha('hcaptcha'),
  turnstile: () => captcha('turnstile'),
})

export const isField = (type: string): boolean => INPUTS.has(type) || Object.hasOwn(OTHERS, type)

const labelless: ReadonlySet<string> = new Set(
  'hidden html challenge captcha recaptcha recaptcha_v3 hcaptcha turnstile'.split(' '),
)

/** Whether a label can name the field. */
export const hasControl = (type: string): boolean => !labelless.has(type)

export const drawControl = (type: string, drawing: Drawing): Child =>
  INPUTS.has(type) ? input(type, drawing) : OTHERS[type]?.(drawing)

const nameIn = (id: string, isMultiple = false) => written(`form_fields[${id}]${isMultiple ? '[]' : ''}`)
const idIn = (id: string) => written(`form-field-${id}`)

const orAbsent = (text: string): string | undefined => (text === '' ? undefined : text)

function common({ field, id, size, isRequired }: Drawing): Attributes {
  return {
    name: nameIn(id),
    id: idIn(id),
    class: ['builder-field', `builder-size-${size}`, 'builder-field-textual'],
    placeholder: orAbsent(plainOf(field.settings.text('placeholder'))),
    required: isRequired,
  }
}

function input(type: string, drawing: Drawing): Child {
  const { field, id, size, isRequired } = drawing
  const { settings } = field
  const value = orAbsent(settings.text('field_value'))
  if (type === 'hidden') {
    const classes = ['builder-field', `builder-size-${size}`, 'builder-field-textual']
    return h('input', { type, name: nameIn(id), id: idIn(id), class: classes, value: value ?? '' })
  }
  if (type === 'upload') {
    const isMultiple = settings.isOn('allow_multiple_upload')
    const classes = ['builder-field', `builder-size-${size}`, 'builder-upload-field']
    return h('input', {
      type: 'file',
      name: nameIn(id, isMultiple),
      id: idIn(id),
      class: classes,
      multiple: isMultiple,
      accept: acceptOf(settings.text('file_types')),
      required: isRequired,
    })
  }
  return h('input', { type, ...common(drawing), value, ...limitsOf(type, field) })
}

/** The place of a captcha. The site that shows the form draws that of its service, or solves its own challenge. */
const captcha = (type: string): Child => h('div', { class: ['builder-challenge'], 'data-captcha': type })

/** A field for programs: neither the eyes, the keyboard, a screen reader nor the memory of the browser finds it. */
const honeypot = (id: string): Child =>
  h('input', { type: 'text', name: nameIn(id), id: idIn(id), tabindex: -1, autocomplete: 'off' })

/** Returns file extensions for the attribute `accept`. */
function acceptOf(types: string): string | undefined {
  const endings = types.split(/[\s,]+/).map((ending) => ending.replace(/^\./, ''))
  return orAbsent(
    endings
      .filter((ending) => /^\w+$/.test(ending))
      .map((ending) => `.${ending}`)
      .join(','),
  )
}

/** Returns the minimum and maximum of numbers, dates and times. */
function limitsOf(type: string, { settings }: WidgetContext): Attributes {
  if (type === 'number') return { min: orAbsent(settings.text('field_min')), max: orAbsent(settings.text('field_max')) }
  if (type !== 'date' && type !== 'time') return {}
  return { min: orAbsent(settings.text(`min_${type}`)), max: orAbsent(settings.text(`max_${type}`)) }
}

interface Option {
  readonly label: string
  readonly value: string
}

/** Reads one option per line: `Label|value`, or one text for both. */
function optionsOf({ settings }: WidgetContext): Option[] {
  return settings
    .text('field_options')
    .split(/\r?\n/)
    .slice(0, maxOptions)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.indexOf('|')
      if (at === -1) return { label: line, value: plainOf(line) }
      return { label: line.slice(0, at), value: line.slice(at + 1) }
    })
}

function select({ field, id, size, isRequired }: Drawing): Child {
  const { settings } = field
  const chosen = settings.text('field_value').split(',')
  const isMultiple = settings.isOn('allow_multiple')
  const rows = isMultiple ? Math.max(2, Math.floor(settings.number('select_size', 4))) : undefined
  return h(
    'div',
    { class: ['builder-field', 'builder-select-wrapper'] },
    h(
      'select',
      {
        name: nameIn(id, isMultiple),
        id: idIn(id),
        class: ['builder-field-textual', `builder-size-${size}`],
        required: isRequired,
        multiple: isMultiple,
        size: rows,
      },
      // The text of an `option` contains no markup.
      optionsOf(field).map(({ label, value }) =>
        h('option', { value, selected: value !== '' && chosen.includes(value) }, plainOf(label)),
      ),
    ),
  )
}

function options({ field, id, isRequired }: Drawing, type: 'radio' | 'checkbox'): Child {
  const { settings } = field
  const listed = optionsOf(field)
  const chosen = settings.text('field_value')
  const isMultiple = type === 'checkbox' && listed.length > 1
  return h(
    'div',
    { class: ['builder-field-subgroup', settings.isOn('inline_list') && 'builder-subgroup-inline'] },
    listed.map(({ label, value }, index) =>
      h(
        'span',
        { class: ['builder-field-option'] },
        h('input', {
          type,
          value,
          id: written(`form-field-${id}-${index}`),
          name: nameIn(id, isMultiple),
          checked: value !== '' && value === chosen,
          // `required` on a checkbox of a group would require that box.
          required: isRequired && !isMultiple,
        }),
        ' ',
        h('label', { for: written(`form-field-${id}-${index}`) }, filtered(label)),
      ),
    ),
  )
}

function acceptance({ field, id, size, isRequired }: Drawing): Child {
  const { settings } = field
  return h(
    'div',
    { class: ['builder-field-subgroup'] },
    h(
      'span',
      { class: ['builder-field-option'] },
      h('input', {
        type: 'checkbox',
        name: nameIn(id),
        id: idIn(id),
        class: ['builder-field', `builder-size-${size}`, 'builder-acceptance-field'],
        required: isRequired,
        checked: settings.isOn('checked_by_default'),
      }),
      ' ',
      h('label', { for: idIn(id) }, filtered(textOf(ownValue(settings.raw, 'acceptance_text')))),
    ),
  )
}
