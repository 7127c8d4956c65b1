/** The OpenAPI document: all routes with arguments, responses and errors, generated from the declarations. */

import type { Settings } from '../../../site/settings.ts'
import type { AppContext } from '../../declare/app-context.ts'
import type { Route } from '../../routing/route.ts'
import { RawJson, toJson } from '../../runtime/json.ts'
import { introduction, sharedHeaders, sharedParameters } from './description.ts'
import type { HttpMethod, OpenApiDocument, Operation, PathItem } from './document.ts'
import { errorResponses } from './error-responses.ts'
import { httpMethod, type OperationParts, operationOf, scheme } from './operation.ts'
import { createSharedSchemas } from './shared-schemas.ts'

/** The version of the service. */
const version = '0.1.0'

/** Serialized once per settings: the document is long, and callers may change their parsed copy. */
export function createOpenApi(routes: () => readonly Route[]): (app: AppContext, settings: Settings) => RawJson {
  const texts = new WeakMap<Settings, RawJson>()
  return (app, settings) => {
    const text = texts.get(settings) ?? new RawJson(toJson(openApiOf(app, settings, routes())))
    texts.set(settings, text)
    return text
  }
}

function openApiOf(app: AppContext, settings: Settings, routes: readonly Route[]): OpenApiDocument {
  const { names } = app
  const listed = routes.flatMap(({ endpoints }) => endpoints.filter(({ endpoint }) => !endpoint.unlisted))
  const shared = createSharedSchemas(listed, names)
  const paths = pathsOf(routes, { app, shared })
  return {
    openapi: '3.1.0',
    info: { title: settings.name || settings.url || 'Site API', version, description: introduction(app) },
    servers: [{ url: settings.apiRoot || '/' }],
    tags: [...new Set(listed.map(({ feature }) => names.toPublic(feature)))].map((name) => ({ name })),
    paths,
    components: {
      schemas: shared.schemas,
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: errorResponses(names.toPublic),
      securitySchemes: {
        [scheme]: {
          type: 'http',
          scheme: 'basic',
          description: 'The login and an application password of a user.',
        },
      },
    },
  }
}

/**
 * Routes that differ only in parameter names or patterns are one path here, with the names of the first. They never
 * share a method: the router throws for that.
 */
function pathsOf(routes: readonly Route[], parts: OperationParts): OpenApiDocument['paths'] {
  const paths = new Map<string, { readonly path: string; readonly item: { [method in HttpMethod]?: Operation } }>()
  for (const { pattern, endpoints } of routes) {
    const shape = pattern.readable.replace(/\{\w+\}/g, '{}')
    for (const routed of endpoints.filter(({ endpoint }) => !endpoint.unlisted)) {
      const { path, item } = paths.get(shape) ?? { path: pattern.readable, item: {} }
      paths.set(shape, { path, item })
      for (const method of routed.endpoint.methods)
        item[httpMethod(method)] ??= operationOf(routed, method, path, parts)
    }
  }
  return Object.fromEntries([...paths.values()].map(({ path, item }): [string, PathItem] => [path, item]))
}
