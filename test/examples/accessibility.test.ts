/** Runs the examples of docs/accessibility.md: the pages of a host with the remediations of the site. */
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { remediated } from '../../docs/examples/accessibility/express.ts'
import { addRemediation } from '../../docs/examples/accessibility/fastify.ts'
import { remediating } from '../../docs/examples/accessibility/fetch.ts'
import { createSiteApi, d2 } from '../../src/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

const site = 'https://quay.example'
const page = '<!DOCTYPE html><html><head></head><body><img src="/boat.png"></body></html>'
const described = page.replace('.png">', '.png" alt="A boat">')

async function createApi() {
  const api = createSiteApi({ storage: memoryStorage(), profile: d2, url: site })
  const { id } = await api.site.users.create({ login: 'ada', roles: ['administrator'] })
  const remediation = {
    type: 'ATTRIBUTE',
    action: 'add',
    xpath: '//img',
    attribute_name: 'alt',
    attribute_value: 'A boat',
  }
  const item = { url: `${site}/boats`, rule: 'img_alt_missing', group: 'altText', remediation }
  await api.call('POST', '/a11y/v1/remediation/item', item, { as: id })
  return api
}

const read = async (address: string): Promise<string> => (await fetch(address)).text()

test('the middleware of Express changes pages, and nothing else', async () => {
  const app = express().use(remediated(await createApi(), site))
  app.get('/boats', (_, response) => void response.send(page))
  app.get('/other', (_, response) => void response.send(page))
  app.get('/data', (_, response) => void response.json({ page }))
  const server = app.listen(0)
  onTestFinished(() => void server.close())
  const base = `http://localhost:${(server.address() as AddressInfo).port}`
  expect(await Promise.all(['/boats', '/other'].map((path) => read(base + path)))).toEqual([described, page])
  expect(JSON.parse(await read(`${base}/data`))).toEqual({ page })
})

test('the hook of Fastify changes pages, and nothing else', async () => {
  const app = fastify()
  addRemediation(app, await createApi(), site)
  app.get('/boats', (_, reply) => reply.type('text/html').send(page))
  app.get('/data', (_, reply) => reply.send({ page }))
  onTestFinished(() => app.close())
  const base = await app.listen({ port: 0 })
  expect(await read(`${base}/boats`)).toBe(described)
  expect(JSON.parse(await read(`${base}/data`))).toEqual({ page })
})

test('a fetch handler changes pages, and their headers with them', async () => {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-length': String(page.length), etag: '"1"' }
  const handler = remediating(async () => new Response(page, { headers }), await createApi())
  const response = await handler(new Request(`${site}/boats`))
  expect([await response.text(), response.headers.get('etag'), response.headers.get('content-length')]).toEqual([
    described,
    null,
    null,
  ])
})
