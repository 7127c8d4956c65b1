/** Remediates the pages of a fetch handler: route handlers of Next.js, Bun or Hono. */
import type { d2, SiteApi } from 'site-api'

type Handler = (request: Request) => Promise<Response>

export function remediating(handler: Handler, api: SiteApi<typeof d2>): Handler {
  return async (request) => {
    const response = await handler(request)
    if (!response.headers.get('content-type')?.includes('text/html')) return response
    const html = await api.site.accessibility.remediate(request.url, await response.text())
    const headers = new Headers(response.headers)
    // They describe the page before its changes.
    for (const name of ['content-length', 'etag']) headers.delete(name)
    return new Response(html, { status: response.status, headers })
  }
}
