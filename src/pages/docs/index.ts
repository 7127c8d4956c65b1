/**
 * The docs page and the document that it is made of. Both are the same for all who ask, and change with the settings of the
 * site only.
 */

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

/** An answer that is made once for the settings, and what tells it from others. */
interface Kept {
  readonly answer: Result
  readonly state: string
}

export function docs(openApi: OpenApi): Feature {
  const documentOf = keptBySettings((app, settings) => {
    const text = openApi(app, settings)
    return { answer: result(text, { headers: { 'Cache-Control': 'private, no-cache' } }), state: stateOf(text.text) }
  })
  const pageOf = keptBySettings((app, settings) => {
    // The cast: the text was made of such a document.
    const document = openApi(app, settings).toJSON() as OpenApiDocument
    const page = htmlPage({
      title: document.info.title,
      style: docsStyle,
      script: docsScript,
      body: docsBody(document),
      headers: { 'Cache-Control': 'private, no-cache' },
    })
    // The cast: pages are sent as they stand.
    return { answer: page, state: stateOf(String((page.data as Stream).body)) }
  })

  const made = (path: string, summary: string, kept: typeof pageOf) =>
    endpoint({
      path,
      methods: ['GET'],
      args: {},
      summary,
      unlisted: true,
      permission: anyone,
      etag: ({ app, settings }) => ({ state: kept(app, settings).state, view: 'docs' }),
      handler: ({ app, settings }) => kept(app, settings).answer,
    })
  return feature('docs', '', [
    made('/openapi.json', 'Describe the service as an OpenAPI document', documentOf),
    made('/docs', 'Read and try all routes, on a page', pageOf),
  ])
}

const stateOf = (text: string): string => sha256Of(text).slice(0, 32)

function keptBySettings(
  make: (app: AppContext, settings: Settings) => Kept,
): (app: AppContext, settings: Settings) => Kept {
  const made = new WeakMap<Settings, Kept>()
  return (app, settings) => {
    const kept = made.get(settings) ?? make(app, settings)
    made.set(settings, kept)
    return kept
  }
}
