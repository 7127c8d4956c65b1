/** Names the scripts and packages of each host, which a project has beside the files in `docs/starters`. */

export type HostName = 'node' | 'express' | 'fastify' | 'next' | 'hono' | 'bun'

interface Versions {
  readonly [name: string]: string
}

export interface Host {
  readonly scripts: { readonly [name: string]: string }
  readonly dependencies: Versions
  readonly devDependencies: Versions
  /** The files, below the folder of the sources, that an application which is there already gets. */
  readonly added: readonly string[]
}

/** The versions are those that the tests run with. */
const typescript: Versions = { '@types/node': '^24.0.0', typescript: '^6.0.0' }

const site = ['content.ts', 'site.ts', 'first-start.ts']

const server = (
  runtime: { readonly start: string; readonly dev: string; readonly test: string },
  dependencies: Versions = {},
  devDependencies: Versions = {},
): Host => ({
  scripts: { ...runtime, types: 'tsc' },
  dependencies,
  devDependencies: { ...devDependencies, ...typescript },
  added: [...site, 'server.ts'],
})

const node = {
  start: 'node --env-file-if-exists=.env src/server.ts',
  dev: 'node --env-file-if-exists=.env --watch src/server.ts',
  test: 'node --test test/*.test.ts',
}

export const hosts: { readonly [name in HostName]: Host } = {
  node: server(node),
  express: server(node, { express: '^5.1.0' }, { '@types/express': '^5.0.6' }),
  fastify: server(node, { fastify: '^5.0.0' }),
  hono: server(node, { '@hono/node-server': '^1.0.0', hono: '^4.0.0' }),
  bun: server({ start: 'bun src/server.ts', dev: 'bun --watch src/server.ts', test: 'bun test' }),
  next: {
    scripts: { dev: 'next dev', build: 'next build', start: 'next start', test: node.test, types: 'tsc' },
    dependencies: { next: '^16.0.0', react: '^19.3.0', 'react-dom': '^19.3.0' },
    devDependencies: { ...typescript, '@types/react': '^19.3.0' },
    added: [...site, 'instrumentation.ts', 'app/api/[[...path]]/route.ts'],
  },
}
