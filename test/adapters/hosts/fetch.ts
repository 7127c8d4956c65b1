/** `api.fetch` itself: what every other host must equal. */
import { createNamedSite, siteUrl } from '../sites.ts'
import type { Host } from './host.ts'

export const fetchHost: Host = {
  name: 'fetch',
  cannot: {
    socket: 'there is none',
    headersBefore: 'whoever calls fetch owns the Response',
    fallThrough: 'whoever calls fetch decides what to hand in',
    front: 'whoever calls fetch has the front page',
    outer: 'whoever calls fetch decides what to hand in',
  },
  async start({ site, options }) {
    const { api } = await createNamedSite(site, options)
    return {
      fetch: (target, init) => api.fetch(new Request(siteUrl + target, init)),
      close: () => api.close(),
    }
  },
}
