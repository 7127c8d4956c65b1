/** Schemas without references: many agents do not follow them. */
import type { JsonSchema } from '../core/describe/openapi/document.ts'

export interface Schemas {
  readonly [name: string]: JsonSchema
}

const prefix = '#/components/schemas/'

/** A schema that contains itself is any value at its second occurrence. */
export function resolved(schema: JsonSchema, schemas: Schemas, within: readonly string[] = []): JsonSchema {
  if (schema.$ref === undefined) return withParts(schema, (part) => resolved(part, schemas, within))
  const name = schema.$ref.slice(prefix.length)
  const target = within.includes(name) ? undefined : schemas[name]
  return target ? resolved(target, schemas, [...within, name]) : {}
}

function withParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const { items, properties, additionalProperties, oneOf, anyOf } = schema
  return {
    ...schema,
    ...(items ? { items: change(items) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, change(part)])) }
      : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: change(additionalProperties) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(change) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(change) } : {}),
  }
}
