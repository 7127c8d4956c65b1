/** Remediates the pages that a Fastify application sends as texts. Streams pass as they are. */
import type { FastifyInstance } from 'fastify'
import type { d2, SiteApi } from 'site-api'

export function addRemediation(app: FastifyInstance, api: SiteApi<typeof d2>, site: string): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isPage = typeof payload === 'string' && String(reply.getHeader('content-type')).includes('text/html')
    return isPage ? api.site.accessibility.remediate(new URL(request.url, site).href, payload) : payload
  })
}
