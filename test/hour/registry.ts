/** A registry on this machine that has packed packages of this repository, and passes all others on to the registry of npm. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { outputOf } from '../package/run.ts'

const upstream = 'https://registry.npmjs.org'

export interface Registry {
  readonly url: string
  close(): void
}

export async function createRegistry(tarballs: readonly string[]): Promise<Registry> {
  const packages = await Promise.all(tarballs.map(async (file) => ({ file, manifest: await manifestIn(file) })))
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent((request.url ?? '').replace(/\?.*/, ''))
    const packed = packages.find(({ file }) => path === `/-/${basename(file)}`)
    if (packed) return void response.end(readFileSync(packed.file))
    const own = packages.find(({ manifest }) => path === `/${manifest.name}`)
    if (own) return void sendJson(response, documentOf(own.file, own.manifest, url()))
    await passOn(request.url ?? '/', request.headers.accept ?? '*/*', response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: url(), close }
}

interface Manifest {
  readonly name: string
  readonly version: string
}

const manifestIn = async (file: string): Promise<Manifest> =>
  JSON.parse(await outputOf('tar', ['-xzOf', file, 'package/package.json'], '.'))

function documentOf(file: string, manifest: Manifest, url: string) {
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  const version = { ...manifest, dist: { tarball: `${url}/-/${basename(file)}`, integrity } }
  return {
    ...{ name: manifest.name, 'dist-tags': { latest: manifest.version } },
    versions: { [manifest.version]: version },
  }
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}

async function passOn(path: string, accept: string, response: ServerResponse): Promise<void> {
  // Advice on known faults of packages takes a body; installations go on without it.
  if (path.startsWith('/-/npm/v1/')) return void response.writeHead(404).end()
  try {
    const answer = await fetch(upstream + path, { headers: { accept } })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  } catch (error) {
    response.writeHead(502).end(`${error}`)
  }
}
