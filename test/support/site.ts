/** Seeds a site behind `api.fetch`, on the storage of the current test project. */

import { createSiteApi, type SiteApi } from '../../src/host/create-site-api.ts'
import type { SiteServices } from '../../src/host/services.ts'
import type { SiteApiOptions } from '../../src/host/site-options.ts'
import { d1 } from '../../src/profiles/d1.ts'
import type { D2 } from '../../src/profiles/d2.ts'
import { createMedia } from '../../src/services/media.ts'
import { memoryMedia } from '../../src/services/media-driver.ts'
import type { Parsed } from './parsed.ts'
import { now, passwordOf, smallSite } from './small-site.ts'
import { type OpenStorage, openStorage } from './storage.ts'

export const baseUrl = 'https://quay.example'

export interface TestSiteOptions extends Partial<Omit<SiteApiOptions, 'storage' | 'services'>> {
  /** Tests give the methods that are called. */
  readonly services?: { readonly [K in keyof SiteServices]?: Partial<SiteServices[K]> }
  /** A document in the site format; false: the storage stays empty. */
  readonly seed?: object | false
  /** Wraps the storage, e.g. to count calls. */
  readonly storage?: (opened: OpenStorage['storage']) => OpenStorage['storage']
}

export interface RequestInput {
  /** An object is sent as JSON, a text unchanged. */
  readonly body?: unknown
  readonly query?: string | { readonly [name: string]: string | number | boolean }
  readonly headers?: { readonly [name: string]: string }
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  /** Parsed if it is JSON; undefined if it is empty. */
  readonly body: Parsed
}

export type Requester = (method: string, path: string, input?: RequestInput) => Promise<Received>

export interface TestSite {
  /** A test of an extension of `api.site` opens a profile that has it. */
  readonly api: SiteApi & Pick<SiteApi<D2>, 'site'>
  /** Ids by key: `post.hello`, `user.editor`. Throws for an unknown key. */
  readonly ids: { readonly [reference: string]: number }
  /** Sends requests with the application password of a user of the small site; null: as a visitor. */
  as(login: string | null): Requester
  readonly visitor: Requester
  readonly clock: { now: number }
  /** The logged failures: empty at the end of most tests. */
  readonly failures: unknown[]
  dispose(): Promise<void>
}

export async function createTestSite(options: TestSiteOptions = {}): Promise<TestSite> {
  const opened = await openStorage()
  try {
    return await createSiteOn(opened, options)
  } catch (error) {
    await opened.dispose()
    throw error
  }
}

async function createSiteOn(opened: OpenStorage, options: TestSiteOptions): Promise<TestSite> {
  const { seed = smallSite, storage: wrap = (storage) => storage, ...apiOptions } = options
  const clock = { now }
  const failures: unknown[] = []
  const api = createSiteApi({
    profile: d1,
    url: baseUrl,
    clock: () => clock.now,
    checkResponses: true,
    // The default makes each sign-in with a password take 50 ms; test/management judges it.
    passwordCost: 10,
    log: { error: (message, detail) => void failures.push({ message, ...detail }) },
    ...apiOptions,
    // Media in memory: no test writes files into its working directory. The casts: see the types of both.
    services: { media: createMedia({ driver: memoryMedia() }), ...apiOptions.services } as Partial<SiteServices>,
    storage: wrap(opened.storage),
  }) as TestSite['api']
  const ids = seed === false ? {} : await api.site.seed(seed)
  const as = (login: string | null) => createRequester(api, login === null ? {} : { authorization: basic(login) })
  const dispose = async () => {
    await api.close()
    await opened.dispose()
  }
  return { api, ids: strictIds(ids), as, visitor: as(null), clock, failures, dispose }
}

export const basic = (login: string, password = passwordOf(login)): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`

/** An unknown key would become the text `undefined` in a path. */
function strictIds(ids: { readonly [reference: string]: number }): { readonly [reference: string]: number } {
  return new Proxy(ids, {
    get(target, name) {
      if (typeof name !== 'string' || name === 'then' || Object.hasOwn(target, name)) return Reflect.get(target, name)
      throw new Error(`the site has no ${name}`)
    },
  })
}

const createRequester =
  (api: SiteApi, signedIn: { readonly [name: string]: string }): Requester =>
  async (method, path, { body, query, headers } = {}) => {
    const isText = typeof body === 'string'
    const response = await api.fetch(
      new Request(`${baseUrl}${api.root}${path}${queryText(query)}`, {
        method,
        headers: {
          ...signedIn,
          ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      }),
    )
    return { status: response.status, headers: response.headers, body: await bodyOf(response) }
  }

function queryText(query: RequestInput['query']): string {
  if (query === undefined || query === '') return ''
  if (typeof query === 'string') return `?${query}`
  return `?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  return /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
}

/** The logged failures as texts, for assertion messages. */
export const failuresOf = ({ failures }: TestSite): string[] =>
  // The cast: each failure is logged with its error.
  (failures as readonly { readonly error: unknown }[]).map(({ error }) => String(error))
