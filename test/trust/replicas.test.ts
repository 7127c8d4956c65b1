/** A site that reads from standbys: what it shows when they stop following, go away, or become a primary. */
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../support/postgres-server.ts'
import { connectUntilEnd, holdReplay, openReplicatedSite } from '../support/replicated-site.ts'
import { startProxy } from '../support/tcp-proxy.ts'

const server = await startPostgres({ isDurable: true })
const first = await server.standby({ isAwaited: false })
const second = await server.standby({ isAwaited: false })
afterAll(async () => {
  for (const one of [first, second, server]) await one.stop()
})

async function open(options: Partial<Parameters<typeof openReplicatedSite>[0]>) {
  const site = await openReplicatedSite({ primary: server.url, replicas: [], ...options })
  onTestFinished(() => site.close())
  if (options.schema === undefined) await site.seed()
  return site
}

/** Another process of the site, which only reads. */
const openReader = ({ schema }: { readonly schema: string }, ...replicas: string[]) => open({ schema, replicas })

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

async function proxyTo(target: string) {
  const url = new URL(target)
  const proxy = await startProxy({ host: '127.0.0.1', port: Number(url.port) })
  onTestFinished(() => proxy.close())
  url.port = String(proxy.port)
  return { proxy, url: url.href }
}

test('what other processes wrote is shown soon, although the replica has stopped following', async () => {
  const writing = await open({})
  const reading = await openReader(writing, first.url)
  await reading.untilServedBy(1)
  await holdReplay(first)
  await writing.create('Elsewhere')
  while (!(await reading.titles()).includes('Elsewhere')) await nextTurn()
  expect(await reading.titles()).toContain('Elsewhere')
  expect(await reading.served()).toBe(0)
})

test('a client never goes back in time while others write', async () => {
  const writing = await open({})
  const reading = await openReader(writing, first.url, second.url)
  await Promise.race([reading.untilServedBy(1), reading.untilServedBy(2)].map((one) => one.catch(() => undefined)))
  let isWriting = true
  const write = async () => {
    for (let at = 0; at < 80; at++) await writing.create(`w${at}`)
    isWriting = false
  }
  const writes = write()
  const seen: number[] = []
  while (isWriting) seen.push((await reading.titles()).length)
  await writes
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
})

test('the primary serves while the replica is dead or silent, and the replica afterwards', async () => {
  const { proxy, url } = await proxyTo(first.url)
  const site = await open({ replicas: [url] })
  await site.untilServedBy(1)
  const all = await site.titles()
  await first.kill()
  expect([await site.titles(), await site.titles()]).toEqual([all, all])
  await first.restart()
  await site.untilServedBy(1)
  proxy.fail('swallow')
  expect([await site.titles(), await site.titles()]).toEqual([all, all])
  proxy.heal()
  await site.untilServedBy(1)
  expect(await site.titles()).toEqual(all)
})

test('another replica serves when one dies', async () => {
  const { proxy, url } = await proxyTo(first.url)
  const site = await open({ replicas: [url, second.url] })
  proxy.fail('cut')
  await site.untilServedBy(2)
  proxy.heal()
  await second.kill()
  await site.untilServedBy(1)
  await second.restart()
  expect(await site.titles()).not.toEqual([])
})

test('replicas serve visitors while the primary is away, with all that the process has written', async () => {
  const { proxy, url } = await proxyTo(server.url)
  const site = await open({ primary: url, replicas: [first.url] })
  const signIn = async () =>
    (await site.send('/wp/v2/users/me', { headers: { authorization: site.authorization } })).status
  await site.create('Before')
  await site.untilServedBy(1)
  for (const fault of ['cut', 'swallow'] as const) {
    proxy.fail(fault)
    for (let at = 0; at < 20; at++) expect(await site.titles()).toContain('Before')
    expect(await signIn()).toBe(503)
    proxy.heal()
    while ((await signIn()) === 503) await nextTurn()
    await site.untilServedBy(1)
  }
  const resume = await holdReplay(first)
  await site.create('Last')
  proxy.fail('cut')
  // The replica does not have it: no answer is better than an old one.
  expect((await site.send('/wp/v2/posts')).status).toBe(503)
  await resume()
  while ((await site.send('/wp/v2/posts')).status === 503) await nextTurn()
  expect(await site.titles()).toContain('Last')
})

test('a promoted replica is left out', async () => {
  const site = await open({ replicas: [first.url] })
  await site.create('Before')
  await site.untilServedBy(1)
  const promoted = await connectUntilEnd(first.url)
  await promoted.query('select pg_promote(true, 60)')
  // Rows that are written there belong to another history.
  await promoted.query(`update ${site.schema}.posts set title = 'Other', version = 99 where title = 'Before'`)
  await promoted.query(`update ${site.schema}.changes set version = 1, position = position + 100`)
  for (let at = 0; at < 20; at++) expect(await site.titles()).toContain('Before')
  expect(await site.served()).toBe(0)
  await site.create('After')
  expect(await site.titles()).toContain('After')
})

test('a site whose primary has lost its last commits goes on from what is left', async () => {
  const site = await open({ replicas: [second.url] })
  await site.create('Kept')
  await site.untilServedBy(1)
  const primary = await connectUntilEnd(server.url)
  await primary.query(`update ${site.schema}.changes set version = 1, position = position - 1`)
  await primary.query(`update ${site.schema}.posts set title = 'Changed', version = 99 where title = 'Kept'`)
  while (!(await site.titles()).includes('Changed')) await nextTurn()
  await site.create('After')
  expect(await site.titles()).toContain('After')
  await site.untilServedBy(1)
  expect(await site.titles()).toEqual(expect.arrayContaining(['Changed', 'After']))
})

test('a site whose replica takes over as the primary reads and writes there', async () => {
  const { proxy, url } = await proxyTo(server.url)
  const site = await open({ primary: url, replicas: [second.url] })
  await site.create('Before')
  await site.untilServedBy(1)
  await server.kill()
  expect(await site.titles()).toContain('Before')
  const promoted = await connectUntilEnd(second.url)
  await promoted.query('select pg_promote(true, 60)')
  const { hostname: host, port } = new URL(second.url)
  proxy.redirect({ host, port: Number(port) })
  while ((await site.send('/wp/v2/posts')).status !== 200) await nextTurn()
  await site.create('After')
  expect(await site.titles()).toEqual(expect.arrayContaining(['Before', 'After']))
  expect(await site.served()).toBe(0)
})
