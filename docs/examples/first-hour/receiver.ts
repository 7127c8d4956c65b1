/** Takes webhooks in a separate program, which may run on another machine. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const verifier = new Webhook('whsec_bG93IHRpZGUgYXQgbm9vbiwgaGlnaCBhdCBzaXg=')

createServer(async (request, response) => {
  const body = await text(request)
  try {
    verifier.verify(body, {
      'webhook-id': `${request.headers['webhook-id']}`,
      'webhook-timestamp': `${request.headers['webhook-timestamp']}`,
      'webhook-signature': `${request.headers['webhook-signature']}`,
    })
  } catch {
    response.writeHead(401).end()
    return
  }
  const { type, data } = JSON.parse(body)
  console.log(`received ${type}: ${data.post.slug}`)
  response.writeHead(204).end()
}).listen(4000, '127.0.0.1', () => console.log('waiting for webhooks'))
