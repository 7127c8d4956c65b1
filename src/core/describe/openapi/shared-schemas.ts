/** Schemas shared by operations: titled objects, common responses, request bodies. */

import type { Names } from '../../../names/word-map.ts'
import type { ResponseSchema } from '../../declare/response-schema.ts'
import { publicSchema } from '../../request/argument-names.ts'
import type { RoutedEndpoint } from '../../routing/route.ts'
import type { JsonSchema } from './document.ts'
import { errorSchema } from './error-responses.ts'
import { pascalCase } from './operation-id.ts'
import { schemaOf } from './schema.ts'

export interface SharedSchemas {
  answer(form: ResponseSchema, routed: RoutedEndpoint): JsonSchema
  /** Methods of one endpoint share its body, named by the first. */
  body(routed: RoutedEndpoint, name: string, make: () => JsonSchema): JsonSchema
  readonly schemas: { readonly [name: string]: JsonSchema }
}

export function createSharedSchemas(endpoints: readonly RoutedEndpoint[], names: Names): SharedSchemas {
  const schemas: { [name: string]: JsonSchema } = { Error: errorSchema }
  const titled = new Map<string, string>()
  const bodies = new Map<RoutedEndpoint, JsonSchema>()
  const forms = new Map<ResponseSchema, JsonSchema>()
  const usedOften = schemasOfSeveral(endpoints)

  const addSchema = (base: string, schema: JsonSchema): string => {
    let name = base
    for (let number = 2; Object.hasOwn(schemas, name); number++) name = `${base}${number}`
    schemas[name] = schema
    return name
  }

  /** Schemas that differ only in their description are shared. */
  const share = (schema: JsonSchema): JsonSchema => {
    const { title, description, ...rest } = schema
    if (title === undefined || rest.type !== 'object') return schema
    const text = JSON.stringify([title, rest])
    const known = titled.get(text)
    const name = known ?? addSchema(pascalCase(title), schema)
    titled.set(text, name)
    const own = description !== undefined && schemas[name]?.description !== description ? { description } : {}
    return { $ref: refTo(name), ...own }
  }

  const answer = (form: ResponseSchema, routed: RoutedEndpoint): JsonSchema => {
    const known = forms.get(form)
    if (known) return known
    const node = names.isEmpty ? form.node : publicSchema(form, names)
    const schema = schemaOf(node, { word: names.toPublic, share })
    const isShared = usedOften.has(form) && (schema.properties ?? schema.items ?? schema.anyOf) !== undefined
    const result = isShared
      ? { $ref: refTo(addSchema(`${pascalCase(names.toPublic(routed.feature))}Answer`, schema)) }
      : schema
    forms.set(form, result)
    return result
  }

  return {
    schemas,
    answer,
    body(routed, name, make) {
      const body = bodies.get(routed) ?? { $ref: refTo(addSchema(pascalCase(name), make())) }
      bodies.set(routed, body)
      return body
    },
  }
}

const refTo = (name: string) => `#/components/schemas/${name}`

function schemasOfSeveral(endpoints: readonly RoutedEndpoint[]): ReadonlySet<ResponseSchema> {
  const seen = new Map<ResponseSchema, RoutedEndpoint>()
  const often = new Set<ResponseSchema>()
  for (const routed of endpoints) {
    for (const form of Object.values(routed.endpoint.responses ?? {})) {
      if (seen.has(form) && seen.get(form) !== routed) often.add(form)
      seen.set(form, routed)
    }
  }
  return often
}
