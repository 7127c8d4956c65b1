/** The intake of forms in each host, as docs/forms.md has it, and the client that sends them. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as program from '../../docs/examples/forms.ts'
import { sendForm } from '../../src/client/index.ts'
import type { SiteApi } from '../../src/host/create-site-api.ts'
import { type D2, d2 } from '../../src/profiles/d2.ts'
import { field, formPage } from '../features/builder/form-submissions/form-page.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'

const fields = [
  field('name', 'text', 'Name', { required: 'true' }),
  field('mail', 'email', 'E-mail'),
  field('days', 'checkbox', 'Days', { field_options: 'Mon\nTue' }),
  field('papers', 'upload', 'Papers', { file_types: 'txt' }),
]
const page = {
  ...{
    key: 'contact',
    slug: 'contact',
    title: 'Contact',
    status: 'publish',
    author: 'editor',
    content: '',
    categories: [],
  },
  date: '2024-02-20T09:00:00',
  meta: {
    _builder_edit_mode: 'builder',
    _builder_data: JSON.stringify(
      formPage({ form_fields: fields, custom_messages: 'yes', success_message: 'Thanks.' }),
    ),
  },
}

let site: TestSite
let form: { readonly postId: number; readonly elementId: string }
let api: SiteApi<D2>
beforeAll(async () => {
  site = await createTestSite({ profile: d2, seed: { ...smallSite, posts: [...smallSite.posts, page] } })
  // The cast: the profile of the site.
  api = site.api as unknown as SiteApi<D2>
  form = { postId: site.ids['post.contact'] as number, elementId: '476d0ce' }
})
afterAll(() => site.dispose())

const hosts: { readonly [name: string]: () => Promise<{ readonly url: string; close(): Promise<unknown> }> } = {
  node: () => listening(program.nodeServer(api)),
  Express: () => listening(program.expressApp(api).listen(0, '127.0.0.1')),
  Fastify: async () => {
    const app = program.fastifyApp(api)
    return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
  },
}

async function listening(server: Server) {
  if (!server.listening) server.listen(0, '127.0.0.1')
  if (!server.address()) await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

describe.each(Object.keys(hosts))('%s', (name) => {
  test('takes forms with files, says what is wrong, and serves the api', async () => {
    const host = await hosts[name]?.()
    if (!host) throw new Error(name)
    const address = `${host.url}/submit-form`
    const files = { papers: [new File(['plain text'], 'a.txt')] }
    const values = { name: `Bob of ${name}`, days: ['Mon', 'Tue'] }
    expect(await sendForm(address, { ...form, values, files })).toEqual({ ok: true, message: 'Thanks.' })
    const refused = await sendForm(address, { ...form, values: { mail: 'bob' } })
    expect(!refused.ok && [refused.status, Object.keys(refused.error.params ?? {})]).toEqual([400, ['name', 'mail']])
    expect((await fetch(`${host.url}/api/cms/v2/posts`)).status).toBe(200)
    await host.close()
    const [latest] = (await site.as('ada')('GET', '/builder/v1/form-submissions')).body.data
    const { data } = (await site.as('ada')('GET', `/builder/v1/form-submissions/${latest.id}`)).body
    expect(data.values.map(({ value }: { value: string }) => value)).toEqual([
      ...[`Bob of ${name}`, '', 'Mon, Tue'],
      expect.stringMatching(/\/a\.txt$/),
    ])
  })
})

test('a web-standard host takes them, checks before it sends, and sends each form once', async () => {
  const handler = program.intake(api)
  let requests = 0
  const fetch = (url: string, init: RequestInit) => {
    requests++
    return handler(new Request(`https://quay.example${url}`, init))
  }
  const outgoing = { ...form, values: { name: 'Bob' }, key: 'once' }
  expect(await sendForm('/submit-form', outgoing, { fetch })).toEqual({ ok: true, message: 'Thanks.' })
  const before = (await site.as('ada')('GET', '/builder/v1/form-submissions')).body.meta.pagination.total
  expect((await sendForm('/submit-form', outgoing, { fetch })).ok).toBe(true)
  expect((await site.as('ada')('GET', '/builder/v1/form-submissions')).body.meta.pagination.total).toBe(before)
  expect(requests).toBe(2)
  expect(await program.sendChecked(api, 'http://127.0.0.1:1/', { ...form, values: { mail: 'x' } })).toEqual({
    name: 'This field is required.',
    mail: 'This is no e-mail address.',
  })
})

test('a form that cannot be sent is a failure, not an exception', async () => {
  const sent = await sendForm('http://127.0.0.1:1/', { ...form, values: {} })
  expect(!sent.ok && [sent.status, sent.error.code]).toEqual([0, 'client_network'])
})
