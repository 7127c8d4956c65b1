/**
 * The docs page and the document that it is made of. Both are the same for all who ask, and change with the settings of the
 * site only.
 */

import type { Site } from '../../core/declare/app-context.ts'
import { endpoint, type Feature, feature } from '../../core/declare/endpoint.ts'
import { anyone } from '../../core/declare/permissions.ts'
import { type Answer, reply, type Stream } from '../../core/declare/result.ts'
import type { OpenApiDocument } from '../../core/describe/openapi/document.ts'
import { plainDigest } from '../../core/runtime/crypto.ts'
import type { RawJson } from '../../core/runtime/json.ts'
import type { Settings } from '../../site/settings.ts'
import { htmlPage } from '../html.ts'
import { docsScript } from './script.ts'
import { docsStyle } from './style.ts'
import { docsBody } from './view.ts'

type OpenApi = (site: Site, settings: Settings) => RawJson

/** An answer that is made once for the settings, and what tells it from others. */
interface Kept {
  readonly answer: Answer
  readonly state: string
}

export function docs(openApi: OpenApi): Feature {
  const documentOf = keptBySettings((site, settings) => {
    const text = openApi(site, settings)
    return { answer: reply(text, { headers: { 'Cache-Control': 'private, no-cache' } }), state: stateOf(text.text) }
  })
  const pageOf = keptBySettings((site, settings) => {
    // The cast: the text was made of such a document.
    const document = openApi(site, settings).toJSON() as OpenApiDocument
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
      tag: ({ site, settings }) => ({ state: kept(site, settings).state, view: 'docs' }),
      handler: ({ site, settings }) => kept(site, settings).answer,
    })
  return feature('docs', '', [
    made('/openapi.json', 'Describe the service as an OpenAPI document', documentOf),
    made('/docs', 'Read and try all routes, on a page', pageOf),
  ])
}

const stateOf = (text: string): string => plainDigest(text).slice(0, 32)

function keptBySettings(make: (site: Site, settings: Settings) => Kept): (site: Site, settings: Settings) => Kept {
  const made = new WeakMap<Settings, Kept>()
  return (site, settings) => {
    const kept = made.get(settings) ?? make(site, settings)
    made.set(settings, kept)
    return kept
  }
}
