/** Clients that know only the address of a site find the api from its front page. */
import { expect } from 'vitest'
import { wordpress } from '../../../src/names/wordpress.ts'
import type { HostSetup } from '../hosts/host.ts'
import { siteUrl } from '../sites.ts'
import { asJson, ask, type Behaviour } from './behaviour.ts'

const besideHost: Partial<HostSetup> = { fallThrough: true, front: '/' }

export const discovery: readonly Behaviour[] = [
  {
    name: "the front page of the host has the Link to the api, and the host's other pages do not",
    needs: ['front', 'fallThrough'],
    setup: besideHost,
    run: async (host) => {
      for (const target of ['/', '/?a=rest_route', '/?my_rest_route=/echo/v1/thing']) {
        const front = await ask(host, target)
        expect(front).toMatchObject({ status: 200, body: 'the host' })
        expect(front.headers.get('link')).toBe(`<${siteUrl}/api/>; rel="service-desc"`)
      }
      expect((await ask(host, '/', { method: 'HEAD' })).headers.get('link')).toContain(`<${siteUrl}/api/>`)
      const other = await ask(host, '/elsewhere?rest_route=/echo/v1/thing')
      expect(other.body).toBe('the host')
      expect(other.headers.get('link')).toBeNull()
    },
  },
  {
    name: 'rest_route at the front page is answered by the api',
    needs: ['front', 'fallThrough'],
    setup: besideHost,
    run: async (host) => {
      const at = (route: string) => `/?rest_route=${route}`
      expect((await ask(host, `${at('/echo/v1/thing')}&text=a`)).body).toEqual({ text: 'a' })
      expect((await ask(host, at('/echo/v1/thing'), asJson({ text: 'b' }))).body).toEqual({ text: 'b' })
      expect((await ask(host, at('/echo/v1/thing'), { method: 'OPTIONS' })).headers.get('allow')).toContain('POST')
      expect((await ask(host, at('/'))).body).toMatchObject({ name: 'Quay Notes', namespaces: ['echo/v1'] })
      expect(await ask(host, at('/nowhere'))).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
      expect(await ask(host, '/?rest_route[]=/echo/v1/thing')).toMatchObject({ status: 400 })
    },
  },
  {
    name: 'without a front page of the host the index is shown there, in the names of the preset too',
    needs: ['front', 'allPaths'],
    setup: { site: 'd1', front: '/', options: { root: '/wp-json', names: wordpress } },
    run: async (host) => {
      for (const target of ['/', '/?rest_route=/']) {
        const { status, body, headers } = await ask(host, target)
        expect([status, body.name]).toEqual([200, 'Quay Notes'])
        expect(headers.get('link')).toBe(`<${siteUrl}/wp-json/>; rel="https://api.w.org/"`)
      }
      expect((await ask(host, '/?rest_route=/wp/v2/posts&per_page=1')).body).toHaveLength(1)
      expect((await ask(host, '/elsewhere')).status).toBe(404)
    },
  },
  {
    name: 'the front page may lie below a path, with and without a slash',
    needs: ['front', 'fallThrough'],
    setup: { fallThrough: true, front: '/blog/' },
    run: async (host) => {
      for (const target of ['/blog', '/blog/']) {
        expect((await ask(host, target)).headers.get('link')).toContain('rel="service-desc"')
        expect((await ask(host, `${target}?rest_route=/echo/v1/thing&text=a`)).body).toEqual({ text: 'a' })
      }
      for (const target of ['/', '/blogger', '/blog/tide']) {
        expect((await ask(host, target)).headers.get('link')).toBeNull()
      }
    },
  },
]
