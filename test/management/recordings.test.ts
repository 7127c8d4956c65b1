/** A site is recorded, and its recording replayed against a copy: the answers are equal, and the file holds no secret. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Replay, type ReplayReport } from '../../src/cli/replay/replay.ts'
import type { Storage } from '../../src/contract/storage.ts'
import { createJournaledApi } from '../../src/host/create-site-api.ts'
import type { SiteApiOptions } from '../../src/host/site-options.ts'
import { createSiteApi, type SiteApi } from '../../src/index.ts'
import { full } from '../../src/profiles/full.ts'
import { createMedia } from '../../src/services/media.ts'
import { memoryMedia } from '../../src/services/media-driver.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { routesOf } from '../security/declared-routes.ts'
import { listed } from '../support/assertion-messages.ts'
import { basic } from '../support/site.ts'
import { now, passwordOf, smallSite } from '../support/small-site.ts'
import { openStorage } from '../support/storage.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-api-recordings-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const url = 'https://quay.example'
const optionsFor = (storage: Storage) => ({
  ...{ profile: full, url, storage, passwordCost: 10, limit: () => 0 },
  log: { error: () => undefined },
  services: { media: createMedia({ driver: memoryMedia() }) },
})

/** Each call seeds the same site: a recording changes one, its replay the other. */
async function seeded() {
  const opened = await openStorage()
  const api = createSiteApi({ ...optionsFor(opened.storage), clock: () => now } as SiteApiOptions)
  const ids = await api.site.seed(smallSite)
  return { opened, ids }
}

interface Headers {
  readonly [name: string]: string
}

interface Recorded {
  readonly file: string
  readonly secrets: readonly string[]
}

const chosenPassword = 'a password that a user has chosen'
const postPassword = 'the password of a post'

async function record(name: string): Promise<Recorded> {
  const { opened, ids } = await seeded()
  const file = join(folder, name)
  let time = now
  const api = createSiteApi({
    ...optionsFor(opened.storage),
    record: file,
    clock: () => (time += 1000),
  } as SiteApiOptions)
  const send = async (login: string | null, method: string, path: string, body?: unknown, more: Headers = {}) => {
    const typed: Headers =
      body === undefined || body instanceof Uint8Array ? {} : { 'content-type': 'application/json' }
    const signed: Headers = login === null ? {} : { authorization: basic(login) }
    const response = await api.fetch(
      new Request(`${url}/api${path}`, {
        method,
        headers: { ...typed, ...signed, cookie: 'session=cookie-of-a-browser', ...more },
        ...(body === undefined ? {} : { body: body instanceof Uint8Array ? (body as never) : JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    return {
      status: response.status,
      body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
    }
  }
  createSitePages(api)
  const made = await send('ada', 'POST', '/cms/v2/posts', {
    title: 'Recorded',
    status: 'publish',
    password: postPassword,
  })
  expect(made.status).toBe(201)
  const post = `/cms/v2/posts/${made.body.id}`
  expect((await send('ada', 'POST', post, { title: 'Tried' }, { prefer: 'dry-run' })).body.dry_run).toBe(true)
  const opening = await send(null, 'GET', `${post}?password=${encodeURIComponent(postPassword)}&token=token-in-a-query`)
  expect(opening.body.content.protected).toBe(true)
  await send('ada', 'POST', '/cms/v2/users', {
    ...{
      username: 'gull',
      email: 'gull@quay.example',
      password: chosenPassword,
      roles: ['author'],
      pass: 'mistyped-secret',
    },
  })
  const application = await send('ada', 'POST', '/cms/v2/users/me/application-passwords', { name: 'An app' })
  expect(application.status).toBe(201)
  await send('ada', 'POST', '/batch/v1', {
    requests: [
      { method: 'POST', path: '/cms/v2/posts', body: { title: 'In a batch', password: 'password-in-a-batch' } },
      { method: 'DELETE', path: `/cms/v2/posts/${ids['post.wide']}` },
    ],
  })
  await send('ada', 'POST', '/builder/v1/variables/create', {
    type: 'global-color-variable',
    label: 'sea',
    value: '#0af',
  })
  const picture = readFileSync(join(import.meta.dirname, '../../docs/sample-site/uploads/2024/03/weir.jpg'))
  const disposition = { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename="pier.jpg"' }
  expect((await send('ada', 'POST', '/cms/v2/media', new Uint8Array(picture), disposition)).status).toBe(201)
  expect((await send('sam', 'POST', '/cms/v2/posts', { title: 'No' })).status).toBe(403)
  expect(
    (await send('ada', 'GET', '/cms/v2/posts', undefined, { authorization: basic('ada', 'wrong secret') })).status,
  ).toBe(401)
  await Promise.all(['One', 'Two', 'Three'].map((title) => send('edith', 'POST', '/cms/v2/posts', { title })))
  await send(null, 'GET', '/cms/v2/posts?_embed=1&per_page=5')
  await api.call('POST', '/cms/v2/posts/{id}', { id: made.body.id, title: 'Called' }, { as: 'system' })
  await api.call('GET', '/cms/v2/posts/99999').catch(() => undefined)
  await api.site.runDue()
  await api.close()
  await opened.dispose()
  const drawn = application.body.password as string
  const secrets = [
    ...smallSite.users.flatMap(({ login }) => [passwordOf(login), btoa(`${login}:${passwordOf(login)}`)]),
    ...[postPassword, encodeURIComponent(postPassword), chosenPassword, 'password-in-a-batch', 'mistyped-secret'],
    ...[drawn, drawn.replaceAll(' ', ''), 'cookie-of-a-browser', 'token-in-a-query', 'wrong secret', 'sesame'],
  ]
  return { file, secrets }
}

async function replay(file: string, before?: (api: SiteApi) => Promise<void>): Promise<ReplayReport> {
  const { opened } = await seeded()
  const replayed = await Replay.open(file)
  const options = { ...optionsFor(opened.storage), ...replayed.head.options } as SiteApiOptions
  const api = createJournaledApi(options, () => replayed.journal)
  await before?.(api)
  const report = await replayed.run()
  await api.close()
  await opened.dispose()
  return report
}

test('a recording is replayed with equal answers, and holds no secret', async () => {
  const { file, secrets } = await record('first.jsonl')
  const text = readFileSync(file, 'utf8')
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  const report = await replay(file)
  expect(report.differences).toEqual([])
  expect(report).toMatchObject({ leftOut: 1, before: [], after: [] })
  expect(report.requests).toBe(16)
})

test('a replay says which answer differs, what it has now, and that the copy was another one', async () => {
  const { file } = await record('second.jsonl')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const changed = lines.map((line) =>
    line.replace('"title":"Called"', '"title":"Other"').replace('"user":6', '"user":1'),
  )
  const other = join(folder, 'other.jsonl')
  writeFileSync(other, changed.slice(0, -1).join('\n'))
  const report = await replay(other)
  expect(report.after).toBeUndefined()
  const told = report.differences.map(({ request, says }) => `${request}: ${says}`)
  expect(told.map((text) => text.replace(/now \d+/, 'now ID'))).toEqual([
    'POST /cms/v2/posts as 1: the status was 403, and is 201',
    ...Array(3).fill('POST /cms/v2/posts as 2: id differs, now ID (and guid, link, class_list, _links)'),
    expect.stringMatching(/^POST \S+ as system: title differs, now \{"raw":"Other".* \(and guid|slug|generated_slug/),
  ])
  const onAnother = await replay(file, async ({ site }) => void (await site.options.write({ name: 'Other name' })))
  expect(onAnother.before).toEqual(['options'])
})

test('requests that come at once are recorded one after the other, and replayed with their times and ids', async () => {
  const { file } = await record('third.jsonl')
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const times = lines.flatMap(({ at }) => (at === undefined ? [] : [at]))
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(new Set(times).size).toBe(times.length)
  expect(lines.some(({ drawn = [] }) => drawn.length > 0)).toBe(true)
  expect(lines.find(({ drewSecrets }) => drewSecrets).answer).toEqual({ status: 201 })
  expect(
    lines
      .filter(({ kind, user }) => kind !== 'tasks' && user === undefined)
      .map(({ kind, answer }) => [kind, answer?.status]),
  ).toEqual([
    ['head', undefined],
    ['http', 401],
    ['end', undefined],
  ])
})

test('a site whose recording can not be written answers, and says so in its log', async () => {
  const { opened } = await seeded()
  const failures: string[] = []
  const log = { error: (message: string) => void failures.push(message) }
  const api = createSiteApi({
    ...optionsFor(opened.storage),
    log,
    record: join(folder, 'no', 'folder.jsonl'),
  } as SiteApiOptions)
  expect((await api.fetch(new Request(`${url}/api/cms/v2/posts`))).status).toBe(200)
  expect(failures).toEqual(['the recording could not begin'])
  await api.close()
  await opened.dispose()
})

/** A recorded request does `work` while the run of the timer waits for the turn of the request. */
async function besideTimer(name: string, work: (api: SiteApi) => Promise<unknown>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const gate = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    const file = join(folder, name)
    const api: SiteApi = createSiteApi({
      ...optionsFor(memoryStorage()),
      record: file,
      clock: () => now,
      limit: async () => {
        entered.resolve()
        await gate.promise
        await work(api)
        return 0
      },
    } as SiteApiOptions)
    const soon = new Date(now + 1000).toISOString().slice(0, 19)
    await api.call('POST', '/cms/v2/posts', { title: 'Soon', status: 'future', date_gmt: soon }, { as: 'system' })
    const answered = api.fetch(new Request(`${url}/api/cms/v2/posts`))
    await entered.promise
    await vi.advanceTimersByTimeAsync(2000)
    gate.resolve()
    const { status } = await answered
    await api.close()
    return { status, file }
  } finally {
    vi.useRealTimers()
  }
}

test('tasks that a request runs do not wait for the run of the timer, which waits for the request', async () => {
  expect(await besideTimer('tasks.jsonl', (api) => api.site.runDue())).toMatchObject({ status: 200 })
})

test('a request that closes its api does not wait for itself: the recording has no end then', async () => {
  const { status, file } = await besideTimer('closed.jsonl', (api) => api.close())
  expect(status).toBe(200)
  const kinds = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(kinds.map((line) => JSON.parse(line).kind)).toEqual(['head', 'call', 'http'])
})

test('a runtime without files refuses the option', () => {
  const built = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
  try {
    const options = { ...optionsFor(memoryStorage()), record: join(folder, 'none.jsonl') } as SiteApiOptions
    expect(() => createSiteApi(options)).toThrow('it needs Node, Bun or Deno')
  } finally {
    built.mockRestore()
  }
})

test('a file that is no recording is refused', async () => {
  const file = join(folder, 'other.txt')
  writeFileSync(file, '{"kind":"head"}\n')
  await expect(Replay.open(file)).rejects.toThrow('is no recording')
})

test('each argument that has the name of a secret is declared as one', () => {
  const open = routesOf(full).flatMap(({ method, readable, endpoint }) =>
    Object.entries(endpoint.args)
      .filter(([name, { isSecret }]) => /pass(?:word|phrase)|secret|token|api_?key|credential/i.test(name) && !isSecret)
      .map(([name]) => `${method} ${readable}: ${name}`),
  )
  expect(
    open,
    listed('Declare these arguments with args.secret, so that no recording holds their values:', open),
  ).toEqual([])
})
