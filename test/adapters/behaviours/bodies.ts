/** Bodies: read once, counted in bytes, and never waited for in vain. */
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import {
  asJson,
  ask,
  type Behaviour,
  chunkedText,
  connectTo,
  expectNextAnswer,
  getText,
  postText,
  sendTo,
} from './behaviour.ts'

const thing = '/api/echo/v1/thing'

export const bodies: readonly Behaviour[] = [
  {
    name: 'a JSON body is read',
    run: async (host) => {
      const answer = await ask(host, thing, asJson({ text: 'é', number: 3 }))
      expect(answer).toMatchObject({ status: 200, body: { text: 'é', number: 3 } })
    },
  },
  {
    name: 'a form body is read',
    run: async (host) => {
      const body = new URLSearchParams({ text: 'a b&c', number: '3' })
      expect((await ask(host, thing, { method: 'POST', body })).body).toEqual({ text: 'a b&c', number: 3 })
    },
  },
  {
    name: 'a body in several chunks is read',
    needs: ['socket'],
    run: async (host) => {
      const pieces = '5\r\n{"tex\r\n8\r\nt":"ab"}\r\n0\r\n\r\n'
      expect((await sendTo(host, postText(thing, pieces, ['Transfer-Encoding: chunked']))).body).toBe('{"text":"ab"}')
    },
  },
  {
    name: 'the body of a DELETE arrives',
    run: async (host) => {
      expect((await ask(host, thing, asJson({ text: 'gone' }, 'DELETE'))).body).toEqual({ text: 'gone' })
    },
  },
  {
    name: 'PUT and PATCH have bodies like POST',
    run: async (host) => {
      for (const method of ['PUT', 'PATCH']) {
        expect((await ask(host, thing, asJson({ text: method }, method))).body).toEqual({ text: method })
      }
    },
  },
  {
    name: 'a body without a type, of another type or an invalid type carries no arguments',
    needs: ['socket'],
    run: async (host) => {
      const typed = postText(thing, '{"text":"ab"}')
      const bodies = [
        typed.replace(/Content-Type.*\r\n/, ''),
        postText(thing, '{"text":"ab"}', ['Content-Type: text/plain']),
        postText(thing, '{"text":"ab"}', ['Content-Type: nonsense']),
        postText(thing, '{"text":"ab"}', ['Content-Type: application/x-own; x']),
      ]
      for (const text of bodies) expect(await sendTo(host, text)).toMatchObject({ status: 200, body: '{}' })
    },
  },
  {
    name: 'an empty body and an empty object count as no arguments',
    run: async (host) => {
      for (const body of ['', '{}'])
        expect(await ask(host, thing, asJson(body))).toMatchObject({ status: 200, body: {} })
      expect(await ask(host, thing, { method: 'POST' })).toMatchObject({ status: 200, body: {} })
    },
  },
  {
    name: 'malformed JSON is 400 with the common error body',
    needs: ['unreadBody'],
    run: async (host) => {
      const answer = await ask(host, thing, asJson('{"text":'))
      expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_json', data: { status: 400 } } })
    },
  },
  {
    name: 'reserved names in a body are 400',
    run: async (host) => {
      const answer = await ask(host, thing, asJson('{"text":"a","__proto__":{"text":"b"}}'))
      expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_key' } })
    },
  },
  {
    name: 'a compressed body is 415',
    needs: ['unreadBody'],
    run: async (host) => {
      const init = asJson('')
      const answer = await ask(host, thing, {
        ...init,
        headers: { ...init.headers, 'content-encoding': 'gzip' },
        body: gzipSync('{"text":"ab"}'),
      })
      expect(answer).toMatchObject({ status: 415, body: { code: 'rest_unsupported_encoding' } })
    },
  },
  {
    name: 'the limit counts bytes, not characters',
    run: async (host) => {
      const fits = JSON.stringify({ text: 'é'.repeat(494) })
      expect(Buffer.byteLength(fits)).toBe(999)
      expect((await ask(host, thing, asJson(fits))).status).toBe(200)
    },
  },
  {
    name: 'a body beyond the limit is 413',
    needs: ['unreadBody'],
    run: async (host) => {
      const answer = await ask(host, thing, asJson({ text: 'é'.repeat(500) }))
      expect(answer).toMatchObject({ status: 413, body: { code: 'rest_body_too_large', data: { status: 413 } } })
      expect((await ask(host, thing, asJson({ text: 'next' }))).body).toEqual({ text: 'next' })
    },
  },
  {
    name: 'a too large Content-Length is 413 before the body is sent',
    needs: ['socket', 'unreadBody', 'earlyAnswer'],
    run: async (host) => {
      const connection = connectTo(host)
      connection.write(postText(thing, '', ['Content-Length: 1001']))
      const answer = await connection.answer()
      expect(answer?.headers['content-type']).toMatch(/^application\/json; charset=utf-8$/i)
      expect(answer?.status).toBe(413)
      connection.end()
    },
  },
  {
    name: 'reading stops at the limit, and the rest is not parsed as a request',
    needs: ['socket', 'unreadBody', 'earlyAnswer'],
    run: async (host) => {
      const connection = connectTo(host)
      connection.write(postText(thing, '', ['Transfer-Encoding: chunked']))
      connection.write(`3e9\r\n${'x'.repeat(1001)}\r\n`)
      expect(await connection.answer()).toMatchObject({ status: 413 })
      // The client goes on for a while; then the connection is closed, or serves what comes next.
      connection.write(`3\r\nabc\r\n0\r\n\r\n${getText('/api/echo/v1/later')}`)
      const next = await connection.answer()
      expect(next?.body ?? '"later"').toBe('"later"')
      connection.end()
    },
  },
  {
    name: 'a client that sends far too much can read the 413',
    needs: ['socket', 'unreadBody'],
    run: async (host) => {
      const connection = connectTo(host)
      connection.write(postText(thing, '', ['Content-Length: 5000000']))
      connection.write('x'.repeat(3_000_000))
      expect(await connection.answer()).toMatchObject({ status: 413 })
      connection.end()
      expect((await ask(host, '/api/echo/v1/seen')).body.failures).toEqual([])
    },
  },
  {
    name: 'an unread body does not block the next request',
    needs: ['socket', 'unreadBody'],
    run: async (host) => {
      const connection = connectTo(host)
      connection.write(postText('/api/echo/v1/nowhere', 'x'.repeat(900)))
      expect(await connection.answer()).toMatchObject({ status: 404 })
      connection.write(postText('/api/echo/v1/small', 'x'.repeat(500)))
      expect(await connection.answer()).toMatchObject({ status: 413 })
      connection.write(postText(thing, '{"text":"next"}'))
      expect(await connection.answer()).toMatchObject({ status: 200, body: '{"text":"next"}' })
      connection.end()
    },
  },
  {
    name: 'a large refused body leaves a connection that answers the next request, or that is said to end',
    needs: ['socket', 'unreadBody'],
    run: async (host) => {
      const nowhere = '/api/echo/v1/nowhere'
      for (const size of [200_000, 400_000, 3_000_000]) {
        await expectNextAnswer(host, postText(nowhere, ' '.repeat(size)))
        await expectNextAnswer(host, postText(thing, ' '.repeat(size)))
        await expectNextAnswer(host, postText(nowhere, chunkedText(' '.repeat(size)), ['Transfer-Encoding: chunked']))
        await expectNextAnswer(host, postText(nowhere, ' '.repeat(size)).replace('POST', 'HEAD'), { isHead: true })
        await expectNextAnswer(host, postText('/api/echo/v1/empty', ' '.repeat(size)))
      }
    },
  },
  {
    name: 'a client that disconnects while sending writes nothing',
    needs: ['socket'],
    alone: true,
    run: async (host) => {
      const connection = connectTo(host)
      connection.write(postText(thing, '{"te', ['Content-Length: 100']))
      // An answer to another request: by then the first one has arrived.
      await ask(host, '/api/echo/v1/seen')
      connection.end()
      expect((await ask(host, thing, asJson({ text: 'next' }))).body).toEqual({ text: 'next' })
      expect((await ask(host, '/api/echo/v1/seen')).body.failures).toEqual([])
    },
  },
]
