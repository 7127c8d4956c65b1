/** Writes that are sent again with their `Idempotency-Key`. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '../../src/contract/storage.ts'
import { StorageUnavailable } from '../../src/contract/storage.ts'
import { endpoint } from '../../src/core/declare/endpoint.ts'
import { feature } from '../../src/core/declare/feature.ts'
import { anyone } from '../../src/core/declare/permissions.ts'
import { profile } from '../../src/core/declare/profile.ts'
import { writtenRequests } from '../../src/core/request/idempotency.ts'
import { content } from '../../src/profiles/content.ts'
import { basic, createTestSite, type Requester, type TestSite } from '../support/site.ts'
import type { StorageCall } from '../support/spied-storage.ts'
import { mediaSite, upload } from './content/media/pictures.ts'

let site: TestSite
let ada: Requester
beforeEach(async () => {
  site = await createTestSite()
  ada = site.as('ada')
})
afterEach(() => site.dispose())

const keyed = (key: string, body?: unknown) => ({ body, headers: { 'idempotency-key': key } })
const titles = async (search: string) =>
  ((await ada('GET', '/cms/v2/posts', { query: { search, status: 'any' } })).body as readonly unknown[]).length

describe('a write with an Idempotency-Key', () => {
  test('that is sent again gives the same response and writes once', async () => {
    const events: unknown[] = []
    site.api.on('post.created', (event) => events.push(event))
    const send = () => ada('POST', '/cms/v2/posts', keyed('"a-1"', { title: 'Once only', status: 'publish' }))
    const first = await send()
    const second = await send()
    expect(first.status).toBe(201)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(second.status).toBe(201)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(await titles('Once only')).toBe(1)
    expect(events).toHaveLength(1)
  })

  test.each([
    ['PUT', '/cms/v2/posts/{hello}', { title: 'Put once' }, 200],
    ['PATCH', '/cms/v2/posts/{hello}', { title: 'Patched once' }, 200],
    ['DELETE', '/cms/v2/posts/{hello}', undefined, 200],
    ['POST', '/batch/v1', { requests: [{ path: '/cms/v2/posts', body: { title: 'In a batch' } }] }, 207],
  ])('by %s %s is carried out once', async (method, path, body, status) => {
    const target = path.replace('{hello}', String(site.ids['post.hello']))
    const first = await ada(method, target, keyed('one', body))
    const second = await ada(method, target, keyed('one', body))
    expect(first.status).toBe(status)
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })

  test('many times at once writes once', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, () => ada('POST', '/cms/v2/posts', keyed('same', { title: 'At the same time' }))),
    )
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1)
  })

  test('is refused with a code when the key was sent with another body, path or method', async () => {
    await ada('POST', '/cms/v2/posts', keyed('k', { title: 'Mine' }))
    const reused = { status: 422, body: { code: 'rest_idempotency_key_reused' } }
    expect(await ada('POST', '/cms/v2/posts', keyed('k', { title: 'Another' }))).toMatchObject(reused)
    expect(await ada('POST', '/cms/v2/posts?_fields=id', keyed('k', { title: 'Mine' }))).toMatchObject(reused)
    expect(await ada('DELETE', `/cms/v2/posts/${site.ids['post.hello']}`, keyed('k'))).toMatchObject(reused)
    expect(await titles('Another')).toBe(0)
  })

  test('shares its key with no other user', async () => {
    const send = (login: string) => site.as(login)('POST', '/cms/v2/posts', keyed('shared', { title: 'By each' }))
    const [first, second] = [await send('ada'), await send('edith')]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body.id).not.toBe(second.body.id)
  })

  test('of a visitor shares its key with no user', async () => {
    const refused = await site.visitor('POST', '/cms/v2/posts', keyed('anyone', { title: 'By a visitor' }))
    expect(refused.status).toBe(401)
    expect((await ada('POST', '/cms/v2/posts', keyed('anyone', { title: 'By a user' }))).status).toBe(201)
  })

  test('that was refused may be sent again, and is judged anew', async () => {
    const send = (title: string) => ada('POST', '/cms/v2/posts', keyed('again', { title, status: 'nonsense' }))
    expect((await send('x')).status).toBe(400)
    expect((await send('y')).status).toBe(400)
    expect((await ada('POST', '/cms/v2/posts', keyed('again', { title: 'Right now' }))).status).toBe(201)
  })

  test('is forgotten after a day', async () => {
    const send = () => ada('POST', '/cms/v2/posts', keyed('daily', { title: 'Each day' }))
    const first = await send()
    site.clock.now += 24 * 60 * 60 * 1000
    expect((await send()).body.id).toBe(first.body.id)
    site.clock.now += 1
    expect((await send()).body.id).not.toBe(first.body.id)
  })

  test.each(['', ' ', 'é', 'x'.repeat(256), '""'])('refuses the key %j', async (key) => {
    const refused = await ada('POST', '/cms/v2/posts', keyed(key === 'é' ? 'Ã©' : key, { title: 'No' }))
    expect(refused).toMatchObject({ status: 400, body: { code: 'rest_invalid_idempotency_key' } })
  })

  test('keeps no secret: the response of a new application password is not repeated', async () => {
    const own = await createTestSite({ profile: content })
    try {
      const send = () =>
        own.as('ada')('POST', '/cms/v2/users/me/application-passwords', keyed('secret', { name: 'Phone' }))
      const { status, body } = await send()
      expect(status).toBe(201)
      expect(await send()).toMatchObject({ status: 409, body: { code: 'rest_idempotency_result_not_kept' } })
      const { rows } = await own.api['~parts'].storage.records.query(writtenRequests, {})
      expect(rows).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toContain(body.password)
    } finally {
      await own.dispose()
    }
  })

  test.each([
    ['POST', '/cms/v2/posts', { title: 'Budget', status: 'private' }],
    ['POST', '/cms/v2/posts/{hello}', { title: 'Budget' }],
    ['DELETE', '/cms/v2/posts/{hello}?force=true', undefined],
    ['POST', '/batch/v1', { requests: [{ path: '/cms/v2/posts', body: { title: 'Budget', status: 'private' } }] }],
  ])('that is sent again by %s %s asks for the permission again', async (method, path, body) => {
    const target = path.replace('{hello}', String(site.ids['post.hello']))
    const send = () => site.as('edith')(method, target, keyed('one', body))
    const setRoles = (roles: string[]) => site.api.site.users.update(Number(site.ids['user.editor']), { roles })
    const first = await send()
    expect(first.status).toBeLessThan(300)
    await setRoles(['subscriber'])
    const refused = await send()
    expect(refused.status).toBe(403)
    expect(JSON.stringify(refused.body)).not.toContain('Budget')
    await setRoles(['editor'])
    expect(await send()).toMatchObject({ status: first.status, body: first.body })
  })

  test('is ignored on reads', async () => {
    expect((await ada('GET', '/cms/v2/posts', keyed('read'))).status).toBe(200)
    expect((await ada('GET', '/cms/v2/posts?per_page=1', keyed('read'))).status).toBe(200)
  })
})

test('a write whose response has no body is answered without one again', async () => {
  let rings = 0
  const handler = () => void rings++
  const bell = endpoint({ path: '/bell', methods: ['POST'], args: {}, permission: anyone, handler })
  const own = await createTestSite({
    profile: profile({
      name: 'harbour',
      gmtOffset: 'text',
      features: [...content.features, feature('bell', 'harbour/v1', [bell])],
    }),
  })
  try {
    const ring = () => own.visitor('POST', '/harbour/v1/bell', keyed('ring'))
    const [first, second] = [await ring(), await ring()]
    expect([first.status, first.body, second.status, second.body]).toEqual([200, undefined, 200, undefined])
    expect([rings, second.headers.get('idempotency-replayed')]).toEqual([1, 'true'])
  } finally {
    await own.dispose()
  }
})

describe('an upload with an Idempotency-Key', () => {
  let media: TestSite
  beforeEach(async () => {
    media = await mediaSite()
  })
  afterEach(() => media.dispose())
  const key = { 'idempotency-key': 'file' }
  const stored = async () => ((await media.as('ada')('GET', '/cms/v2/media')).body as readonly unknown[]).length

  test('is stored once, and refused under the key with another name', async () => {
    const before = await stored()
    const send = (name: string) => upload(media, name, 'High at six.', { type: 'text/plain', headers: key })
    const first = await send('tide.txt')
    const second = await send('tide.txt')
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await send('ebb.txt')).toMatchObject({ status: 422, body: { code: 'rest_idempotency_key_reused' } })
    expect(await stored()).toBe(before + 1)
  })

  test('is refused under the key with other bytes of the same length, also as a form', async () => {
    const before = await stored()
    const form = (text: string) => {
      const body = new FormData()
      body.append('file', new File([text], 'tide.txt', { type: 'text/plain' }))
      return media.api.fetch(
        new Request('https://quay.example/api/cms/v2/media', {
          method: 'POST',
          headers: { authorization: basic('edith'), 'idempotency-key': 'form' },
          body,
        }),
      )
    }
    const plain = (text: string) => upload(media, 'tide.txt', text, { type: 'text/plain', headers: key })
    for (const send of [plain, form]) {
      const statuses = []
      for (const text of ['High at six.', 'High at two.', 'High at six.']) statuses.push((await send(text)).status)
      expect(statuses).toEqual([201, 422, 201])
    }
    expect(await stored()).toBe(before + 2)
  })

  test('as a form is known again though its boundary is another', async () => {
    const before = await stored()
    const send = (boundary: string) => {
      const head = 'content-disposition: form-data; name="file"; filename="tide.txt"\r\ncontent-type: text/plain'
      const text = `--${boundary}\r\n${head}\r\n\r\nHigh at six.\r\n--${boundary}--\r\n`
      const headers = { ...key, 'content-type': `multipart/form-data; boundary=${boundary}` }
      return media.as('edith')('POST', '/cms/v2/media', { body: text, headers })
    }
    const first = await send('one')
    const second = await send('another')
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id])
    expect(await stored()).toBe(before + 1)
  })

  test('without a type is refused as it is without a key', async () => {
    const send = (headers: { readonly [name: string]: string }) =>
      media.api.fetch(
        new Request('https://quay.example/api/cms/v2/media', {
          method: 'POST',
          headers: { authorization: basic('edith'), ...headers },
          body: new TextEncoder().encode('High at six.'),
        }),
      )
    const [plain, withKey] = [await send({}), await send(key)]
    expect(plain.status).toBe(400)
    expect([withKey.status, await withKey.json()]).toEqual([400, await plain.json()])
  })
})

/** Without `atomic`, as a storage of a host may be. */
const withoutAtomic = ({ atomic: _, ...storage }: Storage): Storage => storage

test('on a storage without transactions the key is claimed first, so that a write runs once', async () => {
  const own = await createTestSite({ storage: withoutAtomic })
  try {
    const send = () => own.as('ada')('POST', '/cms/v2/posts', keyed('claimed', { title: 'Claimed' }))
    const first = await send()
    expect((await send()).body).toEqual(first.body)
    const wrong = () => own.as('ada')('POST', '/cms/v2/posts', keyed('wrong', { status: 'nonsense' }))
    expect([(await wrong()).status, (await wrong()).status]).toEqual([400, 400])
  } finally {
    await own.dispose()
  }
})

describe('on a storage without transactions', () => {
  let before: (call: StorageCall) => unknown
  let own: TestSite
  beforeEach(async () => {
    before = () => undefined
    // Waits for what a test does before a call.
    const wrap = (storage: Storage): Storage => {
      const { records, posts, terms } = storage
      const waiting =
        <A extends unknown[], R>(name: string, work: (...args: A) => R | Promise<R>) =>
        async (...args: A) => {
          await before({ name, args })
          return work(...args)
        }
      return {
        ...withoutAtomic(storage),
        records: {
          ...records,
          insert: waiting('records.insert', records.insert.bind(records)) as never,
          update: waiting('records.update', records.update.bind(records)) as never,
        },
        posts: { ...posts, insert: waiting('posts.insert', posts.insert.bind(posts)) },
        terms: { ...terms, assign: waiting('terms.assign', terms.assign.bind(terms)) },
      }
    }
    own = await createTestSite({ storage: wrap })
  })
  afterEach(() => own.dispose())

  const send = () => own.as('ada')('POST', '/cms/v2/posts', keyed('race', { title: 'Racing' }))
  const written = async () =>
    ((await own.as('ada')('GET', '/cms/v2/posts', { query: { search: 'Racing', status: 'any' } })).body as unknown[])
      .length
  const inUse = { status: 409, body: { code: 'rest_idempotency_key_in_use' } }
  /** Once, before the first call of this name that `isMeant`. */
  const once = (name: string, work: () => unknown, isMeant: (call: StorageCall) => boolean = () => true) => {
    before = (call) => {
      if (call.name !== name || !isMeant(call)) return
      before = () => undefined
      return work()
    }
  }
  const ofKeys = ({ args: [collection] }: StorageCall) => collection === writtenRequests

  test('a request beside one that runs is told so, and writes nothing', async () => {
    let second: unknown
    once('posts.insert', async () => {
      second = await send()
    })
    expect((await send()).status).toBe(201)
    expect(second).toMatchObject(inUse)
    expect(await written()).toBe(1)
  })

  test('a request that claims the key a moment later than another is told so, and writes nothing', async () => {
    let other: unknown
    once(
      'records.insert',
      async () => {
        other = await send()
      },
      ofKeys,
    )
    expect(await send()).toMatchObject(inUse)
    expect(other).toMatchObject({ status: 201 })
    expect(await written()).toBe(1)
  })

  test('a key that could not be claimed can be used again', async () => {
    const fail = () => {
      throw new StorageUnavailable('the connection ended', { written: 'no' })
    }
    once('records.insert', fail, ofKeys)
    expect(await send()).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
    expect((await send()).status).toBe(201)
  })

  test('after a failure that has written nothing, the key can be used again', async () => {
    once('posts.insert', () => {
      throw new StorageUnavailable('the connection ended', { written: 'no' })
    })
    expect(await send()).toMatchObject({ status: 503, body: { data: { written: 'no' } } })
    expect((await send()).status).toBe(201)
    expect(await written()).toBe(1)
  })

  test('after a failure to store the result, the write is not carried out again', async () => {
    const fail = () => {
      throw new StorageUnavailable('the connection ended', { written: 'no' })
    }
    once('records.update', fail, ofKeys)
    expect(await send()).toMatchObject({ status: 503, body: { data: { written: 'perhaps' } } })
    expect(await send()).toMatchObject(inUse)
    expect(await written()).toBe(1)
  })

  test('after a failure that follows a part of the write, the outcome is unknown', async () => {
    once('terms.assign', () => {
      throw new StorageUnavailable('the connection ended', { written: 'no' })
    })
    expect(await send()).toMatchObject({ status: 503, body: { data: { written: 'perhaps' } } })
    expect(await send()).toMatchObject(inUse)
  })

  test('after a failure in the middle the outcome is unknown, and the write is not carried out again', async () => {
    once('posts.insert', () => {
      throw new Error('the disk is gone')
    })
    expect((await send()).status).toBe(500)
    expect(await send()).toMatchObject(inUse)
    expect(await written()).toBe(0)
  })
})

test('a write whose outcome is unknown is found out by sending it again', async () => {
  let fails = true
  const lostAnswer = (storage: Storage): Storage => ({
    ...storage,
    atomic: async <T>(work: (transaction: Storage) => T | Promise<T>) => {
      const value = await storage.atomic?.(work)
      if (fails) throw new StorageUnavailable('the connection ended', { written: 'perhaps' })
      // The cast: the storages of these tests have `atomic`.
      return value as T
    },
  })
  fails = false
  const own = await createTestSite({ storage: lostAnswer, profile: content })
  try {
    const send = () => own.as('ada')('POST', '/cms/v2/posts', keyed('lost', { title: 'Perhaps written' }))
    await own.as('ada')('GET', '/cms/v2/users/me')
    fails = true
    const unknown = await send()
    expect(unknown).toMatchObject({
      status: 503,
      body: { code: 'storage_outcome_unknown', data: { written: 'perhaps' } },
    })
    expect(unknown.headers.get('retry-after')).toBe('5')
    fails = false
    const known = await send()
    expect(known.status).toBe(201)
    expect(known.headers.get('idempotency-replayed')).toBe('true')
    const list = await own.as('ada')('GET', '/cms/v2/posts', { query: { search: 'Perhaps written', status: 'any' } })
    expect(list.body).toHaveLength(1)
    const requests = [{ path: '/cms/v2/posts', body: { title: 'Perhaps in a batch' } }]
    const sendBatch = () => own.as('ada')('POST', '/batch/v1', keyed('lost batch', { requests, atomic: true }))
    fails = true
    expect(await sendBatch()).toMatchObject({ status: 503, body: { code: 'storage_outcome_unknown' } })
    fails = false
    expect(await sendBatch()).toMatchObject({ status: 207, body: { responses: [{ status: 201 }] } })
    const batched = await own.as('ada')('GET', '/cms/v2/posts', { query: { search: 'in a batch', status: 'any' } })
    expect(batched.body).toHaveLength(1)
  } finally {
    await own.dispose()
  }
})
