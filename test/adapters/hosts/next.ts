/** The route handlers of `app/api/[[...path]]/route.ts`, called as Next calls them: with a Request and promised params. */
import { createNextHandlers } from '../../../adapters/next.ts'
import { createNamedSite, siteUrl } from '../sites.ts'
import type { Host } from './host.ts'

export const nextHost: Host = {
  name: 'next',
  cannot: {
    socket: 'the handlers are called, not served',
    headersBefore: 'Next adds headers to the Response that it was given',
    fallThrough: 'Next picks the route file before us',
    allPaths: 'Next answers what no route file matches',
    front: 'the configuration of Next has it: nextDiscovery',
    outer: 'the folder of the route file says where it is',
    roots: 'the folder of the route file says where it is',
  },
  async start({ site, options }) {
    const { api } = await createNamedSite(site, options)
    const handlers = createNextHandlers(api)
    return {
      async fetch(target, init) {
        const request = new Request(siteUrl + target, init)
        const { pathname } = new URL(request.url)
        if (pathname !== '/api' && !pathname.startsWith('/api/')) return new Response('not here', { status: 404 })
        const segments = pathname.split('/').slice(2).filter(Boolean)
        const params = Promise.resolve(segments.length === 0 ? {} : { path: segments })
        const handler = Object.entries(handlers).find(([method]) => method === request.method)?.[1]
        return handler ? handler(request, { params }) : new Response(null, { status: 405 })
      },
      close: () => api.close(),
    }
  },
}
