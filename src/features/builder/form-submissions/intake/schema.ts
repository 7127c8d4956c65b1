/** The JSON Schema of a form, from its field table. */
import { lookupTable } from '../../../../contract/lookup-table.ts'
import { type FieldSchema, type FormSchema, telephonePattern } from '../../../../site/form-schema.ts'
import type { Form, InputField } from './form.ts'

export function schemaOf({ name, fields, actions: { messages } }: Form): FormSchema {
  const { required, invalid } = messages
  const sentences = { ...(required === '' ? {} : { required }), ...(invalid === '' ? {} : { invalid }) }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    title: name,
    properties: Object.fromEntries(fields.map((field) => [field.id, fieldSchema(field)])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ id }) => id),
    ...(Object.keys(sentences).length > 0 ? { 'x-messages': sentences } : {}),
  }
}

function fieldSchema(field: InputField): FieldSchema {
  const { type, label: title, options, isMultiple, minimum, maximum, earliest, latest, files } = field
  if (files) {
    const { endings, bytes, count } = files
    return {
      ...{ type: 'array', title, maxItems: count, items: { type: 'string', format: 'binary' } },
      'x-file': { endings, bytes },
    }
  }
  if (options) {
    return isMultiple
      ? { type: 'array', title, items: { type: 'string', enum: options } }
      : { type: 'string', title, enum: options }
  }
  const limits = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(earliest === undefined ? {} : { formatMinimum: earliest }),
    ...(latest === undefined ? {} : { formatMaximum: latest }),
  }
  return { type: 'string', title, ...rules[type], ...(type === 'number' || earliest || latest ? limits : {}) }
}

const rules: { readonly [type: string]: Partial<FieldSchema> | undefined } = lookupTable({
  email: { format: 'email', maxLength: 254 },
  url: { format: 'uri' },
  tel: { pattern: telephonePattern },
  number: { type: 'number' },
  date: { format: 'date' },
  time: { format: 'time' },
  password: { writeOnly: true },
})
