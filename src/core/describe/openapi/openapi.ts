/** The OpenAPI document: all routes with arguments, responses and errors, generated from the declarations. */

import type { Settings } from '../../../site/settings.ts'
import type { AppContext } from '../../declare/app-context.ts'
import type { Documentation } from '../../declare/documentation.ts'
import { isOffered } from '../../declare/endpoint.ts'
import type { Profile } from '../../declare/profile.ts'
import type { Route, RoutedEndpoint } from '../../routing/route.ts'
import { RawJson, toJson } from '../../runtime/json.ts'
import { introduction, sharedHeadersOf, sharedParameters } from './description.ts'
import type { HttpMethod, OpenApiDocument, Operation, PathItem } from './document.ts'
import { errorResponses } from './error-responses.ts'
import { createExamples } from './examples.ts'
import { httpMethod, type OperationParts, operationOf, scheme } from './operation.ts'
import { createSharedSchemas } from './shared-schemas.ts'
import { createTags } from './tags.ts'

/** The version of the service. */
const version = '0.1.0'

/** Serialized once per settings: the document is long, and callers may change their parsed copy. */
export function createOpenApi(
  routes: () => readonly Route[],
  profile: Profile,
): (app: AppContext, settings: Settings) => Promise<RawJson> {
  const texts = new WeakMap<Settings, RawJson>()
  return async (app, settings) => {
    const known = texts.get(settings)
    if (known) return known
    const documentation = await profile.documentation?.()
    const text = new RawJson(toJson(openApiOf(app, settings, { routes: routes(), profile, documentation })))
    texts.set(settings, text)
    return text
  }
}

interface Described {
  readonly routes: readonly Route[]
  readonly profile: Profile
  readonly documentation: Documentation | undefined
}

function openApiOf(
  app: AppContext,
  settings: Settings,
  { routes, profile, documentation }: Described,
): OpenApiDocument {
  const { names } = app
  const isListed = ({ endpoint }: RoutedEndpoint) => !endpoint.unlisted && isOffered(endpoint, app)
  const listed = routes.flatMap(({ endpoints }) => endpoints.filter(isListed))
  const shared = createSharedSchemas(listed, names)
  const findExample = createExamples(documentation?.examples ?? {}, names)
  const { tags, tagGroups } = createTags(
    [...new Set(listed.map(({ feature }) => feature))],
    documentation?.groups,
    names,
  )
  return {
    openapi: '3.1.0',
    info: {
      ...{ title: settings.name || settings.url || 'Site API', version, description: introduction(app) },
      ...(names.isEmpty ? { 'x-profile': profile.name } : {}),
    },
    servers: [{ url: settings.apiRoot || '/' }],
    tags,
    'x-tagGroups': tagGroups,
    paths: pathsOf(
      routes.map((route) => ({ ...route, endpoints: route.endpoints.filter(isListed) })),
      { app, shared, findExample },
    ),
    components: {
      schemas: shared.schemas,
      parameters: sharedParameters,
      headers: sharedHeadersOf(app),
      responses: errorResponses(names.toPublic),
      securitySchemes: {
        [scheme]: {
          type: 'http',
          scheme: 'basic',
          description: 'The login or e-mail address and an application password of a user.',
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
    for (const routed of endpoints) {
      const { path, item } = paths.get(shape) ?? { path: pattern.readable, item: {} }
      paths.set(shape, { path, item })
      for (const method of routed.endpoint.methods)
        item[httpMethod(method)] ??= operationOf(routed, method, path, parts)
    }
  }
  return Object.fromEntries([...paths.values()].map(({ path, item }): [string, PathItem] => [path, item]))
}
