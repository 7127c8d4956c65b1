/** A site that sends its events to a receiver on this machine, and a program that reads those that it has missed. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createHttpClient, createSiteApi, d1 } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'
import { Webhook } from 'standardwebhooks'

const secret = process.env.WEBHOOK_SECRET ?? 'whsec_bG93IHRpZGUgYXQgbm9vbiwgaGlnaCBhdCBzaXg='
const arrived = Promise.withResolvers<void>()
const seen = new Set<string>()

// The receiver: any program on any machine.
const receiver = createServer(async (request, response) => {
  const body = await text(request)
  const id = String(request.headers['webhook-id'])
  try {
    new Webhook(secret).verify(body, {
      'webhook-id': id,
      'webhook-timestamp': String(request.headers['webhook-timestamp']),
      'webhook-signature': String(request.headers['webhook-signature']),
    })
  } catch {
    response.writeHead(401).end()
    return
  }
  const { type, subject, data } = JSON.parse(body)
  // An event may arrive twice.
  if (!seen.has(id)) console.log(`received ${type} of ${subject}: ${data.post.slug}`)
  seen.add(id)
  response.writeHead(204).end()
  arrived.resolve()
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const { port } = receiver.address() as AddressInfo

const api = createSiteApi({
  storage: memoryStorage(),
  profile: d1,
  url: 'https://example.com',
  webhooks: [{ url: `http://127.0.0.1:${port}/`, secret, events: ['post.published'] }],
  // Without it, only public addresses are reached.
  services: { outbound: createHttpClient({ allow: (address) => address === '127.0.0.1' }) },
})

await api.call('POST', '/cms/v2/posts', { title: 'High tide', status: 'publish' }, { as: 'system' })
await arrived.promise

const { events, cursor } = await api.events.since(0)
for (const { sequence, name } of events) console.log(sequence, name)
console.log(`the next call is since(${cursor})`)

const made = await api.site.webhooks.create({ url: 'https://example.org/hook', events: ['comment.*'] })
console.log(made.secret.length > 30 ? 'a secret was made' : 'no secret')
await api.site.webhooks.remove(made.id)

await api.close()
receiver.close()
