/**
 * The parts that need a disk, sockets, threads or an optional peer act once, after those of late-parts.js: copied into a project that
 * has the package and its peers, and run by Node, Bun and Deno. Argument: the address of an empty PostgreSQL database, or nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import sharp from 'sharp'
import * as site from 'site-api'
import * as mcp from 'site-api/mcp'
import * as names from 'site-api/names'
import * as node from 'site-api/node'
import * as pages from 'site-api/pages'
import { memoryStorage } from 'site-api/storage/memory'
import { postgresStorage } from 'site-api/storage/postgres'
import { readingThreadStorage } from 'site-api/storage/reading-thread'
import { sqliteStorage } from 'site-api/storage/sqlite'
import { SMTPServer } from 'smtp-server'
import { home, openSite, parts, wrongParts } from './late-parts.js'

const folder = await mkdtemp(join(tmpdir(), 'late-parts-'))
const database = process.argv[2]
const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#369' } })
  .jpeg({ quality: 100 })
  .toBuffer()
const unless = (isRight, seen) => (isRight ? undefined : String(seen).slice(0, 300))
const listening = (server) =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.server ?? server).address().port)))

/** A server that keeps the bodies it is sent, and the sender that may reach it. */
async function receiver() {
  const got = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    got.push(body)
    response.writeHead(204).end()
  })
  const url = `http://127.0.0.1:${await listening(server)}/hook`
  const outbound = site.createHttpClient({ allow: (address) => address === '127.0.0.1' })
  return { got, url, outbound, close: () => server.close() }
}

const onMachine = {
  async 'webhook over HTTP'() {
    const { got, url, outbound, close } = await receiver()
    const webhooks = [{ url, secret: `whsec_${btoa('a key of 24 bytes, or so')}`, events: ['post.published'] }]
    const { api, send, failures } = await openSite(site, memoryStorage(), { services: { outbound }, webhooks })
    await send('POST', '/cms/v2/posts', { title: 'Tide', status: 'publish' })
    await api.site.runDue()
    await api.close()
    close()
    return unless(got.length === 1 && got[0].includes('post.published'), `${got} ${failures}`)
  },

  async 'form with a file, mail over SMTP, and webhook'() {
    const mails = []
    const server = new SMTPServer({
      ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
      onData: async (stream, _session, done) => {
        let text = ''
        for await (const part of stream) text += part
        mails.push(text)
        done()
      },
    })
    const transport = createTransport({ host: '127.0.0.1', port: await listening(server), ignoreTLS: true })
    const { got, url, outbound, close } = await receiver()
    const mail = { send: ({ id: _id, ...message }) => transport.sendMail({ from: 'site@quay.example', ...message }) }
    const { api, built, send, failures } = await openSite(site, memoryStorage(), { services: { outbound, mail } })
    const form_fields = [
      { _id: 'a1', custom_id: 'name', field_type: 'text' },
      { _id: 'a2', custom_id: 'file', field_type: 'upload', file_types: 'txt' },
    ]
    const submit_actions = ['save-to-database', 'email', 'webhook']
    const settings = { form_name: 'Desk', submit_actions, email_to: 'desk@quay.example', form_fields, webhooks: url }
    const { id } = await built([{ id: 'abc1234', elType: 'widget', widgetType: 'form', settings, elements: [] }])
    const body = new FormData()
    for (const [name, value] of [
      ['post_id', String(id)],
      ['form_id', 'abc1234'],
      ['form_fields[name]', 'Low tide'],
    ]) {
      body.set(name, value)
    }
    body.set('form_fields[file]', new File(['papers'], 'n.txt', { type: 'text/plain' }))
    const { status } = await site.submissionHandler(api)(new Request(`${home}/submit`, { method: 'POST', body }))
    await api.site.runDue()
    const kept = (await send('GET', '/builder/v1/form-submissions')).value.data
    await api.close()
    transport.close()
    close()
    await new Promise((resolve) => server.close(resolve))
    const isRight = status === 200 && mails.join().includes('Low tide') && got.length === 1 && kept.length === 1
    return unless(isRight, `${status}, ${mails.length} mails, ${got.length} posts, ${kept.length} kept, ${failures}`)
  },

  async 'multipart upload, pictures, optimization and files'() {
    const services = {
      media: site.createMedia({ folder: join(folder, 'uploads') }),
      images: site.createImages({ optimizes: true }),
    }
    const { api, send, failures } = await openSite(site, memoryStorage(), { services })
    const config = { configs: { settings: { auto: true, lossy: 1, webp_mod: true } } }
    await send('POST', '/imgopt/v1/preset_configs', JSON.stringify([{ id: 7, name: 'Mine', config }]), {
      'content-type': 'application/json',
    })
    const form = new FormData()
    form.set('title', 'Pier')
    form.set('file', new File([picture], 'pier.jpg', { type: 'image/jpeg' }))
    const made = await send('POST', '/cms/v2/media', form)
    await api.site.runDue()
    const { optimized } = await api.site.images.summary()
    const turned = await send('POST', `/cms/v2/media/${made.value?.id}/edit`, {
      ...{ src: made.value?.source_url, modifiers: [{ type: 'rotate', args: { angle: 90 } }] },
    })
    await api.close()
    const sizes = Object.keys(made.value?.media_details?.sizes ?? {}).length
    const isRight = made.status === 201 && sizes > 1 && optimized === 1 && turned.status === 201
    return unless(
      isRight,
      `${made.status}, ${sizes} sizes, ${optimized} optimized, edit ${turned.status} ${turned.text}, ${failures}`,
    )
  },

  async 'size of a picture without sharp'() {
    const images = site.createImages({ load: () => Promise.reject(new Error('not installed')) })
    const { api, send } = await openSite(site, memoryStorage(), { services: { images } })
    const form = new FormData()
    form.set('file', new File([picture], 'pier.jpg', { type: 'image/jpeg' }))
    const made = await send('POST', '/cms/v2/media', form)
    await api.close()
    return unless(made.value?.media_details?.width === 900, `${made.status} ${made.text}`)
  },

  async 'lookup of a name'() {
    const { outbound, close, url } = await receiver()
    // The address is refused; a failed import would be `unsupported`, an unknown name `failed`.
    const client = site.createHttpClient({ allow: () => false })
    const error = await client.get(url.replace('127.0.0.1', 'localhost')).catch((reason) => reason)
    await outbound.get(url).catch(() => undefined)
    close()
    return unless(error?.code === 'refused', `${error?.code} ${error?.message}`)
  },

  async MCP() {
    const { api, send, authorization } = await openSite(site, memoryStorage())
    await send('POST', '/cms/v2/posts', { title: 'High tide', status: 'publish' })
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find', arguments: {} } }
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization }
    const request = new Request(`${home}/mcp`, { method: 'POST', headers, body: JSON.stringify(call) })
    const response = await mcp.createMcpHandler(api)(request)
    const text = await response.text()
    await api.close()
    return unless(response.status === 200 && text.includes('High tide'), `${response.status} ${text}`)
  },

  async 'SQLite, and the search on a thread'() {
    const { api, send } = await openSite(site, readingThreadStorage(sqliteStorage(join(folder, 'site.db'))))
    await send('POST', '/cms/v2/posts', { title: 'High tide', status: 'publish' })
    const found = await send('GET', '/cms/v2/posts?search=tide')
    await api.close()
    return unless(found.value?.length === 1, `${found.status} ${found.text}`)
  },

  ...(database === undefined
    ? {}
    : {
        async PostgreSQL() {
          const { api, send } = await openSite(site, postgresStorage(database))
          const made = await send('POST', '/cms/v2/posts', { title: 'High tide', status: 'publish' })
          const found = await send('GET', `/cms/v2/posts?include=${made.value?.id}`)
          await api.close()
          return unless(found.value?.length === 1, `${made.status} ${found.status} ${found.text}`)
        },
      }),

  async 'node handler'() {
    const { api } = await openSite(site, memoryStorage())
    const server = createServer(node.createNodeHandler(api))
    const response = await fetch(`http://127.0.0.1:${await listening(server)}/api/cms/v2/posts`)
    const posts = await response.json()
    server.close()
    await api.close()
    return unless(Array.isArray(posts), response.status)
  },
}

const environment = { site, storage: memoryStorage, more: { pages, names } }
const wrong = await wrongParts({ ...parts, ...onMachine }, environment)
await rm(folder, { recursive: true, force: true })
console.log(JSON.stringify({ acted: Object.keys(parts).length + Object.keys(onMachine).length, wrong }))
// A runtime may keep idle connections of `fetch` for some seconds.
process.exit()
