/** The route handlers as Next serves them: one application, built once, with a process of `next start` for each setup. */
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { ended, removeExample, run, stop, waitForOutput } from '../../support/example.ts'
import type { Host } from './host.ts'

const home = join(import.meta.dirname, '../../..')

const files = {
  'package.json': '{ "type": "module" }',
  'next.config.js': `import { nextDiscovery } from 'mounted-site/next'
  const { headers, rewrites } = nextDiscovery({ url: 'https://quay.example', front: '/welcome' })
  export default {
    headers,
    serverExternalPackages: ['mounted-site'],
    skipTrailingSlashRedirect: true,
    rewrites: async () => ({
      beforeFiles: [
        ...(await rewrites()).beforeFiles,
        { source: '/said/:value', destination: '/api/echo/v1/path/:value' },
      ],
    }),
    // Next would look for its packages in this folder alone.
    turbopack: { root: '/' },
  }`,
  'app/layout.js': 'export default ({ children }) => children',
  'app/welcome/page.js': "export default () => 'the host'",
  'app/api/[[...path]]/route.js': `
    import { createNamedSite, createNextHandlers } from 'mounted-site'
    const { site, options } = JSON.parse(process.env.SETUP ?? '{"site":"echo"}')
    const { api } = await (globalThis.mounted ??= createNamedSite(site, options))
    export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createNextHandlers(api)`,
}

/** The application imports this module: our source, in one file. */
const mountedSite = `
  export { createNextHandlers } from './adapters/next.ts'
  export { createNamedSite } from './test/adapters/sites.ts'`

const next = ['node_modules/next/dist/bin/next']

async function createApplication(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-next-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  mkdirSync(join(folder, 'node_modules'))
  for (const entry of readdirSync(join(home, 'node_modules'))) {
    symlinkSync(join(home, 'node_modules', entry), join(folder, 'node_modules', entry))
  }
  const site = join(folder, 'node_modules/mounted-site')
  await build({
    entryPoints: [join(home, 'adapters/next.ts')],
    outfile: join(site, 'next.js'),
    ...{ bundle: true, format: 'esm', platform: 'node' },
  })
  await build({
    stdin: { contents: mountedSite, resolveDir: home },
    outfile: join(site, 'index.js'),
    ...{ bundle: true, format: 'esm', platform: 'node', packages: 'external' },
  })
  writeFileSync(
    join(site, 'package.json'),
    '{ "type": "module", "exports": { ".": "./index.js", "./next": "./next.js" } }',
  )
  await ended(run(folder, [...next, 'build']))
  return folder
}

let application: Promise<string> | undefined

/** The folder of the application, built once per process. It takes a while. */
export const builtApplication = (): Promise<string> => {
  application ??= createApplication()
  return application
}

/** Once all of its processes have ended. */
export async function removeApplication(): Promise<void> {
  if (application) removeExample(await application)
  application = undefined
}

export const nextStartHost: Host = {
  name: 'next start',
  cannot: {
    headersBefore: 'Next takes the headers of the host from its build',
    fallThrough: 'Next picks the route file before us',
    allPaths: 'Next answers what no route file matches',
    front: 'the configuration of Next has it: nextDiscovery',
    outer: 'the folder of the route file says where it is',
    roots: 'the folder of the route file says where it is',
    allMethods: 'Next refuses methods that no route file can export',
  },
  skips: {
    'bad escapes get the common error body': 'Next answers them in a path with 500, and mends them in a query',
    'rest_route accepts every method and rejects what is not a path': 'Next mends bad escapes in a query',
    'reserved names are 400 at every depth': 'Next writes the query anew, and leaves __proto__ out',
    'an absolute request target is accepted': 'Next redirects to it without the two slashes',
    'two leading slashes are not the mount': 'Next redirects to the address with one',
    'HEAD has the headers of the GET, with its length': 'Next sends no Content-Length of ours',
    'two Authorization lines are 401': 'Next hands the first one in',
  },
  async start(setup) {
    const served = run(await builtApplication(), [...next, 'start', '-H', '127.0.0.1', '-p', '0'], {
      SETUP: JSON.stringify(setup),
    })
    const origin = await waitForOutput(served, /Local:\s+(\S+)[\s\S]*Ready/)
    return {
      origin,
      fetch: (target, init) => fetch(origin + target, init),
      close: async () => void (await stop(served)),
    }
  },
}
