/** The programs that `site-api init` writes, by host. They are JavaScript modules, so that they run without a build. */

export type HostName = 'next' | 'express' | 'fastify' | 'hono' | 'bun' | 'node'

export interface HostProgram {
  /** The packages that the program imports. */
  readonly install: readonly string[]
  readonly start: string
  readonly url: string
  /** Texts by file. `folder` is the folder of the sources, empty or with a slash at its end. */
  files(folder: string): { readonly [file: string]: string }
}

/** The path is relative to the folder of the route handler. */
const nextModule = '../../../site-api.js'

const url = 'http://127.0.0.1:3000'
const site = `import { createSiteApi, d1 } from 'site-api'
import { sqliteStorage } from 'site-api/storage/sqlite'
`
const options = `{
  storage: sqliteStorage('site.db'),
  profile: d1,
  url: process.env.SITE_URL ?? '${url}',
}`
const port = 'Number(process.env.PORT ?? 3000)'

/** A program in one file, started with Node. */
const inOneFile = (install: readonly string[], imports: string, body: string, runtime = 'node'): HostProgram => ({
  install: ['site-api', ...install],
  start: `${runtime} site.mjs`,
  url,
  files: () => ({ 'site.mjs': `${imports}${site}\nconst api = createSiteApi(${options})\n\n${body}` }),
})

export const hosts: { readonly [name in HostName]: HostProgram } = {
  next: {
    install: ['site-api'],
    start: 'npx next dev --port 3000',
    url,
    files: (folder) => ({
      [`${folder}site-api.js`]: `import { createSiteApi, d1 } from 'site-api'
import { keepApi } from 'site-api/next'
import { sqliteStorage } from 'site-api/storage/sqlite'

// Next loads this module several times; the process keeps one api.
const options = ${options}
export const api = keepApi(options, createSiteApi)
`,
      [`${folder}app/api/[[...path]]/route.js`]: `import { createNextHandlers } from 'site-api/next'
import { api } from '${nextModule}'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createNextHandlers(api)
`,
    }),
  },
  express: inOneFile(
    ['express'],
    `import express from 'express'\nimport { createExpressHandler } from 'site-api/express'\n`,
    `const app = express()
app.use('/api', createExpressHandler(api))
const server = app.listen(${port}, '127.0.0.1', () => console.log(\`listening on http://127.0.0.1:\${server.address().port}/api\`))
`,
  ),
  fastify: inOneFile(
    ['fastify'],
    `import Fastify from 'fastify'\nimport { createFastifyPlugin } from 'site-api/fastify'\n`,
    `const app = Fastify()
await app.register(createFastifyPlugin(api))
console.log(\`listening on \${await app.listen({ port: ${port}, host: '127.0.0.1' })}/api\`)
`,
  ),
  hono: inOneFile(
    ['hono', '@hono/node-server'],
    `import { serve } from '@hono/node-server'\nimport { Hono } from 'hono'\n`,
    `const app = new Hono()
app.all('/api/*', (context) => api.fetch(context.req.raw))
app.all('/api', (context) => api.fetch(context.req.raw))
serve({ fetch: app.fetch, port: ${port}, hostname: '127.0.0.1' }, (address) => {
  console.log(\`listening on http://127.0.0.1:\${address.port}/api\`)
})
`,
  ),
  bun: inOneFile(
    [],
    `import { serveBun } from 'site-api/bun'\n`,
    `const served = await serveBun(api, { port: ${port} })
console.log(\`listening on \${served.url}\${api.root}\`)
`,
    'bun',
  ),
  node: inOneFile(
    [],
    `import { serveNode } from 'site-api/node'\n`,
    `const served = await serveNode(api, { port: ${port} })
console.log(\`listening on \${served.url}\${api.root}\`)
`,
  ),
}
