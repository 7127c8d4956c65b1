/** The docs page and the OpenAPI document. Both are the same for all users and change only with the settings of the site. */

import type { AppContext } from '../../core/declare/app-context.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { type Feature, feature } from '../../core/declare/feature.ts'
import { anyone } from '../../core/declare/permissions.ts'
import { jsonType, type ResponseHeaders, type Result, result, Stream } from '../../core/declare/result.ts'
import type { OpenApiDocument } from '../../core/describe/openapi/document.ts'
import { sha256Of } from '../../core/runtime/crypto.ts'
import type { RawJson } from '../../core/runtime/json.ts'
import type { Settings } from '../../site/settings.ts'
import { type Coding, codingFor, compressed } from '../compression.ts'

type OpenApi = (app: AppContext, settings: Settings) => Promise<RawJson>

/** A response that is built once for the settings. */
interface Built {
  readonly plain: Result
  readonly text: string
  readonly contentType: string
}

export function docs(openApi: OpenApi): Feature {
  const described = cachedBySettings(async (app, settings) => {
    const document = await openApi(app, settings)
    return { plain: result(document, { headers: revalidated }), text: document.text, contentType: jsonType }
  })
  const shown = cachedBySettings(async (app, settings) => {
    // The page is long: loaded when it is first requested.
    const [document, { docsPage }] = await Promise.all([openApi(app, settings), import('./page.ts')])
    // The cast: the text is such a document.
    const page = docsPage(document.toJSON() as OpenApiDocument, revalidated)
    // The cast: a page is a stream with a text.
    const { body, contentType } = page.data as Stream
    return { plain: page, text: body as string, contentType }
  })
  return feature('docs', '', [
    endpoint({ path: '/openapi.json', summary: 'Describe the API as an OpenAPI document', ...answering(described) }),
    endpoint({ path: '/docs', summary: 'Read about all routes and try them, on a page', ...answering(shown) }),
  ])
}

/** Caches keep a compressed response apart from a plain one. */
const revalidated: ResponseHeaders = { 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding' }

interface Encoded {
  readonly plain: Result
  readonly state: string
  /** Compressed on first use of the coding. */
  readonly encoded: (coding: Coding) => Promise<Result>
}

type FindEncoded = (app: AppContext, settings: Settings) => Promise<Encoded>

const answering = (find: FindEncoded) => ({
  methods: ['GET'] as const,
  args: {},
  unlisted: true,
  permission: anyone,
  etag: async (context: Context<object, undefined>) => ({
    state: (await find(context.app, context.settings)).state,
    view: codingOf(context) ?? 'plain',
  }),
  handler: async (context: Context<object, undefined>) => {
    const encoded = await find(context.app, context.settings)
    const coding = codingOf(context)
    return coding ? encoded.encoded(coding) : encoded.plain
  },
})

/** Options in the query (`_fields`, `_envelope`) change the response, so it is not compressed then. */
const codingOf = ({ incoming }: Pick<Context, 'incoming'>): Coding | undefined =>
  incoming.query === '' && incoming.source === 'http' ? codingFor(incoming.header('accept-encoding')) : undefined

function cachedBySettings(build: (app: AppContext, settings: Settings) => Promise<Built>): FindEncoded {
  const cache = new WeakMap<Settings, Promise<Encoded>>()
  return (app, settings) => {
    const known = cache.get(settings)
    if (known) return known
    const encoded = build(app, settings).then(toEncoded)
    cache.set(settings, encoded)
    // A failure is not cached.
    encoded.catch(() => cache.delete(settings))
    return encoded
  }
}

function toEncoded({ plain, text, contentType }: Built): Encoded {
  const made = new Map<Coding, Promise<Result>>()
  const encode = async (coding: Coding) => {
    const headers = { ...plain.headers, 'Content-Encoding': coding }
    return result(new Stream(await compressed(text, coding), contentType), { headers })
  }
  return {
    plain,
    state: sha256Of(text).slice(0, 32),
    encoded: (coding) => {
      const promise = made.get(coding) ?? encode(coding)
      made.set(coding, promise)
      return promise
    },
  }
}
