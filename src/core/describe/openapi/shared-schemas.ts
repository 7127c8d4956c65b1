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
  answer(form: ResponseSchema, bound: RoutedEndpoint): JsonSchema
  /** Methods of one endpoint share its body, named by the first. */
  body(bound: RoutedEndpoint, name: string, make: () => JsonSchema): JsonSchema
  readonly schemas: { readonly [name: string]: JsonSchema }
}

export function createSharedSchemas(bounds: readonly RoutedEndpoint[], names: Names): SharedSchemas {
  const schemas: { [name: string]: JsonSchema } = { Error: errorSchema }
  const titled = new Map<string, string>()
  const bodies = new Map<RoutedEndpoint, JsonSchema>()
  const forms = new Map<ResponseSchema, JsonSchema>()
  const usedOften = formsOfSeveral(bounds)

  const kept = (wanted: string, schema: JsonSchema): string => {
    let name = wanted
    for (let number = 2; Object.hasOwn(schemas, name); number++) name = `${wanted}${number}`
    schemas[name] = schema
    return name
  }

  /** Schemas that differ only in their description are shared. */
  const share = (schema: JsonSchema): JsonSchema => {
    const { title, description, ...rest } = schema
    if (title === undefined || rest.type !== 'object') return schema
    const text = JSON.stringify([title, rest])
    const known = titled.get(text)
    const name = known ?? kept(pascalCase(title), schema)
    titled.set(text, name)
    const own = description !== undefined && schemas[name]?.description !== description ? { description } : {}
    return { $ref: refTo(name), ...own }
  }

  const answer = (form: ResponseSchema, bound: RoutedEndpoint): JsonSchema => {
    const known = forms.get(form)
    if (known) return known
    const node = names.isEmpty ? form.node : publicSchema(form, names)
    const schema = schemaOf(node, { word: names.toPublic, share })
    const isShared = usedOften.has(form) && (schema.properties ?? schema.items ?? schema.anyOf) !== undefined
    const made = isShared ? { $ref: refTo(kept(`${pascalCase(names.toPublic(bound.feature))}Answer`, schema)) } : schema
    forms.set(form, made)
    return made
  }

  return {
    schemas,
    answer,
    body(bound, name, make) {
      const made = bodies.get(bound) ?? { $ref: refTo(kept(pascalCase(name), make())) }
      bodies.set(bound, made)
      return made
    },
  }
}

const refTo = (name: string) => `#/components/schemas/${name}`

function formsOfSeveral(bounds: readonly RoutedEndpoint[]): ReadonlySet<ResponseSchema> {
  const seen = new Map<ResponseSchema, RoutedEndpoint>()
  const often = new Set<ResponseSchema>()
  for (const bound of bounds) {
    for (const form of Object.values(bound.endpoint.responses ?? {})) {
      if (seen.has(form) && seen.get(form) !== bound) often.add(form)
      seen.set(form, bound)
    }
  }
  return often
}
