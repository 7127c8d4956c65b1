/** Reads from a standby: which server answers, and that no client misses what it wrote. test/trust has what takes longer. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/client/index.ts'
import type { Storage } from '../../../src/contract/storage.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import type { d1 } from '../../../src/profiles/d1.ts'
import { type Standby, startPostgres } from '../../support/postgres-server.ts'
import { holdReplay, openReplicatedSite } from '../../support/replicated-site.ts'
import { passwordOf } from '../../support/small-site.ts'

describe.runIf(process.env['TEST_STORAGE'] === 'postgres')('a site with a replica', { timeout: 60_000 }, () => {
  let primary: Awaited<ReturnType<typeof startPostgres>>
  let standby: Standby
  let site: Awaited<ReturnType<typeof openReplicatedSite>>

  beforeAll(async () => {
    primary = await startPostgres({ isDurable: true })
    standby = await primary.standby({ isAwaited: false })
    site = await openReplicatedSite({ primary: primary.url, replicas: [standby.url] })
    await site.seed()
  }, 60_000)

  afterAll(async () => {
    await site.close()
    await standby.stop()
    await primary.stop()
  })

  /** Another process of the same site. */
  async function openOther(replicas: readonly string[]) {
    const other = await openReplicatedSite({ primary: primary.url, replicas, schema: site.schema })
    onTestFinished(() => other.close())
    return other
  }

  test('reads on the replica, and signs in and writes on the primary', async () => {
    await site.untilServedBy(1)
    await site.create('New')
    expect(await site.titles()).toContain('New')
    await site.untilServedBy(1)
    expect(await site.titles()).toContain('New')
    const { status, body } = await site.send('/wp/v2/users/me', { headers: { authorization: site.authorization } })
    expect([status, body.slug]).toEqual([200, 'edith-editor'])
    expect(site.replicaWrites()).toEqual([])
  })

  test('shows a client what it wrote while the replica is behind, and keeps no older answer', async () => {
    await site.untilServedBy(1)
    const latest = async () => (await site.send('/wp/v2/posts?per_page=1')).body[0].title.rendered
    const resume = await holdReplay(standby)
    for (const title of ['A', 'B']) {
      await site.create(title)
      expect(await site.titles()).toContain(title)
      // Twice: the second one may be kept.
      expect([await latest(), await latest()]).toEqual([title, title])
      expect(await site.served()).toBe(0)
    }
    await resume()
    await site.untilServedBy(1)
    expect(await site.titles()).toEqual(expect.arrayContaining(['A', 'B']))
    expect(await latest()).toBe('B')
  })

  test('shows what a client wrote through another process to whoever sends its position', async () => {
    const other = await openOther([standby.url])
    await other.untilServedBy(1)
    const resume = await holdReplay(standby)
    const position = String(await site.create('Elsewhere'))
    expect(await other.titles({ 'x-wp-position': position })).toContain('Elsewhere')
    await resume()
    await other.untilServedBy(1)
    expect(await other.titles({ 'x-wp-position': position })).toContain('Elsewhere')
  })

  test('shows the client of the package what it wrote, whatever process answers', async () => {
    const other = await openOther([standby.url])
    await other.untilServedBy(1)
    let { fetch } = site
    const client = createClient<typeof d1>({
      url: 'https://quay.example/api',
      signIn: { login: 'edith', password: passwordOf('edith') },
      names: wordpress,
      fetch: (input, init) => fetch(new Request(input, init)),
    })
    const resume = await holdReplay(standby)
    const { data } = await client.post('/cms/v2/posts', { title: 'Mine', status: 'publish' })
    fetch = other.fetch
    expect((await client.get('/cms/v2/posts/{id}', { id: data?.id ?? 0 })).data?.title).toMatchObject({
      rendered: 'Mine',
    })
    await resume()
  })

  test('reads what it wrote in the same request, also where a request that reads writes', async () => {
    const resume = await holdReplay(standby)
    const writes: readonly ((storage: Storage) => unknown)[] = [
      (storage) => storage.options.write({ written: 1 }),
      (storage) => storage.options.swap('written', null, 1),
      (storage) => storage.atomic?.((transaction) => transaction.options.write({ written: 1 })),
    ]
    for (const write of writes) {
      await resume()
      await site.storage.options.write({ written: null })
      await site.untilServedBy(1)
      await holdReplay(standby)
      const chosen = await site.storage.requests?.choose()
      expect(await chosen?.storage.options.read(['written'])).toEqual({})
      if (chosen) await write(chosen.storage)
      expect(await chosen?.storage.options.read(['written'])).toEqual({ written: 1 })
    }
  })

  test('goes to the primary for a position that no server has, and only for that request', async () => {
    for (const position of ['zzzzzz', 'zzzzzzzzzz', 'Not one!']) {
      await site.untilServedBy(1)
      expect(await site.titles({ 'x-wp-position': position })).not.toEqual([])
    }
    await site.untilServedBy(1)
  })

  test('says where a write is only if it has replicas, to pages of other origins too', async () => {
    const origin = { origin: 'https://else.example' }
    expect(await site.create('One')).toMatch(/^[0-9a-z]+$/)
    const { headers } = await site.send('/wp/v2/posts', { headers: origin })
    expect(headers.get('x-wp-position')).toBeNull()
    expect(headers.get('access-control-expose-headers')).toContain('X-WP-Position')
    const plain = await openOther([])
    expect(await plain.create('Two')).toBeNull()
    const answer = await plain.send('/wp/v2/posts', { headers: origin })
    expect(answer.headers.get('access-control-expose-headers')).not.toContain('Position')
  })
})
