/**
 * A connection that ends at any byte of a write, or whose server process is ended: the 503 says `written: "no"` only where nothing is
 * stored, and nothing is stored in part. `npm run test:long` ends it at every byte of the usual writes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSiteApi, type SiteApi } from '../../../src/host/create-site-api.ts'
import { full } from '../../../src/profiles/full.ts'
import { createMedia, isStored, type Media } from '../../../src/services/media.ts'
import { memoryMedia } from '../../../src/services/media-driver.ts'
import { postgresStorage } from '../../../src/storage/postgres.ts'
import { counted } from '../../support/counted.ts'
import { isFullRun } from '../../support/generated-cases.ts'
import { newSchema, postgresPool, postgresUrl } from '../../support/postgres.ts'
import { type Side, startProxy, type TcpProxy } from '../../support/tcp-proxy.ts'

const isPostgres = process.env.TEST_STORAGE === 'postgres'
/** The places of one write and one direction. */
const places = isFullRun ? 150 : 10

/** How connections are used: as by default, by a pool of the host without pipelining, and behind a pooler. */
const modes = [
  { mode: 'pipelined', pool: {}, options: {}, only: undefined },
  { mode: 'one statement after another', pool: { pipeline: false }, options: {}, only: 'a new post' },
  { mode: 'behind a pooler', pool: {}, options: { prepares: false }, only: 'a new post' },
] as const

const home = 'https://quay.example'
let schema: string
let proxy: TcpProxy
let api: SiteApi<typeof full>
let media: Media
let authorization: string
let post: number

/** The outcome that the caller learns of. */
type Told = 'yes' | 'no' | 'perhaps'

interface Write {
  readonly name: string
  readonly run: (title: string) => Promise<Told>
  /** How many rows it has stored. */
  readonly count: (title: string) => Promise<number>
  /** The rows of a whole write. */
  readonly whole: number
  /** In a full run the connection ends at every byte. */
  readonly isUsual?: true
}

async function send(method: string, path: string, body: BodyInit | object, headers: object = {}): Promise<Told> {
  const isBytes = body instanceof Uint8Array
  const request = new Request(`${home}/api${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    // The cast: bytes are a body.
    body: isBytes ? (body as BodyInit) : JSON.stringify(body),
  })
  const response = await api.fetch(request)
  const text = await response.text()
  if (response.status < 300) return 'yes'
  expect(response.status, text).toBe(503)
  const { code, data } = JSON.parse(text)
  expect(code).toBe(data.written === 'no' ? 'storage_unavailable' : 'storage_outcome_unknown')
  expect(response.headers.get('retry-after')).toBe('5')
  return data.written
}

/** A call of the host: it gets the error itself. */
async function call(work: () => Promise<unknown>): Promise<Told> {
  try {
    await work()
    return 'yes'
  } catch (error) {
    const { code, written } = error as { readonly code?: unknown; readonly written?: Told }
    expect(code, String(error)).toBe('storage_unavailable')
    return written ?? 'perhaps'
  }
}

async function countOf(table: string, condition: string, values: readonly unknown[]): Promise<number> {
  const text = `select count(*)::int as count from ${schema}.${table} where ${condition}`
  const { rows } = await postgresPool().query(text, [...values])
  return rows[0].count
}

const postsTitled = (title: string) => countOf('posts', "title = $1 and type <> 'revision'", [title])
const recordsHolding = (text: string) => countOf('records', 'body::text like $1', [`%${text}%`])

const exportFile = (title: string) => `<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Old</title><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version>
${[1, 2].map(
  (number) => `<item><title>${title}</title><wp:post_id>${number}${title.slice(3)}</wp:post_id>
<wp:post_type>post</wp:post_type><wp:status>publish</wp:status><wp:post_name>${title}-${number}</wp:post_name>
<content:encoded><![CDATA[words]]></content:encoded></item>`,
)}
</channel></rss>`

const writes: readonly Write[] = [
  {
    name: 'a new post',
    run: (title) => send('POST', '/cms/v2/posts?_fields=id', { title, status: 'publish', sticky: true }),
    count: postsTitled,
    whole: 1,
    isUsual: true,
  },
  {
    name: 'a new post that is answered with what it links to',
    run: (title) => send('POST', '/cms/v2/posts?_embed=1', { title, status: 'publish' }),
    count: postsTitled,
    whole: 1,
  },
  {
    name: 'a batch',
    run: (title) =>
      send('POST', '/batch/v1', {
        atomic: true,
        requests: [1, 2, 3].map((number) => ({
          ...{ method: 'POST', path: '/cms/v2/posts', body: { title, slug: `${title}-${number}`, status: 'publish' } },
        })),
      }),
    count: postsTitled,
    whole: 3,
    isUsual: true,
  },
  {
    name: 'an update',
    run: (title) => send('POST', `/cms/v2/posts/${post}`, { title }),
    count: postsTitled,
    whole: 1,
    isUsual: true,
  },
  {
    name: 'an upload',
    run: (title) =>
      send('POST', '/cms/v2/media', new TextEncoder().encode(title), {
        'content-type': 'text/plain',
        'content-disposition': `attachment; filename="${title}.txt"`,
      }),
    // A record has its file.
    count: async (title) => {
      const rows = await postsTitled(title)
      for (let at = 0; at < rows; at++) {
        expect(await isStored(media, `2026/11/${title}.txt`), `the file of ${title}`).toBe(true)
      }
      return rows
    },
    whole: 1,
    isUsual: true,
  },
  {
    name: 'an import',
    run: (title) => call(() => api.site.import(new Blob([exportFile(title)]).stream() as never)),
    count: postsTitled,
    whole: 2,
    isUsual: true,
  },
  {
    name: 'a comment',
    run: (title) => send('POST', '/cms/v2/comments', { post, content: title }),
    count: recordsHolding,
    whole: 1,
  },
  {
    name: 'a new term',
    run: (title) => send('POST', '/cms/v2/tags', { name: title }),
    count: (title) => countOf('terms', 'name = $1', [title]),
    whole: 1,
  },
  {
    name: 'a new user of the host',
    run: (title) => call(() => api.site.users.create({ login: title, email: `${title}@mail.example` })),
    count: (title) => countOf('users', 'login = $1', [title]),
    whole: 1,
  },
  {
    name: 'the settings',
    run: (title) => send('POST', '/cms/v2/settings', { title }),
    count: (title) => countOf('options', 'value::text like $1', [`%${title}%`]),
    whole: 1,
  },
  {
    name: 'a new webhook',
    run: (title) => call(() => api.site.webhooks.create({ url: `https://${title}.example/hook` })),
    count: (title) => countOf('options', 'value::text like $1', [`%${title}.example%`]),
    whole: 1,
  },
]

/** Every connection anew, with one of them in use: a new one sends more. */
async function reconnect(): Promise<void> {
  proxy.fail('cut')
  proxy.heal()
  await expect.poll(() => health(), { interval: 2 }).toBe(200)
}

const health = async () => {
  const request = new Request(`${home}/api/cms/v2/posts/${post}?_fields=id`, { headers: { authorization } })
  return (await api.fetch(request)).status
}

const timeout = isFullRun ? 1_800_000 : 120_000

describe.runIf(isPostgres).each(modes)(
  'a write whose answer is lost, $mode',
  { timeout },
  ({ pool, options, only }) => {
    let titles = 0

    beforeAll(async () => {
      schema = newSchema()
      const url = new URL(postgresUrl())
      proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
      url.port = String(proxy.port)
      media = createMedia({ driver: memoryMedia() })
      api = createSiteApi({
        storage: postgresStorage(
          { connectionString: url.href, max: 2, application_name: schema, ...pool },
          { schema, ...options },
        ),
        profile: full,
        url: home,
        clock: () => Date.UTC(2026, 10, 26),
        passwordCost: 10,
        services: { media },
        log: { error: () => undefined },
      })
      const { id } = await api.site.users.create({ login: 'ada', email: 'ada@quay.example', roles: ['administrator'] })
      const { password } = await api.site.passwords.create(id, 'test')
      authorization = `Basic ${btoa(`ada:${password}`)}`
      const { data } = await api.call<{ id: number }>(
        'POST',
        '/cms/v2/posts',
        { title: 'x', status: 'publish' },
        { as: id },
      )
      post = data.id
    })
    afterAll(async () => {
      await api?.close()
      await proxy?.close()
      await postgresPool().query(`drop schema if exists ${schema} cascade`)
    })

    /** Runs the write once for each place, and compares its rows with the outcome that the caller learns of. Counts the outcomes. */
    async function interruptAt(write: Write, side: Side, action?: () => Promise<unknown>): Promise<Map<Told, number>> {
      // The first one makes the indexes of collections.
      const total = Math.min(await bytesOf(write, side), await bytesOf(write, side))
      const step = isFullRun && write.isUsual && action === undefined ? 1 : Math.ceil(total / places)
      const outcomes = new Map<Told, number>()
      const wrong: string[] = []
      for (let at = 1; at < total + step; at += step) {
        const title = `cut${titles++}`
        await reconnect()
        const stop = proxy.count(side, at, action)
        const told = await write.run(title)
        stop()
        outcomes.set(told, (outcomes.get(told) ?? 0) + 1)
        // A server process that is still at work ends its transaction before it hears of the end of its connection.
        await expect.poll(() => isIdle(), { interval: 2 }).toBe(true)
        const stored = await write.count(title)
        if (!isTrue(told, stored, write.whole))
          wrong.push(`byte ${at} of ${total}: told ${told}, stored ${stored} rows`)
      }
      counted(
        [...outcomes.values()].reduce((sum, count) => sum + count, 0),
        'places of a lost connection',
      )
      for (const [told, count] of outcomes) counted(count, `told "${told}"`)
      counted(wrong.length, 'wrong')
      expect(wrong).toEqual([])
      return outcomes
    }

    async function bytesOf(write: Write, side: Side): Promise<number> {
      await reconnect()
      const end = proxy.count(side, Number.POSITIVE_INFINITY)
      expect(await write.run(`cut${titles++}`)).toBe('yes')
      return end()
    }

    function isTrue(told: Told, stored: number, whole: number): boolean {
      if (told === 'perhaps') return stored === 0 || stored === whole
      return stored === (told === 'yes' ? whole : 0)
    }

    const isIdle = async () => {
      const { rows } = await postgresPool().query(`select 1 from ${processes} and state <> 'idle'`, [schema])
      return rows.length === 0
    }

    const processes = 'pg_stat_activity where application_name = $1'

    /** Ends the processes of the server, and waits for their end. */
    async function terminate(): Promise<void> {
      await postgresPool().query(`select pg_terminate_backend(pid) from ${processes}`, [schema])
      const areGone = async () => (await postgresPool().query(`select 1 from ${processes}`, [schema])).rowCount === 0
      await expect.poll(areGone, { interval: 1 }).toBe(true)
    }

    for (const write of writes.filter(({ name }) => only === undefined || name === only)) {
      test.each<Side>(['client', 'server'])(
        `${write.name} is never called unwritten when it is there (%s)`,
        async (side) => {
          const outcomes = await interruptAt(write, side)
          // Before the commit is sent, it is known that nothing was written.
          expect(outcomes.get('no')).toBeGreaterThan(0)
        },
      )

      test(`${write.name} beside pg_terminate_backend`, async () => {
        const outcomes = await interruptAt(write, 'server', terminate)
        expect(outcomes.get('no')).toBeGreaterThan(0)
      })
    }
  },
)
