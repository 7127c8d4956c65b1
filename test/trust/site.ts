/** A seeded site on a PostgreSQL, and what became of each request that was sent to it. */

import type { Storage } from '../../src/contract/storage.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import type { Parsed } from '../support/parsed.ts'
import { passwordOf, smallSite } from '../support/small-site.ts'

const address = 'https://quay.example/api'
const authorization = `Basic ${Buffer.from(`edith:${passwordOf('edith')}`).toString('base64')}`

export interface Answer {
  readonly status: number
  readonly body: Parsed
}

export interface TrustSite {
  get(path: string): Promise<Answer>
  /** Creates a post; its title is the key of the request too, so that it may be sent again. */
  create(title: string, content?: string): Promise<Answer>
  close(): Promise<void>
}

export async function openSite(storage: Storage): Promise<TrustSite> {
  // Failures that the storage reports are expected here.
  const api = createSiteApi({ storage, profile: d1, url: 'https://quay.example', log: { error: () => undefined } })
  await api.site.seed(smallSite)
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await api.fetch(new Request(`${address}${path}`, init))
    return { status: response.status, body: await response.json() }
  }
  return {
    get: (path) => send(path, { headers: { authorization } }),
    create: (title, content = '') =>
      send('/cms/v2/posts', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': title },
        body: JSON.stringify({ title, content, status: 'publish' }),
      }),
    close: () => api.close(),
  }
}

type Outcome = 'yes' | 'no' | 'perhaps'

/** The outcome of a write by its response; any status but 201 and 503 is wrong. */
export function outcomeOf({ status, body }: Answer): Outcome | 'wrong' {
  if (status === 201) return 'yes'
  if (status !== 503) return 'wrong'
  if (body.code === 'storage_unavailable') return 'no'
  return body.code === 'storage_outcome_unknown' ? 'perhaps' : 'wrong'
}
