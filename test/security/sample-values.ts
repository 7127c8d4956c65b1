/** Valid values for the required arguments of a route, for tests that vary one argument. */
import type { SchemaNode } from '../../src/core/declare/args.ts'
import type { DeclaredRoute } from './declared-routes.ts'

/** Values for arguments whose rules are stricter than their schemas. */
const valuesByName: { readonly [name: string]: unknown } = {
  type: 'global-color-variable',
  label: 'a-label',
  value: '#ffffff',
  favorite: 'heading',
  watermark: 0,
  operations: [{ type: 'delete', id: 'e-gv-0000000' }],
  requests: [],
}

/** Values for the required arguments of the route only. */
export function sampleArguments({ endpoint, parameters }: DeclaredRoute): { [name: string]: unknown } {
  const inPath = parameters.map(({ name }) => name)
  return Object.fromEntries(
    Object.entries(endpoint.args)
      .filter(([name, { node }]) => node.required === true && !inPath.includes(name))
      .map(([name, { node }]) => [name, valuesByName[name] ?? sample(node)]),
  )
}

export function sample(node: SchemaNode): unknown {
  if (node.enum) return node.enum[0]
  const type = typeof node.type === 'string' ? node.type : node.type?.[0]
  switch (type) {
    case 'integer':
    case 'number':
      return node.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return node.items ? [sample(node.items)] : []
    case 'object':
      return Object.fromEntries(
        Object.entries(node.properties ?? {})
          .filter(([, inner]) => inner.required === true)
          .map(([name, inner]) => [name, sample(inner)]),
      )
    default:
      return node.format === 'date-time' ? '2024-06-01T10:00:00' : 'text'
  }
}
