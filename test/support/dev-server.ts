/**
 * `npm run dev`: the sample site in memory, restarted by `node --watch` when a file that it loaded changes. Each start
 * has the same content and the same password, so that clients keep working. `--port 3000`, `--profile d1`.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { serveNode } from '../../adapters/node.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

const { values } = parseArgs({
  options: { port: { type: 'string', default: '3000' }, profile: { type: 'string', default: 'd1' } },
})
const profile = values.profile === 'd2' ? d2 : d1
const login = 'ada'
// No secret: the server listens on the loopback address only.
const password = 'sample-site-password'

interface Sample {
  readonly users: readonly { readonly login: string }[]
}

// The cast: it is our own file.
const sample = JSON.parse(readFileSync(new URL('../../docs/sample-site.json', import.meta.url), 'utf8')) as Sample
const users = sample.users.map((user) => (user.login === login ? { ...user, application_password: password } : user))

try {
  const { url } = await serveNode(
    async (baseUrl) => {
      const api = createSiteApi({ storage: memoryStorage(), profile, url: baseUrl, docs: true })
      await api.site.seed({ ...sample, users }, { baseUrl })
      return api
    },
    { port: Number(values.port) },
  )
  console.log(`${url}/api/docs shows the sample site of profile ${profile.name}: sign in as ${login} with ${password}`)
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
  console.error(`port ${values.port} is taken: npm run dev -- --port 0 takes a free one`)
  process.exitCode = 1
}
