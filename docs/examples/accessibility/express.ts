/** Remediates the pages that an Express application sends as a whole (`response.send`, `response.render`). */
import type { RequestHandler } from 'express'
import type { d2, SiteApi } from 'site-api'

export function remediated(api: SiteApi<typeof d2>, site: string): RequestHandler {
  return (request, response, next) => {
    const send = response.send.bind(response)
    response.send = (body: unknown) => {
      const isPage = typeof body === 'string' && (response.get('Content-Type') ?? 'text/html').includes('text/html')
      if (!isPage) return send(body)
      const url = new URL(request.originalUrl, site).href
      api.site.accessibility.remediate(url, body).then(send, next)
      return response
    }
    next()
  }
}
