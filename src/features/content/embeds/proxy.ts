/**
 * Embed data of other sites, from a known provider or from the endpoint that a page links to. Every failure gives the
 * same response, so that no caller learns which hosts this machine can reach.
 */

import { Parser } from 'htmlparser2'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { Context } from '../../../core/declare/context.ts'
import { createLru, type Lru } from '../../../core/runtime/lru.ts'
import { type HttpResponse, httpClientOf, type RequestOptions } from '../../../services/http-client/index.ts'
import { knownEndpoint } from '../../../services/oembed-providers.ts'
import { providerView } from './provider-view.ts'
import { type EmbedFields, fromXml } from './xml.ts'

/** The types of links to an oEmbed endpoint. */
const types: readonly string[] = ['application/json+oembed', 'text/xml+oembed', 'application/xml+oembed']

/**
 * Finds the oEmbed endpoint that a page links to. Reads only the links in the head: the body may hold text of visitors. JSON is preferred
 * to XML.
 */
function discoveredEndpoint(html: string, pageUrl: string): string | undefined {
  const hrefByType = new Map<string, string>()
  let isHead = true
  const parser = new Parser({
    onopentag: (name, { rel = '', type = '', href = '' }) => {
      if (name === 'body') isHead = false
      if (!isHead || name !== 'link' || !rel.toLowerCase().split(/\s+/).includes('alternate')) return
      const linkType = type.trim().toLowerCase()
      if (types.includes(linkType) && !hrefByType.has(linkType) && URL.canParse(href, pageUrl)) {
        hrefByType.set(linkType, new URL(href, pageUrl).href)
      }
    },
    onclosetag: (name) => {
      if (name === 'head') isHead = false
    },
  })
  parser.end(html)
  return types.map((type) => hrefByType.get(type)).find((href) => href !== undefined)
}

interface EmbedOptions {
  readonly maxwidth: number
  readonly maxheight?: number
  readonly discover: boolean
}

interface CachedEmbed {
  readonly until: number
  readonly fields: EmbedFields | undefined
}

interface EmbedCache {
  readonly responses: Lru<CachedEmbed>
  readonly pending: Map<string, Promise<EmbedFields | undefined>>
}

/**
 * Choice: embed data of other sites is cached in the memory of the process, not in storage. A read then never writes,
 * and no export contains it. Each process repeats the request after a day, or after a minute if there was nothing to
 * embed.
 */
const embedCaches = new WeakMap<AppContext, EmbedCache>()
const maxCachedCharacters = 4 * 1024 * 1024
const dayMs = 24 * 60 * 60 * 1000
const minuteMs = 60 * 1000

function embedCacheOf(app: AppContext): EmbedCache {
  const cache = embedCaches.get(app) ?? { responses: createLru<CachedEmbed>(maxCachedCharacters), pending: new Map() }
  embedCaches.set(app, cache)
  return cache
}

/** Undefined when there is nothing to embed. Parallel calls for one URL share one request. */
export async function proxiedEmbed(url: URL, options: EmbedOptions, { app }: Pick<Context, 'app'>) {
  const { responses, pending } = embedCacheOf(app)
  const key = JSON.stringify([url.href, options.maxwidth, options.maxheight, options.discover])
  const cached = responses.get(key)
  if (cached && cached.until > app.clock()) return cached.fields
  const response = pending.get(key) ?? fetchEmbed(url, options, app).finally(() => pending.delete(key))
  pending.set(key, response)
  const fields = await response
  const until = app.clock() + (fields ? dayMs : minuteMs)
  responses.set(key, { until, fields }, key.length + JSON.stringify(fields ?? '').length)
  return fields
}

async function fetchEmbed(url: URL, options: EmbedOptions, app: AppContext): Promise<EmbedFields | undefined> {
  const listed = knownEndpoint(url)
  const endpoint = listed === undefined ? await discover(url, options, app) : providerUrl(listed, url)
  if (endpoint === undefined) return undefined
  endpoint.searchParams.set('maxwidth', String(options.maxwidth))
  if (options.maxheight !== undefined) endpoint.searchParams.set('maxheight', String(options.maxheight))
  const response = await fetchOk(app, endpoint, { accept: 'application/json, text/xml;q=0.9' })
  const members = response && membersOf(response)
  return members && providerView(members, { url, endpoint, isListed: listed !== undefined })
}

function providerUrl(endpoint: string, url: URL): URL {
  const request = new URL(endpoint.replace('{format}', 'json'))
  request.searchParams.set('url', url.href)
  request.searchParams.set('format', 'json')
  return request
}

/** Enough for the head of a page. */
const pageBytes = 256 * 1024

async function discover(url: URL, options: EmbedOptions, app: AppContext): Promise<URL | undefined> {
  if (!options.discover) return undefined
  const page = await fetchOk(app, url, { accept: 'text/html', maxBytes: pageBytes, overflow: 'cut' })
  if (!page || !/html/i.test(page.contentType)) return undefined
  const endpoint = discoveredEndpoint(new TextDecoder().decode(page.body), page.url)
  return endpoint === undefined ? undefined : new URL(endpoint)
}

/** Undefined for every failure: a refused host, a timeout, a body that is too large, another status than 200. */
async function fetchOk(app: AppContext, url: URL, options: RequestOptions): Promise<HttpResponse | undefined> {
  const response = await httpClientOf(app)
    .get(url.href, options)
    .catch(() => undefined)
  return response?.status === 200 ? response : undefined
}

/** The members of a JSON or XML response, not checked yet; undefined for anything else. */
function membersOf({ contentType, body }: HttpResponse): ReadonlyMap<string, unknown> | undefined {
  const text = new TextDecoder().decode(body)
  if (/xml/i.test(contentType)) return fromXml(text)
  try {
    const parsed: unknown = JSON.parse(text)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? new Map(Object.entries(parsed)) : undefined
  } catch {
    return undefined
  }
}
