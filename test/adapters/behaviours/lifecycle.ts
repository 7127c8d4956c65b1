/** Tests requests from the first byte to the last: streams, clients that disconnect, failures, and paths of the host. */
import { expect } from 'vitest'
import type { Seen } from '../echo.ts'
import type { RunningHost } from '../hosts/host.ts'
import { asJson, ask, type Behaviour, connectTo, getText, postText, until } from './behaviour.ts'

const seenIn = async (host: RunningHost): Promise<Seen> => (await ask(host, '/api/echo/v1/seen')).body

export const lifecycle: readonly Behaviour[] = [
  {
    name: 'an asynchronous response is sent',
    run: async (host) => {
      expect((await ask(host, '/api/echo/v1/later')).body).toBe('later')
    },
  },
  {
    name: 'a stream arrives complete',
    run: async (host) => {
      const answer = await ask(host, '/api/echo/v1/short-stream')
      expect(answer.body).toBe('one,two')
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=UTF-8')
    },
  },
  {
    name: 'a stream waits for a slow client and stops with it',
    needs: ['socket'],
    alone: true,
    run: async (host) => {
      const connection = connectTo(host)
      connection.socket.pause()
      connection.write(getText('/api/echo/v1/stream'))
      // Blocked: twenty requests later nothing more was taken from the stream.
      let [chunks, same] = [0, 0]
      await until(
        () => seenIn(host),
        (seen) => {
          same = seen.chunks > 0 && seen.chunks === chunks ? same + 1 : 0
          chunks = seen.chunks
          return same === 20
        },
      )
      connection.end()
      await until(
        () => seenIn(host),
        ({ isCancelled }) => isCancelled,
      )
    },
  },
  {
    name: 'HEAD cancels a stream and sends no body',
    alone: true,
    run: async (host) => {
      expect(await ask(host, '/api/echo/v1/stream', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
      await until(
        () => seenIn(host),
        ({ isCancelled }) => isCancelled,
      )
    },
  },
  {
    name: 'the signal aborts when the client disconnects',
    needs: ['socket'],
    alone: true,
    run: async (host) => {
      for (const [at, text] of [
        getText('/api/echo/v1/watched?wait=true'),
        postText('/api/echo/v1/watched?wait=true', '{"a":1}'),
      ].entries()) {
        const connection = connectTo(host)
        connection.write(text)
        await until(
          () => seenIn(host),
          ({ watched }) => watched === at + 1,
        )
        connection.end()
        await until(
          () => seenIn(host),
          ({ aborted }) => aborted === at + 1,
        )
      }
      expect((await seenIn(host)).failures).toEqual([])
    },
  },
  {
    name: 'the signal does not abort after a complete response',
    alone: true,
    run: async (host) => {
      expect((await ask(host, '/api/echo/v1/watched')).body).toBe('watched')
      expect((await ask(host, '/api/echo/v1/watched', asJson({ a: 1 }))).body).toBe('watched')
      for (let turn = 0; turn < 10; turn++) expect(await seenIn(host)).toMatchObject({ watched: 2, aborted: 0 })
    },
  },
  {
    name: 'a failure is sent once and logged once, without its detail in the response',
    alone: true,
    run: async (host) => {
      const answer = await ask(host, '/api/echo/v1/fails')
      expect(answer.status).toBe(500)
      expect(answer.body).toEqual({
        code: 'internal_server_error',
        message: expect.any(String),
        data: { status: 500, id: expect.any(String) },
      })
      expect((await seenIn(host)).failures).toEqual(['a request failed: Error: a secret detail'])
    },
  },
  {
    name: 'requests outside of the api fall through to the host',
    needs: ['fallThrough'],
    setup: { fallThrough: true },
    run: async (host) => {
      for (const target of ['/', '/shop', '/apiary', '/api/shop', '/api/echo/v2/thing']) {
        expect(await ask(host, target)).toMatchObject({ status: 200, body: 'the host' })
      }
      expect(await ask(host, '/api/shop', asJson({ a: 1 }))).toMatchObject({ status: 200, body: 'the host' })
      for (const target of ['/api', '/api/', '/api/echo/v1/thing', '/api/ECHO/V1/thing', '/api?rest_route=/echo/v1']) {
        expect((await ask(host, target)).body).not.toBe('the host')
      }
      expect(await ask(host, '/api/echo/v1/nowhere')).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
    },
  },
  {
    name: 'concurrent requests get their own responses',
    run: async (host) => {
      const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`)
      const answers = await Promise.all(texts.map((text) => ask(host, '/api/echo/v1/thing', asJson({ text }))))
      expect(answers.map(({ body }) => body.text)).toEqual(texts)
    },
  },
]
