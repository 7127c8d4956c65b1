/** Attacks of one client or network on everybody else. Each runs until its process is killed. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Attack {
  readonly name: string
  readonly what: string
  readonly clients: number
  /** The p99 of others is at most so many times that at rest. */
  readonly longestRatio?: number
  run(base: URL, client: number): Promise<void>
}

/** Sends one request after the other; what the server does with them is its matter. */
async function repeat(send: (at: number) => Promise<Response>): Promise<void> {
  for (let at = 0; ; at++) {
    try {
      await (await send(at)).text()
    } catch {
      // Connections that the server ends.
      await pause(5)
    }
  }
}

const post = (url: string, body: string, headers: { readonly [name: string]: string } = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, at])))
const manyKeys = keys(600_000)
const permitted = JSON.stringify({
  requests: Array.from({ length: 25 }, () => ({ path: '/cms/v2/posts', body: JSON.parse(keys(350)) })),
})
const words = ['harbour', 'morning', 'ferry', 'lantern', 'market', 'island', 'letter', 'winter', 'garden', 'bridge']

/** Keeps a connection, writes to it and reads nothing. */
async function hold(base: URL, write: (send: (text: string) => boolean) => Promise<void>): Promise<void> {
  for (;;) {
    const socket = connect(Number(base.port), base.hostname)
    socket.on('error', () => undefined)
    const closed = once(socket, 'close').catch(() => undefined)
    await once(socket, 'connect').catch(() => undefined)
    socket.pause()
    await write((text) => socket.writable && socket.write(text))
    await closed
    await pause(50)
  }
}

export const attacks: readonly Attack[] = [
  {
    name: 'pipelining',
    what: '50 sockets pipeline 200 lists of 100 posts each and read nothing',
    clients: 50,
    run: (base, client) =>
      hold(base, async (send) => {
        // Each differs, so that answers which are kept do not count.
        const list = (at: number) => `${base.pathname}/cms/v2/posts?per_page=100&offset=${client * 197 + at}`
        const request = (at: number) => `GET ${list(at)} HTTP/1.1\r\nHost: quay.example\r\n\r\n`
        send(Array.from({ length: 200 }, (_, at) => request(at)).join(''))
      }),
  },
  {
    name: 'slow-requests',
    what: '500 sockets send a header a byte at a time',
    clients: 500,
    run: (base) =>
      hold(base, async (send) => {
        send(`GET ${base.pathname}/cms/v2/posts HTTP/1.1\r\nHost: quay.example\r\nX-Slow: `)
        while (send('a')) await pause(1000)
      }),
  },
  {
    name: 'refused-keys',
    what: 'two visitors send bodies of 600,000 keys',
    clients: 2,
    run: (base) => repeat(() => post(`${base}/cms/v2/posts`, manyKeys)),
  },
  {
    name: 'permitted-keys',
    what: 'four visitors send the largest permitted batches',
    clients: 4,
    run: (base) => repeat(() => post(`${base}/batch/v1`, permitted)),
  },
  {
    name: 'wrong-passwords',
    what: '16 clients guess passwords',
    clients: 16,
    run: (base, client) =>
      repeat((at) => {
        const authorization = `Basic ${Buffer.from(`ada:${client}-${at}`).toString('base64')}`
        return fetch(`${base}/cms/v2/posts?per_page=1`, { headers: { authorization } })
      }),
  },
  {
    name: 'sign-ins',
    what: '100 clients sign in on the consent page, each time by another login',
    clients: 100,
    longestRatio: 3,
    run: (base, client) =>
      repeat((at) => {
        const form = {
          app_name: 'Reader',
          decision: 'sign-in',
          login: `nobody ${client} ${at}`,
          password: 'a long one',
        }
        return fetch(`${base}/authorize`, { method: 'POST', body: new URLSearchParams(form) })
      }),
  },
  {
    name: 'hostile-queries',
    what: '16 clients send queries of 10,000 parameters, brackets and commas',
    clients: 16,
    run: (base) =>
      repeat((at) => {
        const queries = [`${'a[b]=1&'.repeat(1200)}`, `a${'[b]'.repeat(200)}=1`, `include=${','.repeat(12_000)}`]
        return fetch(`${base}/cms/v2/posts?${queries[at % queries.length]}`)
      }),
  },
  {
    name: 'worst-queries',
    what: '50 clients send the worst queries that visitors may',
    clients: 50,
    run: async (base, client) => {
      // Each differs from those before: no cached response serves it.
      await repeat(async (at) => {
        const search = `${words[(client + at) % 10]} ${words[(at * 7 + 3) % 10]} ${(client * 31 + at) % 1000}`
        const filters = `categories=${1 + ((client + at) % 6)}&tags_exclude=${1 + (at % 9)}`
        const query = `search=${encodeURIComponent(search)}&${filters}&orderby=relevance&per_page=100&_embed=1`
        const started = performance.now()
        const response = await fetch(`${base}/cms/v2/posts?${query}`)
        const text = await response.text()
        console.log(`${response.status} ${(performance.now() - started).toFixed(1)} ms`)
        return new Response(text)
      })
    },
  },
]
