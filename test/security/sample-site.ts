/** Opens the sample site for odd requests: the administrator sends them, and no limit or other server stops them. */
import { readFileSync } from 'node:fs'
import { full } from '../../src/profiles/full.ts'
import { createPackages } from '../../src/services/packages/index.ts'
import { baseUrl, createTestSite, type TestSite } from '../support/site.ts'

const sampleSite = JSON.parse(readFileSync(new URL('../../docs/sample-site.json', import.meta.url), 'utf8'))

/** Recorded: what has no trash and is not forced is 501. An upstream that is not there is 502. */
export const isFailure = (status: number): boolean => status >= 500 && status !== 501 && status !== 502

export interface SampleSite {
  readonly site: TestSite
  send(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers?: { readonly [name: string]: string },
  ): Promise<{ readonly status: number; readonly text: string }>
}

export async function openSampleSite(): Promise<SampleSite> {
  const site = await createTestSite({
    profile: full,
    seed: sampleSite,
    // Without passwords, so that no request locks the administrator out.
    authenticate: ({ header }) => Number(header('x-user')),
    limit: () => 0,
    services: {
      outbound: { get: async (url) => ({ url, status: 404, contentType: 'text/plain', body: new Uint8Array() }) },
      packages: createPackages([{ kind: 'plugin', slug: 'assistant', name: 'Assistant', version: '1.0' }]),
    },
  })
  const administrator = String(site.ids['user.ada'])
  return {
    site,
    async send(method, path, body, headers = { 'content-type': 'application/json' }) {
      const signedIn = { 'x-user': administrator, ...headers }
      const request = { method, headers: signedIn, ...(body === undefined ? {} : { body }) }
      const response = await site.api.fetch(new Request(`${baseUrl}${site.api.root}${path}`, request))
      return { status: response.status, text: await response.text() }
    },
  }
}
