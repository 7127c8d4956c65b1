/** A Fastify application with routes of its own, beside a site below `/api`. */
import Fastify from 'fastify'
import { createSiteApi, d2 } from 'site-api'
import { createFastifyPlugin, createFrameworkErrors } from 'site-api/fastify'
import { sqliteStorage } from 'site-api/storage/sqlite'

const { PORT = '3000', SITE_FILE = 'site.db', SITE_URL = `http://localhost:${PORT}` } = process.env

const api = createSiteApi({
  storage: sqliteStorage(SITE_FILE),
  profile: d2,
  url: SITE_URL,
  log: { error: (message, { id, error }) => app.log.error({ id, err: error }, message) },
})

const app = Fastify({
  logger: { level: 'warn' },
  // Fastify refuses some addresses before any plugin sees them; the site answers those that are its own.
  frameworkErrors: createFrameworkErrors(api),
})

// A hook of the application: the answers of the site run through it as all others do.
app.addHook('onRequest', async (_, reply) => void reply.header('Referrer-Policy', 'same-origin'))

interface ListedPost {
  readonly link: string
  readonly title: { readonly rendered: string }
}

/** What the service renders is filtered HTML. */
app.get('/', async (_, reply) => {
  const { data: posts } = await api.call<readonly ListedPost[]>('GET', '/cms/v2/posts', { per_page: 10 })
  const lines = posts.map(({ link, title }) => `<li><a href="${link}">${title.rendered}</a></li>`)
  return reply
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><title>Latest posts</title><ul>${lines.join('')}</ul>`)
})

interface Message {
  readonly email: string
  readonly text: string
}

const messageSchema = {
  body: {
    type: 'object',
    required: ['email', 'text'],
    properties: { email: { type: 'string', format: 'email' }, text: { type: 'string', maxLength: 2000 } },
  },
}

/** Parsed and checked by Fastify, kept by the site: editors read it below `/api/builder/v1/form-submissions`. */
app.post<{ Body: Message }>('/contact', { schema: messageSchema }, async ({ body }, reply) => {
  await api.site.submissions.add({
    postId: 1,
    elementId: 'c0a7ac7',
    formName: 'Contact',
    fields: [
      { id: 'email', type: 'email', label: 'E-mail', value: body.email },
      { id: 'text', type: 'textarea', label: 'Message', value: body.text },
    ],
  })
  return reply.code(204).send()
})

await app.register(createFastifyPlugin(api))
app.addHook('onClose', () => api.close())

// The first start makes somebody who may read what people send.
if (await api.site.isEmpty()) {
  const { id } = await api.site.users.create({ login: 'ada', roles: ['administrator'] })
  const { password } = await api.site.passwords.create(id, 'first start')
  console.log(`sign in as ada with ${password}`)
}
console.log(`listening on ${await app.listen({ port: Number(PORT) })}`)

process.once('SIGTERM', () => void app.close())
