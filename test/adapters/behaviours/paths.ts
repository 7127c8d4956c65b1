/** Paths below the mount in every form in which hosts pass them; links never depend on the request. */
import { expect } from 'vitest'
import type { RunningHost } from '../hosts/host.ts'
import { siteUrl } from '../sites.ts'
import { asJson, ask, type Behaviour, getText, sendTo } from './behaviour.ts'

const mountedAt = (root: string, { url, outer }: { url?: string; outer?: string } = {}): Behaviour => ({
  name: `links are right below ${root || '/'}${outer ? ` inside ${outer}` : ''}, ${url ? 'with the url as an option' : 'with the stored url'}`,
  needs: outer ? ['outer', 'roots'] : root === '/api' ? [] : ['roots'],
  setup: { site: 'd1', options: url === undefined ? { root } : { root, url }, ...(outer ? { outer } : {}) },
  run: async (host) => {
    const base = `${url ?? siteUrl}${root}`
    const at = `${outer ?? ''}${root}`
    const index = await ask(host, `${at}/`)
    expect(index.body.url).toBe(url ?? siteUrl)
    expect(index.headers.get('link')).toContain(`<${base}/>`)
    const list = await ask(host, `${at}/cms/v2/posts?per_page=2&page=2`)
    expect(list.body[0]._links.self[0].href).toBe(`${base}/cms/v2/posts/${list.body[0].id}`)
    expect(list.headers.get('link')).toContain(`<${base}/cms/v2/posts?per_page=2&page=3>; rel="next"`)
  },
})

const isIndex = async (host: RunningHost, target: string) => {
  expect(await ask(host, target)).toMatchObject({ status: 200, body: { name: 'Quay Notes' } })
}

export const paths: readonly Behaviour[] = [
  {
    name: 'the bare mount and the mount with a slash give the index, with and without a query',
    run: async (host) => {
      for (const target of ['/api', '/api/', '/api?_fields=name', '/api/?_fields=name']) await isIndex(host, target)
    },
  },
  {
    name: 'a trailing slash is the same route without a redirect',
    run: async (host) => {
      expect(await ask(host, '/api/echo/v1/thing/?text=a', { redirect: 'manual' })).toMatchObject({
        status: 200,
        body: { text: 'a' },
      })
    },
  },
  {
    name: 'an absolute request target is accepted',
    needs: ['socket'],
    run: async (host) => {
      const answer = await sendTo(host, getText('http://elsewhere.example/api/?_fields=url'))
      expect(answer).toMatchObject({ status: 200, body: `{"url":"${siteUrl}"}` })
    },
  },
  {
    name: 'a fragment is cut off',
    needs: ['socket'],
    run: async (host) => {
      expect(await sendTo(host, getText('/api/?_fields=url#part'))).toMatchObject({ status: 200 })
    },
  },
  {
    name: 'the mount is cut at a segment border only',
    run: async (host) => {
      for (const target of ['/apiary', '/apiary/echo/v1/thing', '/x/api/echo/v1/thing', '/']) {
        expect((await ask(host, target)).status).toBe(404)
      }
    },
  },
  {
    name: 'a path outside of the mount is 404 with the common error body',
    needs: ['allPaths'],
    run: async (host) => {
      const answer = await ask(host, '/elsewhere')
      expect(answer).toMatchObject({ status: 404, body: { code: 'rest_no_route', data: { status: 404 } } })
    },
  },
  {
    name: 'an unknown path below the mount is 404 with the common error body for any method',
    run: async (host) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await ask(host, '/api/nowhere', { method })
        expect(answer).toMatchObject({ status: 404, body: { code: 'rest_no_route', data: { status: 404 } } })
      }
    },
  },
  {
    name: 'bad escapes get the common error body',
    run: async (host) => {
      const paths = ['/api/echo/v1/%zz', '/api/%E0%A4%A', '/api/%']
      for (const target of paths) {
        expect(await ask(host, target)).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
      }
      expect(await ask(host, '/api/?_fields=%zz')).toMatchObject({ status: 400, body: { code: 'rest_bad_escape' } })
      expect(await ask(host, '/api/echo/v1/path/%00')).toMatchObject({ status: 400, body: { code: 'rest_bad_escape' } })
    },
  },
  refusesRaw('OPTIONS * is answered in the form of our errors', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'),
  refusesRaw('an address without a path is answered in the form of our errors', getText('http://elsewhere.example')),
  {
    name: 'two leading slashes are not the mount',
    needs: ['socket'],
    run: async (host) => {
      expect((await sendTo(host, getText('//api/'))).status).toBe(404)
    },
  },
  {
    name: 'long and escaped values reach the handler, decoded once',
    run: async (host) => {
      const long = 'x'.repeat(2000)
      expect((await ask(host, `/api/echo/v1/path/${long}`)).body).toBe(long)
      expect((await ask(host, `/api/echo/v1/path/${'%C3%A9'.repeat(200)}`)).body).toBe('é'.repeat(200))
      expect((await ask(host, '/api/echo/v1/path/a%2520b')).body).toBe('a%20b')
      expect((await ask(host, `/api/echo/v1/path/${'x'.repeat(3000)}`)).status).toBe(404)
    },
  },
  {
    name: 'the case of the mount counts',
    run: async (host) => {
      expect((await ask(host, '/API/echo/v1/thing')).status).toBe(404)
      expect((await ask(host, '/api/echo/v1/Thing?text=a')).body).toEqual({ text: 'a' })
      expect((await ask(host, '/api/ECHO/v1/thing?text=a')).status).toBe(404)
    },
  },
  {
    name: 'Host and X-Forwarded headers are ignored, malformed ones included',
    needs: ['socket'],
    run: async (host) => {
      for (const name of ['evil.example', '[::::', 'a b', '%zz', 'x:99999', '']) {
        const answer = await sendTo(
          host,
          `GET /api/ HTTP/1.1\r\nHost: ${name}\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: gopher\r\nForwarded: host=evil.example\r\n\r\n`,
        )
        expect(answer.status).toBe(200)
        expect(JSON.parse(answer.body)).toMatchObject({ url: siteUrl })
        expect(JSON.stringify(answer)).not.toContain('evil')
      }
    },
  },
  mountedAt('/api'),
  mountedAt('/api', { url: 'https://other.example' }),
  mountedAt(''),
  mountedAt('', { url: 'https://other.example/blog' }),
  mountedAt('/a/b'),
  mountedAt('/a/b', { url: 'https://other.example' }),
  mountedAt('/api', { outer: '/outer' }),
  mountedAt('/api', { url: 'https://other.example/outer', outer: '/outer' }),
  {
    name: 'rest_route responds like the path',
    setup: { site: 'd1' },
    run: async (host) => {
      const asPath = await ask(host, '/api/cms/v2/posts?per_page=2&page=2')
      const others = [
        '/api?rest_route=/cms/v2/posts&per_page=2&page=2',
        '/api/?per_page=2&rest_route=%2Fcms%2Fv2%2Fposts&page=2',
        '/api/?rest_route=/cms/v2/posts?per_page=2&page=2',
        `/api/?rest_route=${encodeURIComponent('/cms/v2/posts?per_page=2')}&page=2`,
      ]
      for (const target of others) {
        const answer = await ask(host, target)
        expect(answer.body).toEqual(asPath.body)
        expect(answer.headers.get('link')).toBe(asPath.headers.get('link'))
        expect(answer.headers.get('x-cms-total')).toBe(asPath.headers.get('x-cms-total'))
      }
    },
  },
  {
    name: 'rest_route accepts every method and rejects what is not a path',
    run: async (host) => {
      const at = (route: string) => `/api/?rest_route=${route}`
      expect((await ask(host, at('/echo/v1/thing'), asJson({ text: 'ab' }))).body).toEqual({ text: 'ab' })
      expect((await ask(host, at('/echo/v1/thing'), asJson({ text: 'ab' }, 'DELETE'))).body).toEqual({ text: 'ab' })
      expect((await ask(host, at('/echo/v1/thing'), { method: 'OPTIONS' })).headers.get('allow')).toContain('DELETE')
      expect((await ask(host, at('echo/v1/thing'))).status).toBe(404)
      expect((await ask(host, at('%zz'))).status).toBe(400)
      expect((await ask(host, '/api/?rest_route[]=/echo/v1/thing')).status).toBe(400)
    },
  },
]

function refusesRaw(name: string, text: string): Behaviour {
  return {
    name,
    needs: ['socket', 'allPaths'],
    run: async (host) => {
      const answer = await sendTo(host, text)
      expect(answer.status).toBe(404)
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'rest_no_route' })
    },
  }
}
