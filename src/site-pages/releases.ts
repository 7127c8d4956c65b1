/** Shows the pages of the site with a release to whoever has a token of it. A link brings the token, and a cookie keeps it. */
import { visitor } from '../core/declare/actor.ts'
import { isApiError } from '../core/declare/errors.ts'
import { notCached } from '../core/pipeline/response/row-cache.ts'
import { pagesSecret } from '../features/shared/access/preview-token.ts'
import type { PagesApi } from './api.ts'
import { createFetch, isForApi } from './handler.ts'
import type { PagesOptions } from './options.ts'
import { redirect, textResponse } from './response.ts'

type Fetch = (request: Request) => Promise<Response>

const cookieName = 'site_release'
const noStore = 'private, no-store'

export function withReleases(api: PagesApi, options: PagesOptions, plain: Fetch): Fetch {
  const { app } = api['~parts']
  const [access] = app.contributions('releases')
  if (!access) return plain
  return async (request) => {
    const url = new URL(request.url)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || isForApi(url.pathname, api)) return plain(request)
    const sent = url.searchParams.get('release')
    if (sent !== null) {
      url.searchParams.delete('release')
      const problem = sent === '' ? undefined : await problemOf(sent)
      return problem ? textResponse(`${problem}\n`, 403, { 'Cache-Control': noStore }) : kept(url, sent)
    }
    const token = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w.-]+)`).exec(request.headers.get('cookie') ?? '')?.[1]
    return token === undefined ? plain(request) : show(request, token)
  }

  async function storageOf(token: string) {
    const { storage, ready } = api['~parts']
    await ready()
    // Such a storage is not written to: the key of the pages is made before.
    await pagesSecret(storage)
    // An id is for editors, who read by the API.
    return access?.read({ name: `${token.includes('.') ? '' : '0.'}${token}`, user: visitor, app, storage })
  }

  async function problemOf(token: string): Promise<string | undefined> {
    try {
      await storageOf(token)
      return undefined
    } catch (error) {
      if (!isApiError(error)) throw error
      return error.message
    }
  }

  /** A token that has ended shows the site as it is. */
  async function show(request: Request, token: string): Promise<Response> {
    const storage = await storageOf(token).catch((error: unknown) => {
      if (!isApiError(error)) throw error
    })
    if (!storage) return plain(request)
    const settings = { ...(await app.settings.read(storage)), generation: notCached }
    const parts = { ...api['~parts'], storage, ready: () => {} }
    const response = await createFetch({ ...api, '~parts': parts }, options, { settings })(request)
    const headers = new Headers(response.headers)
    headers.set('Cache-Control', noStore)
    headers.set('X-Robots-Tag', 'noindex')
    const { status, statusText, body } = response
    return new Response(body, { status, statusText, headers })
  }
}

/** The address without the token, which no referrer shows then. An empty token ends the preview. */
function kept(url: URL, token: string): Response {
  const response = redirect(url.pathname + url.search, 303)
  const age = token === '' ? '; Max-Age=0' : ''
  const secure = url.protocol === 'https:' ? '; Secure' : ''
  response.headers.append('Set-Cookie', `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`)
  response.headers.set('Cache-Control', noStore)
  return response
}
