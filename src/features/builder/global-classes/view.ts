/** Responses of global classes and their schemas. Classes are sent as they are stored. */

import { anything, bool, int, list, nullable, oneOf, str } from '../../../core/declare/args.ts'
import {
  either,
  emptyList,
  exactly,
  fields,
  mapOf,
  openFields,
  sometimes,
} from '../../../core/declare/response-schema.ts'
import { envelopedSchema } from '../../shared/envelope.ts'
import { type ClassList, repairOrder } from './model.ts'
import { states } from './validation.ts'

const variantSchema = openFields(
  {
    meta: openFields({
      breakpoint: str({ description: 'The width from which it holds.' }),
      state: nullable(oneOf(states, { description: 'The state of the element in which it holds.' })),
    }),
    props: either(
      mapOf(anything({ description: 'A value with its kind.' }), { description: 'The styles by property.' }),
      emptyList(),
    ),
    custom_css: sometimes(nullable(openFields({ raw: str({ description: 'Declarations, in base64.' }) }))),
  },
  { title: 'Class variant' },
)

const classSchema = fields(
  {
    id: str(),
    type: exactly('class'),
    label: str({ description: 'The name of the class in documents and style sheets.' }),
    variants: list(variantSchema),
    sync_to_v3: sometimes(bool({ description: 'Whether it is part of the style sheet of the design system.' })),
  },
  { title: 'Global class' },
)

export const classListSchema = fields({
  data: mapOf(classSchema, { description: 'The classes by id.' }),
  meta: fields({ order: list(str(), { description: 'The ids in their order.' }) }),
})

export const someClassesSchema = fields({
  data: mapOf(either(classSchema, exactly(null)), {
    description: 'The classes by id; null for one that is not there.',
  }),
  meta: fields({ order: list(str(), { description: 'The ids of those that are there, in their order.' }) }),
})

export const labelListSchema = fields({
  data: list(fields({ id: str(), label: str() }), { description: 'The classes in their order.' }),
  meta: fields({ order: list(str(), { description: 'The ids in their order.' }) }),
})

export const modifiedLabelsSchema = envelopedSchema(
  fields({
    code: exactly('DUPLICATED_LABEL'),
    modifiedLabels: mapOf(fields({ original: str(), modified: str() }), {
      description: 'The labels that were taken already, by the id of the class.',
    }),
  }),
)

export const usageSchema = envelopedSchema(
  mapOf(
    list(
      fields(
        {
          pageId: int(),
          title: str(),
          type: str({ description: 'What kind of document it is.' }),
          total: int({ description: 'How many elements use the class.' }),
          elements: list(str(), { description: 'The ids of the elements.' }),
        },
        { title: 'Class use' },
      ),
    ),
    { description: 'The documents that use a class, by the id of the class.' },
  ),
)

export const classesView = (classes: ClassList) => ({ data: classes.items, meta: { order: repairOrder(classes) } })

export function labelsView(classes: ClassList) {
  const order = repairOrder(classes)
  return { data: order.map((id) => ({ id, label: classes.items[id]?.label ?? '' })), meta: { order } }
}
