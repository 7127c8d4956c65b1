/** The docs page and the OpenAPI document. Both are the same for all users and change only with the settings of the site. */

import type { AppContext } from '../../core/declare/app-context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { type Feature, feature } from '../../core/declare/feature.ts'
import { anyone } from '../../core/declare/permissions.ts'
import { type Result, result, type Stream } from '../../core/declare/result.ts'
import type { OpenApiDocument } from '../../core/describe/openapi/document.ts'
import { sha256Of } from '../../core/runtime/crypto.ts'
import type { RawJson } from '../../core/runtime/json.ts'
import type { Settings } from '../../site/settings.ts'
import { htmlPage } from '../html.ts'
import { docsScript } from './script.ts'
import { docsStyle } from './style.ts'
import { docsBody } from './view.ts'

type OpenApi = (app: AppContext, settings: Settings) => RawJson

/** A result that is cached for the settings, and the state of its etag. */
interface CachedResult {
  readonly result: Result
  readonly state: string
}

export function docs(openApi: OpenApi): Feature {
  const documentOf = cachedBySettings((app, settings) => {
    const text = openApi(app, settings)
    return { result: result(text, { headers: { 'Cache-Control': 'private, no-cache' } }), state: stateOf(text.text) }
  })
  const pageOf = cachedBySettings((app, settings) => {
    // The cast: the text is such a document.
    const document = openApi(app, settings).toJSON() as OpenApiDocument
    const page = htmlPage({
      title: document.info.title,
      style: docsStyle,
      script: docsScript,
      body: docsBody(document),
      headers: { 'Cache-Control': 'private, no-cache' },
    })
    // The cast: `htmlPage` returns a stream.
    return { result: page, state: stateOf(String((page.data as Stream).body)) }
  })

  const cachedEndpoint = (path: string, summary: string, cached: typeof pageOf) =>
    endpoint({
      path,
      methods: ['GET'],
      args: {},
      summary,
      unlisted: true,
      permission: anyone,
      etag: ({ app, settings }) => ({ state: cached(app, settings).state, view: 'docs' }),
      handler: ({ app, settings }) => cached(app, settings).result,
    })
  return feature('docs', '', [
    cachedEndpoint('/openapi.json', 'Describe the service as an OpenAPI document', documentOf),
    cachedEndpoint('/docs', 'Read and try all routes, on a page', pageOf),
  ])
}

const stateOf = (text: string): string => sha256Of(text).slice(0, 32)

function cachedBySettings(
  create: (app: AppContext, settings: Settings) => CachedResult,
): (app: AppContext, settings: Settings) => CachedResult {
  const cache = new WeakMap<Settings, CachedResult>()
  return (app, settings) => {
    const cached = cache.get(settings) ?? create(app, settings)
    cache.set(settings, cached)
    return cached
  }
}
