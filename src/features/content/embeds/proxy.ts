/**
 * Embed data of other sites, for those who write: asked of a known provider, or of where the page itself says. Every
 * failure is the same answer, so that nobody can learn here what is reachable from this machine.
 */

import type { AppContext } from '../../../core/declare/app-context.ts'
import type { Context } from '../../../core/declare/context.ts'
import { createLru, type Lru } from '../../../core/runtime/lru.ts'
import { type HttpResponse, httpClientOf, type RequestOptions } from '../../../services/http-client/index.ts'
import { knownEndpoint } from '../../../services/oembed-providers.ts'
import { discoveredEndpoint } from './discovery.ts'
import { providerView } from './provider-view.ts'
import { type EmbedFields, fromXml } from './xml.ts'

export interface EmbedOptions {
  readonly maxwidth: number
  readonly maxheight?: number
  readonly discover: boolean
}

interface CachedEmbed {
  readonly until: number
  readonly fields: EmbedFields | undefined
}

/** What a site has asked: answers, and questions that are still on their way. */
interface EmbedCache {
  readonly kept: Lru<CachedEmbed>
  readonly pending: Map<string, Promise<EmbedFields | undefined>>
}

/**
 * Choice: kept in the memory of the process, not in storage. A read then never writes, and what others send goes into no
 * export. Each process asks a provider again after a day, and sooner when nothing was found.
 */
const embedCaches = new WeakMap<AppContext, EmbedCache>()
const maxCachedCharacters = 4 * 1024 * 1024
const dayMs = 24 * 60 * 60 * 1000
const minuteMs = 60 * 1000

function embedCacheOf(app: AppContext): EmbedCache {
  const memory = embedCaches.get(app) ?? { kept: createLru<CachedEmbed>(maxCachedCharacters), pending: new Map() }
  embedCaches.set(app, memory)
  return memory
}

/** Undefined when there is nothing to embed. Asked twice at once, it asks the provider once. */
export async function proxiedEmbed(url: URL, asked: EmbedOptions, { app }: Pick<Context, 'app'>) {
  const { kept, pending } = embedCacheOf(app)
  const key = JSON.stringify([url.href, asked.maxwidth, asked.maxheight, asked.discover])
  const known = kept.get(key)
  if (known && known.until > app.clock()) return known.fields
  const answer = pending.get(key) ?? fetchEmbed(url, asked, app).finally(() => pending.delete(key))
  pending.set(key, answer)
  const fields = await answer
  const until = app.clock() + (fields ? dayMs : minuteMs)
  kept.set(key, { until, fields }, key.length + JSON.stringify(fields ?? '').length)
  return fields
}

async function fetchEmbed(url: URL, asked: EmbedOptions, app: AppContext): Promise<EmbedFields | undefined> {
  const listed = knownEndpoint(url)
  const endpoint = listed === undefined ? await discover(url, asked, app) : providerAddress(listed, url)
  if (endpoint === undefined) return undefined
  endpoint.searchParams.set('maxwidth', String(asked.maxwidth))
  if (asked.maxheight !== undefined) endpoint.searchParams.set('maxheight', String(asked.maxheight))
  const answer = await fetchOk(app, endpoint, { accept: 'application/json, text/xml;q=0.9' })
  const members = answer && membersOf(answer)
  return members && providerView(members, { url, endpoint, isListed: listed !== undefined })
}

function providerAddress(endpoint: string, url: URL): URL {
  const address = new URL(endpoint.replace('{format}', 'json'))
  address.searchParams.set('url', url.href)
  address.searchParams.set('format', 'json')
  return address
}

/** Enough for the head of a page. */
const pageBytes = 256 * 1024

async function discover(url: URL, asked: EmbedOptions, app: AppContext): Promise<URL | undefined> {
  if (!asked.discover) return undefined
  const page = await fetchOk(app, url, { accept: 'text/html', maxBytes: pageBytes, overflow: 'cut' })
  if (!page || !/html/i.test(page.contentType)) return undefined
  const endpoint = discoveredEndpoint(new TextDecoder().decode(page.body), page.url)
  return endpoint === undefined ? undefined : new URL(endpoint)
}

/** Undefined for whatever went wrong: refused, too slow, too large, not there. */
async function fetchOk(app: AppContext, url: URL, options: RequestOptions): Promise<HttpResponse | undefined> {
  const answer = await httpClientOf(app)
    .get(url.href, options)
    .catch(() => undefined)
  return answer?.status === 200 ? answer : undefined
}

/** The members of the answer, JSON or XML; nothing else of it is trusted to have any form. */
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
