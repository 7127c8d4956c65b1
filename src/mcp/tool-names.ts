/**
 * Tool names from paths: `posts_list`, `posts_get`, `builder_globals_colors_update`. A name depends on its own route and on
 * the methods beside it, so it is stable as long as they are. Letters, digits and `_` only, which every agent accepts.
 */
import type { HttpMethod } from '../core/describe/openapi/document.ts'

interface NamedRoute {
  readonly method: HttpMethod
  readonly path: string
  /** The namespace of the path: `cms/v2`. */
  readonly namespace: string
  /** The namespace of the site's content, which is left out of names. */
  readonly contentNamespace: string | undefined
  /** The other methods of the path that are tools. */
  readonly siblings: readonly HttpMethod[]
  /** Whether other methods do the same: POST, PUT and PATCH change a record, POST alone creates one. */
  readonly hasAliases: boolean
  /** Whether its items have routes below it. */
  readonly isCollection: boolean
}

export function toolName(route: NamedRoute): string {
  const { path, namespace, contentNamespace } = route
  const below = path.slice(namespace.length + 1).split('/')
  const words = below.filter((segment) => segment !== '' && !segment.startsWith('{'))
  const prefix = namespace === contentNamespace ? [] : [vendorOf(namespace)]
  return [...prefix, ...words, ...verbOf(route)].map(identifier).join('_')
}

/** Adds the parameters to the name of a route whose name another route has too. */
export const longToolName = (name: string, path: string): string =>
  [name, 'by', ...[...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => identifier(parameter))].join('_')

/** `builder-pro/v1` is `builder-pro`, and `builder/v1/feedback` is `builder/feedback`. */
const vendorOf = (namespace: string) =>
  namespace
    .split('/')
    .filter((word) => !/^v?\d+(?:\.\d+)*$/.test(word))
    .join('/')

const identifier = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')

/** A write that is alone on its path is an action, named by its path: `builder_components_lock`. */
function verbOf({ method, siblings, isCollection, hasAliases }: NamedRoute): readonly string[] {
  if (method === 'get') return [isCollection ? 'list' : 'get']
  if (method === 'delete') return ['delete']
  if (siblings.length === 0) return []
  if (method === 'put' && !hasAliases) return ['replace']
  return [method === 'post' && !hasAliases ? 'create' : 'update']
}
