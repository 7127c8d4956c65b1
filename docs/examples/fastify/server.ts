/** A Fastify application with its own routes, and a site below `/api`. */
import Fastify from 'fastify'
import { createSiteApi, d2 } from 'site-api'
import { createFastifyPlugin, createFrameworkErrors } from 'site-api/fastify'
import { closeServer } from 'site-api/node'
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
  // Fastify rejects some URLs before any plugin runs; the API returns its own error for those below its root.
  frameworkErrors: createFrameworkErrors(api),
})

// A hook of the application also runs for responses of the site.
app.addHook('onRequest', async (_, reply) => void reply.header('Referrer-Policy', 'same-origin'))

interface ListedPost {
  readonly link: string
  readonly title: { readonly rendered: string }
}

/** Rendered HTML is filtered. */
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

/** Fastify parses and validates the form, the site stores it: editors read it at `/api/builder/v1/form-submissions`. */
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

// The first start creates a user who can read submissions.
if (await api.site.isEmpty()) {
  const { id } = await api.site.users.create({ login: 'ada', roles: ['administrator'] })
  const { password } = await api.site.passwords.create(id, 'first start')
  console.log(`sign in as ada with ${password}`)
}
console.log(`listening on ${await app.listen({ port: Number(PORT) })}`)

process.once('SIGTERM', async () => {
  await closeServer(app.server)
  await app.close()
})
