/** Methods: what each host does with those that it does not care for. */
import { expect } from 'vitest'
import { asJson, ask, type Behaviour, sendTo } from './behaviour.ts'

const thing = '/api/echo/v1/thing'

export const methods: readonly Behaviour[] = [
  {
    name: 'each method reaches its endpoint',
    run: async (host) => {
      for (const method of ['POST', 'PUT', 'PATCH']) {
        expect((await ask(host, '/api/echo/v1/method', { method })).body).toBe(method)
      }
      expect((await ask(host, '/api/echo/v1/method')).body).toBe('GET')
      expect((await ask(host, thing, { method: 'DELETE' })).status).toBe(200)
    },
  },
  {
    name: 'a POST can override its method',
    run: async (host) => {
      const init = asJson({ text: 'gone' })
      const headers = { ...init.headers, 'x-http-method-override': 'DELETE' }
      expect((await ask(host, thing, { ...init, headers })).body).toEqual({ text: 'gone' })
      expect((await ask(host, `${thing}?_method=PATCH`, asJson({ number: 3 }))).body).toEqual({ number: 3 })
    },
  },
  {
    name: 'a method that a path does not serve is 404 with the common error body',
    run: async (host) => {
      const answer = await ask(host, '/api/echo/v1/cookies', { method: 'DELETE' })
      expect(answer).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
    },
  },
  {
    name: 'unknown methods are 404 with the common error body',
    needs: ['socket', 'allMethods'],
    run: async (host) => {
      for (const method of ['TRACE', 'PROPFIND', 'PURGE', 'QUERY']) {
        const answer = await sendTo(host, `${method} ${thing} HTTP/1.1\r\nHost: x\r\n\r\n`)
        expect(answer.status).toBe(404)
        expect(JSON.parse(answer.body)).toMatchObject({ code: 'rest_no_route' })
      }
    },
  },
  {
    name: 'OPTIONS describes the route and runs nothing',
    run: async (host) => {
      const answer = await ask(host, thing, { method: 'OPTIONS' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('allow')).toBe('GET, POST, PUT, PATCH, DELETE')
      expect(answer.body.methods).toContain('DELETE')
      const [first] = (await ask(host, '/api/echo/v1/fails', { method: 'OPTIONS' })).body.endpoints
      expect(first.methods).toEqual(['GET'])
    },
  },
  {
    name: 'a preflight is answered, or left to the host by option',
    run: async (host) => {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
      const answer = await ask(host, thing, { method: 'OPTIONS', headers })
      expect(answer.headers.get('access-control-allow-methods')).toContain('PUT')
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    },
  },
  {
    name: 'no CORS header is sent with cors: false',
    setup: { options: { cors: false } },
    run: async (host) => {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
      for (const method of ['OPTIONS', 'GET']) {
        const answer = await ask(host, thing, { method, headers })
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      }
    },
  },
]
