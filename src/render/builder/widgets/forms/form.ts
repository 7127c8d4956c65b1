/** Draws forms. The actions of a form and their receivers stay in the stored document. */

import { background } from '../../controls/background.ts'
import { color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf } from '../../document/values.ts'
import { type Attributes, type Child, h, isNothing, written } from '../../html/nodes.ts'
import { currentPost, plainOf, titleOf } from '../../template-context/current-post.ts'
import { archiveOf } from '../../template-context/page.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { drawControl, hasControl, isField } from './form-fields.ts'
import { drawSteps } from './form-steps.ts'

const SIZES = ['xs', 'sm', 'md', 'lg', 'xl']

const sizeOf = (element: WidgetContext, setting: string): string => element.settings.choice(setting, SIZES, 'sm')

/** Writes the width in percent as class names, with one for tablets and one for phones where the setting differs. */
function widthClasses(field: WidgetContext, setting: string): string[] {
  const width = (name: string, byDefault: string) => field.settings.text(name, byDefault).replace(/\D+/g, '')
  const [desktop, tablet, mobile] = [
    width(setting, '100') || '100',
    width(`${setting}_tablet`, ''),
    width(`${setting}_mobile`, ''),
  ]
  return [
    `builder-col-${desktop}`,
    ...(tablet === '' ? [] : [`builder-md-${tablet}`]),
    ...(mobile === '' ? [] : [`builder-sm-${mobile}`]),
  ]
}

function drawField(form: WidgetContext, field: WidgetContext): Child {
  const { settings } = field
  const type = settings.text('field_type', 'text')
  if (!isField(type)) return undefined
  const id = nameOf(settings.text('custom_id')) || nameOf(settings.text('_id'))
  const isRequired = settings.isOn('required')
  const label = field.html('field_label')
  const hasLabel = hasControl(type) && !isNothing(label)
  const control = drawControl(type, { form, field, id, size: sizeOf(form, 'input_size'), isRequired })
  const classes = [
    `builder-field-type-${type}`,
    'builder-field-group',
    'builder-column',
    written(`builder-field-group-${id}`),
    ...widthClasses(field, 'width'),
    isRequired && 'builder-field-required',
    isRequired && form.settings.isOn('mark_required') && 'builder-mark-required',
  ]
  const isHidden = !form.settings.isOn('show_labels', 'true')
  return h(
    'div',
    { class: classes, 'aria-hidden': type === 'honeypot' ? 'true' : undefined },
    hasLabel &&
      h(
        'label',
        { for: written(`form-field-${id}`), class: ['builder-field-label', isHidden && 'builder-screen-only'] },
        label,
      ),
    control,
  )
}

function submit(form: WidgetContext): Child {
  const text = form.html('button_text', 'Send')
  const icon = form.icon('selected_button_icon', undefined, 'button_icon')
  const id = nameOf(form.settings.text('button_css_id'))
  const attributes: Attributes = {
    class: ['builder-button', `builder-size-${sizeOf(form, 'button_size')}`],
    type: 'submit',
    id: id === '' ? undefined : written(id),
    'aria-label': isNothing(text) ? 'Submit' : undefined,
  }
  return h(
    'div',
    {
      class: [
        'builder-field-group',
        'builder-column',
        'builder-field-type-submit',
        ...widthClasses(form, 'button_width'),
        'e-form__buttons',
      ],
    },
    h(
      'button',
      attributes,
      h(
        'span',
        { class: ['builder-button-content-wrapper'] },
        !isNothing(icon) && h('span', { class: ['builder-button-icon'] }, icon),
        !isNothing(text) && h('span', { class: ['builder-button-text'] }, text),
      ),
    ),
  )
}

/** Hidden fields identify the form in a submission. */
function hiddenFields({ scope, pass, id }: WidgetContext): Child {
  const post = currentPost(scope, pass)
  const values = {
    post_id: scope.document.post.id,
    form_id: id,
    referer_title: post ? plainOf(titleOf(post, pass)) : '',
    ...(post && !archiveOf(pass) ? { queried_id: post.id } : {}),
  }
  return Object.entries(values).map(([name, value]) => h('input', { type: 'hidden', name, value: String(value) }))
}

const hasUpload = (form: WidgetContext): boolean =>
  form.items('form_fields').some(({ settings }) => settings.text('field_type') === 'upload')

const BUTTON = '& .builder-button[type="submit"]'

const form = widget({
  html: (element) => {
    const { settings } = element
    const name = plainOf(settings.text('form_name', 'New Form'))
    const id = nameOf(settings.text('form_id'))
    const position = settings.choice('label_position', ['above', 'inline'], 'above')
    return h(
      'form',
      {
        class: ['builder-form'],
        method: 'post',
        // Without this encoding a browser sends only the names of files.
        enctype: hasUpload(element) ? 'multipart/form-data' : undefined,
        id: id === '' ? undefined : written(id),
        name: name === '' ? undefined : name,
        'aria-label': name === '' ? undefined : name,
      },
      hiddenFields(element),
      h(
        'div',
        { class: ['builder-form-fields-wrapper', `builder-labels-${position}`] },
        drawSteps(element, element.items('form_fields'), (field) => drawField(element, field)),
        submit(element),
      ),
    )
  },
  controls: [
    size('column_gap', '&', '--form-column-gap'),
    size('row_gap', '&', '--form-row-gap'),
    color('label_color', '& .builder-field-label', 'color'),
    ...typography('label_typography', '& .builder-field-label'),
    color('field_text_color', '& .builder-field', 'color'),
    ...typography('field_typography', '& .builder-field'),
    color('field_background_color', '& .builder-field-textual', 'background-color'),
    color('field_border_color', '& .builder-field-textual', 'border-color'),
    ...typography('button_typography', BUTTON),
    color('button_text_color', BUTTON, 'color'),
    color('button_background_color', BUTTON, 'background-color'),
    ...background('button_background', BUTTON),
    color('button_background_hover_color', `${BUTTON}:hover, ${BUTTON}:focus`, 'background-color'),
  ],
  defaults: [
    { selector: '.builder-field-label', color: 'text', typography: 'text' },
    { selector: '.builder-field', color: 'text', typography: 'text' },
    { selector: '.builder-button', color: 'accent', properties: ['background-color'], typography: 'accent' },
  ],
  rules: `.builder-form-step{flex:0 0 100%;display:flex;flex-wrap:wrap;min-width:0;margin:0;padding:0;border:0}
.builder-form-step[hidden],.builder-field-group[hidden],.builder-form-turn>[hidden]{display:none}
.builder-form-step-name{width:100%;padding:0 calc(var(--form-column-gap,10px)/2) var(--form-row-gap,10px);font-weight:700}
.builder-form-progress{flex:0 0 100%;margin:0;font-size:.875em;padding:0 calc(var(--form-column-gap,10px)/2) var(--form-row-gap,10px)}
.builder-form-turn{display:flex;gap:var(--form-column-gap,10px);width:100%}
.builder-form-turn>.builder-button{border:1px solid transparent;cursor:pointer}
.builder-form-turn>.builder-form-next{margin-inline-start:auto}
.builder-form .builder-form-turn>.builder-form-previous{background:none;border-color:currentColor;color:inherit}
.builder-field-group.builder-field-type-honeypot{position:absolute;width:1px;height:1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.builder-form-fields-wrapper{display:flex;flex-wrap:wrap;
margin:0 calc(var(--form-column-gap,10px)/-2) calc(var(--form-row-gap,10px)*-1)}
.builder-field-group{flex-wrap:wrap;align-items:center;padding:0 calc(var(--form-column-gap,10px)/2);
margin-block-end:var(--form-row-gap,10px)}
.builder-field-group.builder-field-type-hidden{display:none}
.builder-field-group>.builder-field-label{width:100%}
.builder-labels-inline>.builder-field-group>.builder-field-label{width:auto;padding-inline-end:10px}
.builder-field-group>.builder-field-textual,.builder-select-wrapper,.builder-select-wrapper>select{width:100%;max-width:100%}
.builder-labels-inline>.builder-field-group>.builder-field-textual{width:auto;flex:1}
.builder-field-textual{font:inherit;line-height:1.4;min-height:40px;padding:5px 14px;border:1px solid #69727d;border-radius:3px;
background-color:transparent}
.builder-upload-field{font:inherit;max-width:100%}
.builder-field-subgroup{display:flex;flex-wrap:wrap;flex-direction:column;gap:4px 12px}
.builder-field-subgroup.builder-subgroup-inline{flex-direction:row}
.builder-mark-required>.builder-field-label::after{content:"*";color:#c22;padding-inline-start:.2em}
.e-form__buttons>.builder-button{width:100%;border:none;cursor:pointer}`,
  isUnread: true,
})

export const formWidgets: WidgetTable = { form }
