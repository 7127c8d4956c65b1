/** Schemas as people read types: `{ id: integer; name?: string }`, with links to the forms that have a name. */

import type { JsonSchema } from '../../core/describe/openapi/document.ts'
import { datePattern, dateTimePattern } from '../../site/time-zone.ts'
import { html, type Markup } from '../html.ts'

export function typeView(schema: JsonSchema, indent = ''): Markup {
  if (schema.$ref !== undefined) return refView(schema.$ref)
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`
  if (schema.enum) return html`${schema.enum.map((one) => JSON.stringify(one)).join(' | ')}`
  const forms = schema.oneOf ?? schema.anyOf
  if (forms)
    return joined(
      forms.map((form) => typeView(form, indent)),
      ' | ',
    )
  if (Array.isArray(schema.type)) {
    const types = schema.type as readonly string[]
    return joined(
      types.map((type) => typeView({ ...schema, type }, indent)),
      ' | ',
    )
  }
  if (schema.type === 'array') return listView(schema, indent)
  if (schema.type === 'object') return objectView(schema, indent)
  return html`${textForm(schema) ?? (schema.type as string | undefined) ?? 'anything'}`
}

export const schemaId = (name: string) => `form-${name}`

function refView(ref: string): Markup {
  const name = ref.slice(ref.lastIndexOf('/') + 1)
  return html`<a href="#${schemaId(name)}">${name}</a>`
}

function textForm({ type, pattern }: JsonSchema): string | undefined {
  if (type === 'null') return undefined
  if (pattern === dateTimePattern) return 'date and time'
  return pattern === datePattern ? 'date' : undefined
}

function listView({ items, maxItems }: JsonSchema, indent: string): Markup {
  if (maxItems === 0) return html`[]`
  if (!items) return html`anything[]`
  const isSimple = items.$ref !== undefined || (typeof items.type === 'string' && !items.enum)
  return isSimple ? html`${typeView(items, indent)}[]` : html`(${typeView(items, indent)})[]`
}

function objectView({ properties = {}, required = [], additionalProperties }: JsonSchema, indent: string): Markup {
  const inner = `${indent}  `
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    const remark = schema.description === undefined ? html`` : html`  <i>${schema.description}</i>`
    return html`${inner}${name}${mark}: ${typeView(schema, inner)}${remark}\n`
  })
  const rest =
    typeof additionalProperties === 'object'
      ? [html`${inner}[name]: ${typeView(additionalProperties, inner)}\n`]
      : additionalProperties === false || members.length === 0
        ? []
        : [html`${inner}…\n`]
  const all = [...members, ...rest]
  return all.length === 0 ? html`object` : html`{\n${all}${indent}}`
}

const joined = (parts: readonly Markup[], sign: string): Markup => ({
  markup: parts.map(({ markup }) => markup).join(sign),
})

// ---------------------------------------------------------------- fields of the form

/** How a value is typed and sent; the script of the page knows the same words. */
export function kindOf(schema: JsonSchema): 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json' {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null')
  const [type] = types
  if (types.length !== 1 || schema.oneOf || schema.anyOf) return 'json'
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  if (type === 'string') return 'text'
  const isFlat = ['string', 'integer', 'number'].includes(String(schema.items?.type ?? 'string'))
  return type === 'array' && isFlat ? 'list' : 'json'
}

/** What else is to be known of a value: bounds, form, default. */
export function bounds(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, maxItems, pattern, default: fallback } = schema
  const isNamed = schema.type === 'integer' || textForm(schema) !== undefined
  const said = [
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    minLength === undefined ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    maxItems === undefined ? '' : `at most ${maxItems} items`,
    pattern === undefined || isNamed ? '' : `matches ${pattern}`,
    fallback === undefined ? '' : `default ${JSON.stringify(fallback)}`,
  ]
  return said.filter((one) => one !== '').join('; ')
}
