/** Draws schemas in the notation of types: `{ id: integer; name?: string }`, with links to named schemas. */

import type { JsonSchema } from '../../core/describe/openapi/document.ts'
import { datePattern, dateTimePattern } from '../../site/time-zone.ts'
import { html, type Markup } from '../html.ts'

export function typeView(schema: JsonSchema, indent = ''): Markup {
  if (schema.$ref !== undefined) return refView(schema.$ref)
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`
  if (schema.enum) return html`${schema.enum.map((value) => JSON.stringify(value)).join(' | ')}`
  const variants = schema.oneOf ?? schema.anyOf
  if (variants)
    return joined(
      variants.map((variant) => typeView(variant, indent)),
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

export const schemaId = (name: string) => `schema-${name}`

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
    const optionalSign = required.includes(name) ? '' : '?'
    const remark = schema.description === undefined ? html`` : html`  <i>${schema.description}</i>`
    return html`${inner}${name}${optionalSign}: ${typeView(schema, inner)}${remark}\n`
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

const joined = (parts: readonly Markup[], separator: string): Markup => ({
  markup: parts.map(({ markup }) => markup).join(separator),
})

// ---------------------------------------------------------------- fields of the form

/** The kind of form field for a value; the script of the page uses the same kinds. */
export function kindOf(schema: JsonSchema): 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'numbers' | 'json' {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null')
  const [type] = types
  if (types.length !== 1 || schema.oneOf || schema.anyOf) return 'json'
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  if (type === 'string') return 'text'
  if (type === 'array' && /^(?:integer|number)$/.test(String(schema.items?.type))) return 'numbers'
  const isFlat = ['string', 'integer', 'number'].includes(String(schema.items?.type ?? 'string'))
  return type === 'array' && isFlat ? 'list' : 'json'
}

/** The limits, pattern and default of a value. */
export function bounds(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, maxItems, pattern, default: fallback } = schema
  const isNamed = schema.type === 'integer' || textForm(schema) !== undefined
  const texts = [
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    minLength === undefined ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    maxItems === undefined ? '' : `at most ${maxItems} items`,
    pattern === undefined || isNamed ? '' : `matches ${pattern}`,
    fallback === undefined ? '' : `default ${JSON.stringify(fallback)}`,
  ]
  return texts.filter((text) => text !== '').join('; ')
}
