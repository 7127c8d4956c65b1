/** Parts a form into the steps that its step fields begin. Without a script all steps are shown, each below its name. */

import { nameOf } from '../../document/values.ts'
import { type Child, h, isNothing, written } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'

interface Step {
  /** The step field; undefined for the fields before the first one. */
  readonly begin: WidgetContext | undefined
  readonly fields: readonly WidgetContext[]
}

const isStep = ({ settings }: WidgetContext): boolean => settings.text('field_type') === 'step'

function stepsOf(fields: readonly WidgetContext[]): readonly Step[] {
  const starts = fields.flatMap((field, index) => (isStep(field) ? [index] : []))
  const before = fields.slice(0, starts[0])
  return [
    ...(before.length > 0 ? [{ begin: undefined, fields: before }] : []),
    ...starts.map((start, index) => ({ begin: fields[start], fields: fields.slice(start + 1, starts[index + 1]) })),
  ]
}

/** Draws the fields by `drawField`: in a group for each step, if the form has steps. */
export function drawSteps(
  form: WidgetContext,
  fields: readonly WidgetContext[],
  drawField: (field: WidgetContext) => Child,
): Child {
  if (!fields.some(isStep)) return fields.map(drawField)
  form.pass.behaviours.add('form-steps')
  return stepsOf(fields).map(({ begin, fields: inside }) => {
    const name = begin ? begin.html('field_label') : ''
    const id = begin ? nameOf(begin.settings.text('custom_id')) || nameOf(begin.settings.text('_id')) : ''
    const label = (own: string, common: string) => begin?.label(own) || form.label(common) || undefined
    return h(
      'fieldset',
      {
        class: ['builder-form-step', id !== '' && written(`builder-field-group-${id}`)],
        'data-previous': label('previous_button', 'step_previous_label'),
        'data-next': label('next_button', 'step_next_label'),
      },
      !isNothing(name) && h('legend', { class: ['builder-form-step-name'] }, name),
      inside.map(drawField),
    )
  })
}
