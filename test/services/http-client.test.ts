/** The HTTP client with real sockets on loopback: tests set the name resolution and count every connection. */
import { createServer, type RequestListener } from 'node:http'
import {
  createServer as createSocketServer,
  getDefaultAutoSelectFamily,
  type Socket,
  setDefaultAutoSelectFamily,
} from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HttpClientError } from '../../src/services/http-client/errors.ts'
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  httpClientOf,
  httpSenderOf,
  isPublicAddress,
  type RequestOptions,
} from '../../src/services/http-client/index.ts'

const closers: (() => Promise<void>)[] = []
let opened: string[] = []
let looked: string[] = []

beforeEach(() => {
  opened = []
  looked = []
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Names {
  readonly [hostname: string]: readonly string[]
}

/** Allows loopback for the ports of the test's own servers only. */
function guard({
  names = {},
  ports = [],
  limits,
}: {
  names?: Names
  ports?: number[]
  limits?: HttpClientOptions['limits']
}) {
  return createHttpClient({
    limits: { timeoutMs: 30_000, ...limits },
    resolve: async (hostname) => {
      looked.push(hostname)
      const found = names[hostname]
      if (!found) throw new Error(`ENOTFOUND ${hostname}`)
      return found
    },
    ...(ports.length > 0 ? { allow: (address, port) => address === '127.0.0.1' && ports.includes(port) } : {}),
    onConnect: (addresses, port) => void opened.push(`${addresses.join(',')}:${port}`),
  })
}

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  return listening(server, () => server.closeAllConnections())
}

/** Writes raw bytes to the socket, which node:http would not send. */
async function serveRaw(answer: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  return listening(server, () => {
    for (const socket of sockets) socket.destroy()
  })
}

async function listening(server: ReturnType<typeof createSocketServer>, stop: () => void): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        stop()
      }),
  )
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

const codeOf = (outbound: ReturnType<typeof guard>, address: string, options?: RequestOptions) =>
  outbound.get(address, options).then(
    ({ status }) => `answered ${status}`,
    (error: { code?: string }) => error.code,
  )

const page: Names = { 'page.example': ['127.0.0.1'] }

// ---------------------------------------------------------------- refused before a connection is opened

test.each([
  ['http://127.0.0.1/'],
  ['http://localhost/'],
  ['http://localhost./'],
  ['http://[::1]/'],
  ['http://[::]/'],
  ['http://[::ffff:127.0.0.1]/'],
  ['http://[::127.0.0.1]/'],
  ['http://0.0.0.0/'],
  ['http://2130706433/'],
  ['http://0x7f.1/'],
  ['http://0x7f000001/'],
  ['http://0177.0.0.1/'],
  ['http://127.1/'],
  ['http://①②⑦.⓪.⓪.①/'],
  ['http://10.20.30.40/'],
  ['http://172.16.0.1/'],
  ['http://172.31.255.255/'],
  ['http://192.168.1.1/'],
  ['http://100.64.0.1/'],
  ['http://169.254.169.254/latest/meta-data/'],
  ['http://[fc00::1]/'],
  ['http://[fd00:ec2::254]/'],
  ['http://[fe80::1]/'],
  ['http://[fec0::1]/'],
  ['http://[64:ff9b::7f00:1]/'],
  ['http://[64:ff9b:1::a00:1]/'],
  ['http://[2002:7f00:1::]/'],
  ['http://[2001:0:7f00:1::]/'],
  ['http://[2001:db8::1]/'],
  ['http://[ff02::1]/'],
  ['http://224.0.0.1/'],
  ['http://239.255.255.250/'],
  ['http://255.255.255.255/'],
  ['http://240.0.0.1/'],
  ['http://192.0.2.1/'],
  ['http://198.18.0.1/'],
  ['http://168.63.129.16/'],
  ['https://127.0.0.1/'],
])('refuses %s before a socket is opened', async (address) => {
  const names = { localhost: ['127.0.0.1', '::1'], 'localhost.': ['127.0.0.1'] }
  expect(await codeOf(guard({ names }), address)).toBe('refused')
  expect(opened).toEqual([])
})

test.each([['93.184.215.14'], ['1.1.1.1'], ['2606:4700:4700::1111'], ['::ffff:1.1.1.1']])(
  'accepts %s as public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([['nonsense'], [''], ['fe80::1%eth0'], ['4000::1']])('rejects %j as not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  ['file:///etc/passwd'],
  ['ftp://page.example/'],
  ['data:text/html,hello'],
  ['javascript:alert(1)'],
  ['gopher://page.example/'],
  ['//page.example/'],
  ['page.example'],
  [''],
  ['http://user:pass@page.example/'],
  ['http://user@page.example/'],
  ['http://:pass@page.example/'],
  ['http://page.example:0/'],
  ['http://page.example:22/'],
  ['http://page.example:8080/'],
  ['https://page.example:8443/'],
])('refuses %j without a name lookup', async (address) => {
  expect(await codeOf(guard({ names: { 'page.example': ['93.184.215.14'] } }), address)).toBe('refused')
  expect([opened, looked]).toEqual([[], []])
})

test.each([
  ['a private address', ['10.0.0.5']],
  ['a public address and a private one', ['93.184.215.14', '10.0.0.5']],
  ['a private address in IPv6 clothes', ['::ffff:10.0.0.5']],
  ['something that is no address', ['intranet']],
])('refuses a name with %s', async (_, addresses) => {
  expect(await codeOf(guard({ names: { 'page.example': addresses } }), 'http://page.example/')).toBe('refused')
  expect(opened).toEqual([])
})

test.each([['nobody.example'], ['empty.example']])('fails for %s, which does not resolve', async (hostname) => {
  expect(await codeOf(guard({ names: { 'empty.example': [] } }), `http://${hostname}/`)).toBe('failed')
  expect(opened).toEqual([])
})

test('gives the refusal of a resolver of the host as it came', async () => {
  const resolve = () => Promise.reject(new HttpClientError('refused', 'the name is on our list'))
  expect(await codeOf(createHttpClient({ resolve }), 'http://page.example/')).toBe('refused')
})

test.each([
  ['http', 80],
  ['https', 443],
])('asks whether an address may be reached by %s on port %i', async (scheme, port) => {
  const asked: unknown[] = []
  const allow = (...address: unknown[]) => asked.push(address) < 0
  const client = createHttpClient({ resolve: async () => ['10.0.0.5'], allow })
  expect(await codeOf(client, `${scheme}://page.example/`)).toBe('refused')
  expect(asked).toEqual([['10.0.0.5', port]])
})

test('connects to the first checked address where Node tries one address only', async () => {
  const port = await serve((_, response) => void response.end('here'))
  const isTried = getDefaultAutoSelectFamily()
  setDefaultAutoSelectFamily(false)
  try {
    expect(await codeOf(guard({ names: page, ports: [port] }), `http://page.example:${port}/`)).toBe('answered 200')
  } finally {
    setDefaultAutoSelectFamily(isTried)
  }
})

test('looks a name up once, and connects to the checked address', async () => {
  let asked: string | undefined
  const port = await serve((request, response) => {
    asked = request.headers.host
    response.end('here')
  })
  const answers = [['127.0.0.1'], ['10.0.0.5']]
  const outbound = createHttpClient({
    resolve: async () => answers.shift() ?? [],
    allow: (address, at) => address === '127.0.0.1' && at === port,
  })
  const { body, url } = await outbound.get(`http://page.example:${port}/a?b=1#c`)
  expect(new TextDecoder().decode(body)).toBe('here')
  expect(url).toBe(`http://page.example:${port}/a?b=1#c`)
  expect(asked).toBe(`page.example:${port}`)
  expect(answers).toEqual([['10.0.0.5']])
})

// ---------------------------------------------------------------- redirects

describe('redirects', () => {
  const redirectTo = (location: (path: string) => string | undefined) =>
    serve((request, response) => {
      const to = location(request.url ?? '')
      response.writeHead(to === undefined ? 200 : 302, to === undefined ? {} : { location: to }).end('end')
    })

  test.each([
    ['http://10.0.0.5/'],
    ['http://private.example/'],
    ['http://127.0.0.1/'],
    ['file:///etc/passwd'],
    ['http://user:pass@page.example/'],
    ['http://page.example:8080/'],
    ['//169.254.169.254/'],
  ])('a redirect to %s is vetted as the first address was', async (location) => {
    const port = await redirectTo(() => location)
    const outbound = guard({ names: { ...page, 'private.example': ['192.168.0.9'] }, ports: [port] })
    expect(await codeOf(outbound, `http://page.example:${port}/`)).toBe('refused')
    expect(opened).toHaveLength(1)
  })

  test.each([
    [3, 'answered 200', 4],
    [4, 'refused', 4],
    [6, 'refused', 4],
  ])('a chain of %i redirects: %s after %i requests', async (length, outcome, requests) => {
    const port = await redirectTo((path) =>
      Number(path.slice(1)) < length ? `/${Number(path.slice(1)) + 1}` : undefined,
    )
    expect(await codeOf(guard({ names: page, ports: [port] }), `http://page.example:${port}/0`)).toBe(outcome)
    expect(opened).toHaveLength(requests)
  })

  test('returns the URL of the last hop', async () => {
    const port = await redirectTo((path) => (path === '/end' ? undefined : '/end'))
    const { url } = await guard({ names: page, ports: [port] }).get(`http://page.example:${port}/start`)
    expect(url).toBe(`http://page.example:${port}/end`)
  })

  test('fails for a redirect to an invalid URL', async () => {
    const port = await redirectTo(() => 'http://')
    expect(await codeOf(guard({ names: page, ports: [port] }), `http://page.example:${port}/`)).toBe('failed')
  })
})

// ---------------------------------------------------------------- bounds

describe('bounds', () => {
  const endless = (socket: Socket, part: Uint8Array) => {
    const write = () => {
      while (!socket.destroyed && socket.write(part)) {
        // Until the client closes the connection.
      }
    }
    socket.on('drain', write)
    write()
  }

  test('does not read a body whose Content-Length is over the limit', async () => {
    const port = await serve((_, response) => void response.writeHead(200, { 'content-length': 50_000_000 }).write('x'))
    expect(await codeOf(guard({ names: page, ports: [port] }), `http://page.example:${port}/`)).toBe('too_large')
  })

  test('stops reading an endless body at the limit', async () => {
    let written = 0
    const port = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')
      endless(socket, new Uint8Array(64 * 1024))
      socket.on('close', () => {
        written = socket.bytesWritten
      })
    })
    const outbound = guard({ names: page, ports: [port], limits: { bodyBytes: 100_000 } })
    expect(await codeOf(outbound, `http://page.example:${port}/`)).toBe('too_large')
    await Promise.all(closers.splice(0).map((close) => close()))
    // At most what the socket buffers hold.
    expect(written).toBeLessThan(20_000_000)
  })

  test('truncates a long body if the caller allows it', async () => {
    const port = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')
      endless(socket, new Uint8Array(1024).fill(120))
    })
    const { body } = await guard({ names: page, ports: [port] }).get(`http://page.example:${port}/`, {
      maxBytes: 5000,
      overflow: 'cut',
    })
    expect(new TextDecoder().decode(body)).toBe('x'.repeat(5000))
  })

  test('caps the limit of a caller at the limit of the client', async () => {
    const port = await serve((_, response) => void response.end('x'.repeat(101)))
    const outbound = guard({ names: page, ports: [port], limits: { bodyBytes: 100 } })
    expect(await codeOf(outbound, `http://page.example:${port}/`, { maxBytes: 1000 })).toBe('too_large')
  })

  test('refuses a compressed body', async () => {
    let accepted: string | undefined
    const port = await serve((request, response) => {
      accepted = String(request.headers['accept-encoding'])
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('bomb')
    })
    expect(await codeOf(guard({ names: page, ports: [port] }), `http://page.example:${port}/`)).toBe('failed')
    expect(accepted).toBe('identity')
  })

  test('stops reading endless headers', async () => {
    const port = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      endless(socket, new TextEncoder().encode(`X-Filler: ${'y'.repeat(1000)}\r\n`))
    })
    expect(await codeOf(guard({ names: page, ports: [port] }), `http://page.example:${port}/`)).toBe('too_large')
  })

  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    ['sends headers a byte at a time', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-A: ')],
    [
      'sends the body a byte at a time',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
        drip(socket, '')
      },
    ],
    ['keeps saying that it will answer', (socket) => repeat(socket, 'HTTP/1.1 102 Processing\r\n\r\n')],
  ])('a server that %s runs out of time', async (_, answer) => {
    const port = await serveRaw(answer)
    const outbound = guard({ names: page, ports: [port], limits: { timeoutMs: 80 } })
    expect(await codeOf(outbound, `http://page.example:${port}/`)).toBe('timeout')
  })

  test('counts the time limit over all hops', async () => {
    const port = await serve((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 60)
    })
    const outbound = guard({ names: page, ports: [port], limits: { timeoutMs: 100, redirects: 1000 } })
    expect(await codeOf(outbound, `http://page.example:${port}/`)).toBe('timeout')
  })

  test('times out during a name lookup, and opens no connection afterwards', async () => {
    let resolve: (addresses: string[]) => void = () => undefined
    const outbound = createHttpClient({
      limits: { timeoutMs: 20 },
      resolve: () =>
        new Promise((found) => {
          resolve = found
        }),
      onConnect: () => void opened.push('opened'),
    })
    expect(await codeOf(outbound, 'http://page.example/')).toBe('timeout')
    resolve(['93.184.215.14'])
    await new Promise((turn) => setImmediate(turn))
    expect(opened).toEqual([])
  })

  const drip = (socket: Socket, start: string) => {
    socket.write(start)
    repeat(socket, 'x')
  }

  function repeat(socket: Socket, text: string): void {
    const timer = setInterval(() => socket.write(text), 5)
    socket.on('close', () => clearInterval(timer))
  }
})

test.each<[string, (socket: Socket) => void]>([
  ['hangs up', (socket) => socket.destroy()],
  ['speaks no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
  ['stops in the middle', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')],
  ['switches protocols', (socket) => socket.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')],
])('fails for a server that %s', async (_, answer) => {
  const port = await serveRaw(answer)
  expect(await codeOf(guard({ names: page, ports: [port] }), `http://page.example:${port}/`)).toBe('failed')
})

test('returns an error response unchanged', async () => {
  const port = await serve((_, response) => response.writeHead(418, { 'content-type': 'text/plain' }).end('teapot'))
  const answer = await guard({ names: page, ports: [port] }).get(`http://page.example:${port}/`)
  expect(answer).toMatchObject({ status: 418, contentType: 'text/plain' })
})

test('fails for a server that speaks no TLS', async () => {
  const port = await serve((_, response) => void response.end('in the clear'))
  expect(await codeOf(guard({ names: page, ports: [port] }), `https://page.example:${port}/`)).toBe('failed')
})

test('tells when a server wants to be asked again', async () => {
  const port = await serve((_, response) => response.writeHead(503, { 'retry-after': '120' }).end())
  const answer = await guard({ names: page, ports: [port] }).get(`http://page.example:${port}/`)
  expect(answer).toMatchObject({ status: 503, retryAfter: '120' })
})

test('sends only the user agent and the Accept header of the caller', async () => {
  let sent: object | undefined
  const port = await serve((request, response) => {
    sent = request.headers
    response.end()
  })
  await guard({ names: page, ports: [port] }).get(`http://page.example:${port}/`, { accept: 'text/html' })
  expect(sent).toEqual({
    host: `page.example:${port}`,
    accept: 'text/html',
    'accept-encoding': 'identity',
    'user-agent': 'site-api',
    connection: 'close',
  })
})

test('a client of the host that only reads is none that sends', () => {
  const reads = { get: createHttpClient().get }
  expect(httpClientOf({ services: { outbound: reads } })).toBe(reads)
  expect(httpSenderOf({ services: { outbound: reads } })).toBeUndefined()
  const both = createHttpClient()
  expect(httpSenderOf({ services: { outbound: both } })).toBe(both)
})

describe('download', () => {
  const page = { 'page.example': ['127.0.0.1'] }
  const read = async (client: ReturnType<typeof guard>, port: number) => {
    const { chunks, close, ...head } = await (client as Required<HttpClient>).download(
      `http://page.example:${port}/a/pier.png`,
    )
    try {
      let size = 0
      for await (const chunk of chunks) size += chunk.length
      return { ...head, size }
    } finally {
      close()
    }
  }

  test('gives a body piece by piece that is longer than one in memory may be', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/a/pier.png') response.writeHead(302, { location: '/b.png' }).end()
      else response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(300_000))
    })
    const client = guard({ names: page, ports: [port], limits: { bodyBytes: 1000 } })
    expect(await read(client, port)).toEqual({
      ...{ status: 200, contentType: 'image/png', size: 300_000, url: `http://page.example:${port}/b.png` },
    })
  })

  test('is empty for a choice of addresses, which is not followed', async () => {
    const port = await serve((_, response) => response.writeHead(300, { location: '/b.png' }).end('one of these'))
    expect(await read(guard({ names: page, ports: [port] }), port)).toMatchObject({ status: 300, size: 0 })
  })

  test('rejects a body that stops arriving', async () => {
    const port = await serveRaw((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'))
    const client = guard({ names: page, ports: [port], limits: { timeoutMs: 80 } })
    await expect(read(client, port)).rejects.toMatchObject({ code: 'timeout' })
  })

  test('rejects where the body ends too early, and where the address is not allowed', async () => {
    const port = await serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'))
    await expect(read(guard({ names: page, ports: [port] }), port)).rejects.toMatchObject({ code: 'failed' })
    await expect(read(guard({ names: page }), port)).rejects.toMatchObject({ code: 'refused' })
  })
})
