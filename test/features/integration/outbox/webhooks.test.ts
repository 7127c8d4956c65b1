/** Webhooks: events arrive signed, in order for each record, at least once, and never for a change that was rolled back. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { webhookDeliveries } from '../../../../src/features/integration/outbox/collections.ts'
import { ApiError, createSiteApi, d1 } from '../../../../src/index.ts'
import { counted } from '../../../support/counted.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../../../support/site.ts'
import {
  type Answer,
  createReceiver,
  type Delivered,
  loopbackClient,
  type Receiver,
} from '../../../support/webhook-receiver.ts'

let site: TestSite
let receiver: Receiver
let answer: (delivered: Delivered) => Answer | Promise<Answer>
beforeEach(async () => {
  answer = () => ({ status: 204 })
  receiver = await createReceiver((delivered) => answer(delivered))
})
afterEach(async () => {
  counted(receiver.received.length, 'deliveries')
  await site.dispose()
  await receiver.close()
})

async function open(options: TestSiteOptions = {}) {
  site = await createTestSite({ services: { outbound: loopbackClient() }, ...options })
  return site.as('ada')
}
const posts = '/cms/v2/posts'
const due = () => site.api.site.runDue()
const names = () => receiver.received.map(({ type }) => type)
const subscribe = (events = ['post.*']) =>
  site.api.site.webhooks.create({ url: receiver.url, secret: receiver.secret, events })

test('sends the events of a webhook of the options, signed, with what identifies the record', async () => {
  const ada = await open({
    webhooks: [{ url: '', secret: '', events: ['post.*'] }].map(() => ({ ...receiverOptions(), events: ['post.*'] })),
  })
  const { body } = await ada('POST', posts, { body: { title: 'Tide', status: 'publish' } })
  await due()
  expect(names()).toEqual(['post.created', 'post.published'])
  expect(receiver.forged).toEqual([])
  expect(receiver.received[0]).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    subject: `post:${body.id}`,
    data: { post: { id: body.id, status: 'publish' } },
  })
})
const receiverOptions = () => ({ url: receiver.url, secret: receiver.secret })

/** Opens a site, and returns a function that opens it in what stands for another process, with the receiver among its options. */
async function openTwice() {
  let storage: Storage | undefined
  const ada = await open({
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
  const openAgain = () =>
    createSiteApi({
      // The first api closes it. The cast: it is open.
      storage: { ...(storage as Storage), close: () => undefined },
      profile: d1,
      url: 'https://quay.example',
      clock: () => site.clock.now,
      webhooks: [{ ...receiverOptions(), events: ['post.created'] }],
      services: { outbound: loopbackClient() },
    })
  const sendInAnother = async () => {
    const api = openAgain()
    await api.site.runDue()
    await api.close()
  }
  return { ada, storage: storage as unknown as Storage, openAgain, sendInAnother }
}
const [minute, day] = [60_000, 24 * 3_600_000]

test('a webhook of the options begins with the events after the site first had it, in whatever process', async () => {
  const { ada, openAgain, sendInAnother } = await openTwice()
  const publish = async (title: string) => (await ada('POST', posts, { body: { title, status: 'publish' } })).body.id
  const arrived = () => receiver.received.map(({ subject }) => subject)
  await publish('Nobody reads this')
  site.clock.now += 2 * minute
  const first = openAgain()
  await first.site.runDue()
  expect(arrived()).toEqual([])
  const expected = [`post:${await publish('One')}`]
  await first.site.runDue()
  await first.close()
  expect(arrived()).toEqual(expected)
  // Nothing is lost that happens while no process has it, for a month.
  site.clock.now += 20 * day
  expected.push(`post:${await publish('Two')}`)
  site.clock.now += 2 * minute
  await sendInAnother()
  expect(arrived()).toEqual(expected)
  site.clock.now += 40 * day
  await publish('Three')
  site.clock.now += 2 * minute
  await sendInAnother()
  expect(arrived()).toEqual(expected)
})

test('a process without a webhook of the options numbers and keeps its events for those that have it', async () => {
  const other = await createReceiver()
  const ada = await open({
    webhooks: [{ ...receiverOptions(), url: other.url, events: ['post.created'] }],
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
  const newer = createSiteApi({
    // The first api closes it. The cast: it is open.
    storage: { ...(storage as unknown as Storage), close: () => undefined },
    ...{ profile: d1, url: 'https://quay.example', clock: () => site.clock.now },
    webhooks: [{ ...receiverOptions(), events: ['post.created'] }],
    services: { outbound: loopbackClient() },
  })
  await newer.site.runDue()
  const { body } = await ada('POST', posts, { body: { title: 'Tide' } })
  // The older version numbers the event, sends it to its receiver, and leaves the other delivery alone.
  await due()
  expect([other.received.length, receiver.received.length]).toEqual([1, 0])
  await newer.site.runDue()
  await newer.close()
  await other.close()
  expect(receiver.received.map(({ subject }) => subject)).toEqual([`post:${body.id}`])
})
let storage: Storage | undefined

test('a webhook of the options that had deliveries already gets all events that it has not had', async () => {
  const { ada, storage, sendInAnother } = await openTwice()
  const delivery = { target: `option:${receiver.url}`, subject: 'post:1', sequence: 1, state: 'delivered' }
  await storage.records.insert(webhookDeliveries, [{ ...delivery, due: 0, attempts: 1 }])
  await ada('POST', posts, { body: { title: 'Tide' } })
  site.clock.now += 2 * minute
  await sendInAnother()
  expect(names()).toEqual(['post.created'])
})

test('sends without a call of the host, after the commit', async () => {
  const arrived = new Promise<void>((resolve) => {
    answer = () => {
      resolve()
      return { status: 204 }
    }
  })
  const ada = await open({ webhooks: [receiverOptions()] })
  await ada('POST', posts, { body: { title: 'Tide' } })
  await arrived
  expect(receiver.received.length).toBeGreaterThan(0)
})

test('tries again after a failure, in the order of the changes of each record, and not before the receiver asks for it', async () => {
  const ada = await open()
  await subscribe()
  const first = (await ada('POST', posts, { body: { title: 'One' } })).body.id
  const second = (await ada('POST', posts, { body: { title: 'Two' } })).body.id
  let failures = 1
  answer = ({ subject }) =>
    subject === `post:${first}` && failures-- > 0 ? { status: 503, headers: { 'retry-after': '120' } } : { status: 204 }
  await ada('POST', `${posts}/${first}`, { body: { title: 'One more' } })
  await due()
  expect(receiver.received.map(({ type, subject }) => `${type} ${subject}`)).toEqual([
    `post.created post:${first}`,
    `post.created post:${second}`,
  ])
  site.clock.now += 100_000
  await due()
  expect(receiver.received).toHaveLength(2)
  site.clock.now += 30_000
  await due()
  expect(receiver.received.slice(2).map(({ type, subject }) => `${type} ${subject}`)).toEqual([
    `post.created post:${first}`,
    `post.updated post:${first}`,
  ])
  const [one, , again] = receiver.received
  expect(again?.id).toBe(one?.id)
})

test('gives up after two and a half days, goes on with the next event, and sends again on demand', async () => {
  const ada = await open()
  const webhook = await subscribe(['post.*'])
  answer = ({ type }) => ({ status: type === 'post.created' ? 500 : 204 })
  const { body } = await ada('POST', posts, { body: { title: 'One' } })
  await ada('POST', `${posts}/${body.id}`, { body: { title: 'Two' } })
  for (let attempt = 0; attempt < 11; attempt++) {
    await due()
    site.clock.now += 24 * 3_600_000
  }
  await due()
  const deliveries = await site.api.site.webhooks.deliveries(webhook.id)
  expect(deliveries.map(({ state, attempts, status }) => [state, attempts, status])).toEqual([
    ['delivered', 1, 204],
    ['dead', 11, 500],
  ])
  expect(deliveries[1]?.error).toBe('the receiver answered 500')
  answer = () => ({ status: 204 })
  expect(await site.api.site.webhooks.replay(webhook.id)).toBe(1)
  await due()
  expect((await site.api.site.webhooks.deliveries(webhook.id, { state: 'dead' })).length).toBe(0)
  expect(names().at(-1)).toBe('post.created')
})

test('a failure of the service is logged with the webhook, counts as no attempt, and the event is sent once it works', async () => {
  const client = loopbackClient()
  let isBroken = true
  const send: typeof client.send = async (...sent) => {
    if (isBroken) throw new TypeError('Signer is not a constructor')
    return client.send(...sent)
  }
  const outbound = { ...client, send }
  const ada = await open({ services: { outbound } })
  const webhook = await subscribe()
  await ada('POST', posts, { body: { title: 'One' } })
  for (let attempt = 0; attempt < 14; attempt++) {
    await due()
    site.clock.now += 24 * 3_600_000
  }
  expect(await site.api.site.webhooks.deliveries(webhook.id)).toEqual([
    expect.objectContaining({ state: 'pending', attempts: 0, error: 'in the service: Signer is not a constructor' }),
  ])
  expect(site.failures).toHaveLength(14)
  expect(site.failures[0]).toMatchObject({
    message: `a delivery to the webhook ${webhook.id} failed in the service, not at its receiver; it stays due`,
    error: expect.any(TypeError),
  })
  isBroken = false
  await due()
  expect(names()).toEqual(['post.created'])
  site.failures.length = 0
})

test('a lost connection of a client that uses fetch counts as an attempt', async () => {
  const send = async () => {
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
  }
  const outbound = { ...loopbackClient(), send }
  const ada = await open({ services: { outbound } })
  const webhook = await subscribe()
  await ada('POST', posts, { body: { title: 'One' } })
  await due()
  expect(await site.api.site.webhooks.deliveries(webhook.id)).toEqual([
    expect.objectContaining({ state: 'pending', attempts: 1, error: 'fetch failed' }),
  ])
  expect(site.failures).toEqual([])
})

test('stops a webhook whose receiver answers 410, until it is enabled again', async () => {
  const ada = await open()
  const webhook = await subscribe()
  answer = () => ({ status: 410 })
  await ada('POST', posts, { body: { title: 'One' } })
  await due()
  expect(await site.api.site.webhooks.list()).toEqual([
    expect.objectContaining({ id: webhook.id, isEnabled: false, stopped: 'the receiver answered 410' }),
  ])
  await ada('POST', posts, { body: { title: 'Two' } })
  await due()
  expect(receiver.received).toHaveLength(1)
  await site.api.site.webhooks.update(webhook.id, { isEnabled: true })
  answer = () => ({ status: 204 })
  await ada('POST', posts, { body: { title: 'Three' } })
  await due()
  expect(receiver.received).toHaveLength(2)
})

test('shows no secret but to who creates the webhook, and exports none', async () => {
  await open()
  const { secret, id } = await site.api.site.webhooks.create({ url: receiver.url })
  expect(secret).toMatch(/^whsec_/)
  expect(JSON.stringify(await site.api.site.webhooks.list())).not.toContain(secret)
  expect(JSON.stringify(await site.api.site.webhooks.update(id, { events: ['post.*'] }))).not.toContain(secret)
  expect(JSON.stringify(await site.api.site.export())).not.toContain(secret)
  expect(await site.api.site.webhooks.remove(id)).toBe(true)
  expect(await site.api.site.webhooks.remove(id)).toBe(false)
})

test('connects to no address of the inner network unless the host allows it', async () => {
  const ada = await open({ services: {} })
  const webhook = await subscribe()
  await ada('POST', posts, { body: { title: 'One' } })
  await due()
  expect(receiver.received).toEqual([])
  const [delivery] = await site.api.site.webhooks.deliveries(webhook.id)
  expect(delivery).toMatchObject({ state: 'pending', status: null, error: expect.stringMatching(/port|public/) })
})

test('refuses addresses, secrets and names of events that are none', async () => {
  await open()
  const { webhooks } = site.api.site
  await expect(webhooks.create({ url: 'ftp://example.com' })).rejects.toThrow('the url of a webhook is an address')
  await expect(webhooks.create({ url: receiver.url, secret: 'short' })).rejects.toThrow('whsec_')
  await expect(webhooks.create({ url: receiver.url, events: ['post'] })).rejects.toThrow("'post.*'")
  await expect(webhooks.update('none', {})).rejects.toThrow('there is no webhook none')
})

test('two processes on one storage send each event once', async () => {
  const ada = await open()
  await subscribe()
  const { createSiteApi } = await import('../../../../src/host/create-site-api.ts')
  const { storage, app } = site.api['~parts']
  const { d1 } = await import('../../../../src/profiles/d1.ts')
  const other = createSiteApi({
    profile: d1,
    // Closed by the first one.
    storage: { ...storage, open: () => undefined, close: () => undefined },
    clock: app.clock,
    services: { outbound: loopbackClient() },
  })
  for (let made = 0; made < 40; made++) await ada('POST', posts, { body: { title: `Tide ${made}` } })
  await Promise.all([due(), other.site.runDue(), due(), other.site.runDue()])
  await other.close()
  const created = receiver.received.filter(({ type }) => type === 'post.created')
  expect(created).toHaveLength(40)
  expect(new Set(created.map(({ id }) => id)).size).toBe(40)
  expect(receiver.forged).toEqual([])
})

test('misses the oldest events when its receiver falls behind by more than are kept', async () => {
  await open({ events: { count: 5 } })
  answer = () => ({ status: 500 })
  await subscribe(['*'])
  const made = 40
  for (let at = 0; at < made; at++) await site.api.site.options.write({ description: `Tide ${at}` })
  await due()
  const tried = receiver.received.length
  answer = () => ({ status: 204 })
  site.clock.now += day
  await due()
  const sequences = receiver.received.slice(tried).map(({ sequence }) => sequence)
  // The creation of the webhook is an event, too.
  expect(sequences.at(-1)).toBe(made + 1)
  expect(sequences[0]).toBeGreaterThan(20)
})

test.each([
  ['is set back by an hour', -3_600_000],
  ['is set forward by a day', day],
])(
  'a webhook of the options misses nothing when the clock %s, and a new one gets nothing from before',
  async (_how, by) => {
    const { ada, openAgain } = await openTwice()
    const arrived = () => receiver.received.map(({ subject }) => subject)
    const make = async (title: string) => `post:${(await ada('POST', posts, { body: { title } })).body.id}`
    await make('Before')
    site.clock.now += by
    const other = openAgain()
    await other.site.runDue()
    const expected = [await make('One')]
    await other.site.runDue()
    site.clock.now += by
    expected.push(await make('Two'))
    site.clock.now -= 2 * by
    expected.push(await make('Three'))
    await other.site.runDue()
    site.clock.now += 3 * day
    await other.site.runDue()
    await other.close()
    expect(arrived().toSorted()).toEqual(expected.toSorted())
  },
)

test('the first change of a process belongs to the webhooks of its options, one that was rolled back leaves them so', async () => {
  const ada = await open({
    webhooks: [{ ...receiverOptions(), events: ['post.created'] }],
    hooks: { 'post.created': refuseOdd },
  })
  const { status } = await ada('POST', posts, { body: { title: 'Odd' } })
  const { body } = await ada('POST', posts, { body: { title: 'Tide' } })
  await due()
  expect([status, receiver.received.map(({ subject }) => subject)]).toEqual([409, [`post:${body.id}`]])
})

const refuseOdd = ({ post }: { readonly post: { readonly title: string } }) => {
  if (post.title === 'Odd') throw new ApiError('odd', 'It is odd.', 409)
}
