/** Headers, ours and those of the host; and answers that have nothing but headers. */
import { expect } from 'vitest'
import { basic } from '../../support/site.ts'
import { ask, type Behaviour, connectTo, getText, sendTo } from './behaviour.ts'

const cookies = '/api/echo/v1/cookies'

export const headers: readonly Behaviour[] = [
  {
    name: 'an answer that is kept is sent like the first one, whatever its letters and to whom',
    run: async (host) => {
      for (const text of ['plain', 'é ☃ 🚢']) {
        const target = `/api/echo/v1/kept?text=${encodeURIComponent(text)}`
        const answers = []
        for (const origin of [undefined, undefined, 'https://elsewhere.example', undefined]) {
          answers.push(await ask(host, target, origin === undefined ? {} : { headers: { origin } }))
        }
        for (const { status, headers, body } of answers) {
          expect([status, headers.get('x-value'), headers.get('content-type')]).toEqual([
            ...[200, 'kept', 'application/json; charset=UTF-8'],
          ])
          expect(body).toEqual({ text })
        }
        expect(answers.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual([
          null,
          null,
          '*',
          null,
        ])
        const head = await host.fetch(target, { method: 'HEAD' })
        expect([head.status, head.headers.get('x-value'), await head.text()]).toEqual([200, 'kept', ''])
      }
    },
  },
  {
    name: 'each Set-Cookie has its own line',
    run: async (host) => {
      expect((await ask(host, cookies)).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    },
  },
  {
    name: 'headers of the host survive, CORS above all',
    needs: ['headersBefore'],
    setup: {
      headersBefore: {
        'X-Host': 'here',
        Vary: 'Accept',
        'Set-Cookie': 'host=1',
        'Access-Control-Allow-Origin': 'https://app.example',
      },
    },
    run: async (host) => {
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await ask(host, cookies, { method, headers: { origin: 'https://other.example' } })
        expect(answer.headers.get('x-host')).toBe('here')
        expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
        const vary = answer.headers.get('vary')?.split(/, ?/)
        expect(vary).toEqual(expect.arrayContaining(['Accept', 'Origin', 'Authorization', 'Cookie']))
        expect(answer.headers.getSetCookie()).toEqual(method === 'GET' ? ['host=1', 'a=1', 'b=2'] : ['host=1'])
      }
      expect((await ask(host, '/api/echo/v1/fails')).headers.get('access-control-allow-origin')).toBe(
        'https://app.example',
      )
    },
  },
  {
    name: 'HEAD, 204 and 304 have no body, and the next response is complete',
    needs: ['socket'],
    run: async (host) => {
      const connection = connectTo(host)
      const head = getText(cookies).replace('GET', 'HEAD')
      for (const [text, status, options] of [
        [getText('/api/echo/v1/nothing'), 204, {}],
        [head, 200, { isHead: true }],
        [getText(cookies), 200, {}],
      ] as const) {
        connection.write(text)
        expect(await connection.answer(options)).toMatchObject({ status })
      }
      connection.end()
    },
  },
  {
    name: 'HEAD has the headers of the GET, with its length',
    run: async (host) => {
      for (const path of ['thing?text=%C3%A9', 'cookies', 'later', 'nowhere', 'header?value=a']) {
        const get = await host.fetch(`/api/echo/v1/${path}`)
        const head = await host.fetch(`/api/echo/v1/${path}`, { method: 'HEAD' })
        const length = String((await get.arrayBuffer()).byteLength)
        expect(await head.text()).toBe('')
        expect(head.headers.get('content-length')).toBe(length)
        expect(own(head)).toEqual(own(get))
        expect(head.status).toBe(get.status)
      }
    },
  },
  {
    name: 'an unchanged record is 304 without a body',
    setup: { site: 'd1' },
    run: async (host) => {
      const [{ id }] = (await ask(host, '/api/cms/v2/posts')).body
      const etag = (await ask(host, `/api/cms/v2/posts/${id}`)).headers.get('etag') ?? ''
      const again = await ask(host, `/api/cms/v2/posts/${id}`, { headers: { 'if-none-match': etag } })
      expect(again).toMatchObject({ status: 304, body: '' })
      expect(again.headers.get('etag')).toBe(etag)
    },
  },
  {
    name: 'text that is invalid in a header is encoded',
    run: async (host) => {
      const answer = await ask(host, `/api/echo/v1/header?value=${encodeURIComponent('日本\r\nX-Evil: 1')}`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-evil')).toBeNull()
      expect(answer.headers.get('x-value')).toMatch(/^[\x20-\x7e]+$/)
    },
  },
  {
    name: 'an invalid header fails one response, not the process',
    run: async (host) => {
      const broken = await ask(host, '/api/echo/v1/header?name=a%20b')
      expect(broken).toMatchObject({ status: 500, body: { code: 'internal_server_error', data: { status: 500 } } })
      expect(broken.body.data.id).toMatch(/^[\w-]{36}$/)
      expect((await ask(host, '/api/')).status).toBe(200)
    },
  },
  {
    name: 'two joined credentials are 401',
    setup: { site: 'd1' },
    run: async (host) => {
      const headers = new Headers({ authorization: basic('ada') })
      expect((await ask(host, '/api/', { headers })).status).toBe(200)
      headers.append('authorization', basic('edith'))
      expect((await ask(host, '/api/', { headers })).status).toBe(401)
    },
  },
  {
    name: 'two Authorization lines are 401',
    needs: ['socket'],
    setup: { site: 'd1' },
    run: async (host) => {
      const lines = [`Authorization: ${basic('ada')}`, `authorization: ${basic('edith')}`]
      expect((await sendTo(host, getText('/api/', lines.slice(1)))).status).toBe(200)
      expect((await sendTo(host, getText('/api/', lines))).status).toBe(401)
    },
  },
  {
    name: 'bytes are sent unchanged with their type',
    run: async (host) => {
      const response = await host.fetch('/api/echo/v1/bytes')
      expect(response.headers.get('content-type')).toBe('application/octet-stream')
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(Uint8Array.of(0, 255, 10))
    },
  },
  {
    name: 'a compressed page arrives as it was',
    needs: ['socket'],
    setup: { options: { docs: true } },
    run: async (host) => {
      const response = await host.fetch('/api/docs', { headers: { 'accept-encoding': 'br, gzip' } })
      expect(await response.text()).toMatch(/<!doctype html>/i)
    },
  },
]

/** The headers without those of the transport. */
const own = ({ headers }: Response) =>
  [...headers].filter(([name]) => !/^(?:content-length|date|connection|keep-alive|transfer-encoding)$/.test(name))
