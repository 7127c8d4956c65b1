/** A sample site with its clock standing still, and the requests that are sent to it for a page of the documents. */
import { readFileSync } from 'node:fs'
import memoryDriver from 'unstorage/drivers/memory'
import type { Services } from '../../src/core/declare/app-context.ts'
import { createSiteApi, type Profile, type SiteApi } from '../../src/index.ts'
import { createMedia } from '../../src/services/media.ts'
import { createPackages } from '../../src/services/packages/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

export interface Asking {
  /** What the exchange shows, in a sentence. */
  readonly says: string
  /** Null: a visitor. */
  readonly as: string | null
  readonly method: string
  /** Below the root. */
  readonly path: string
  readonly body?: object
  readonly headers?: { readonly [name: string]: string }
  /** The members of the answer that are shown, wherever they stand first. Default: as many as there is room for. */
  readonly shows?: readonly string[]
  /** The headers of the answer that are shown. */
  readonly showsHeaders?: readonly string[]
}

export interface Exchange extends Asking {
  readonly status: number
  readonly answerHeaders: readonly (readonly [name: string, value: string])[]
  /** The text of the answer, parsed when it is JSON. */
  readonly answer: unknown
}

export interface Scene {
  readonly api: SiteApi
  readonly ids: { readonly [reference: string]: number }
  readonly clock: { now: number }
  readonly exchanges: readonly Exchange[]
  /** What is shown in the place of a value that another run would not have. */
  readonly masks: ReadonlyMap<string, string>
  /** Sends a request that the page shows. */
  ask(asking: Asking): Promise<Answer>
  /** Has the page show `name` wherever this value stands. */
  hide(value: unknown, name: string): void
  id(reference: string): number
}

/** Of any shape: who asks knows it. A path that leads nowhere is a mistake of the page. */
export interface Answer {
  readonly status: number
  at(...path: readonly (string | number)[]): string
}

export const siteUrl = 'https://millbrook.example'
const start = Date.parse('2024-10-01T09:00:00Z')
const sample = new URL('../sample-site.json', import.meta.url)

/** A picture of three by two. */
const picture = Uint8Array.from([...new TextEncoder().encode('GIF89a'), 3, 0, 2, 0, 0, 0, 0, 0x3b])

/** What a host brings, without any network. */
const services = (): Partial<Services> => ({
  media: createMedia({ driver: memoryDriver() }),
  outbound: {
    get: async (url: string) => ({ url, status: 200, contentType: 'image/gif', body: picture }),
  },
  packages: createPackages([
    { kind: 'plugin', slug: 'builder', name: 'Page builder', version: '4.1.0', initially: 'active' },
    { kind: 'plugin', slug: 'assistant', name: 'Assistant', version: '1.2.0' },
    { kind: 'theme', slug: 'builder-theme', name: 'Plain theme', version: '1.0.0' },
  ]),
  hub: { sync: async () => undefined, leave: async () => undefined },
})

export async function openScene(profile: Profile, more: Partial<Services> = {}): Promise<Scene> {
  const clock = { now: start }
  const api = createSiteApi({
    ...{ storage: memoryStorage(), profile, url: siteUrl, clock: () => clock.now },
    services: { ...services(), ...more },
    log: { error: () => undefined },
  })
  const ids = await api.site.seed(JSON.parse(readFileSync(sample, 'utf8')))
  const exchanges: Exchange[] = []
  const masks = new Map<string, string>()
  const signIn = passwordsOf(api)
  const id = (reference: string) => {
    const found = ids[reference]
    if (found === undefined) throw new Error(`the sample site has no ${reference}`)
    return found
  }
  return {
    ...{ api, ids, clock, exchanges, masks, id },
    hide: (value, name) => void masks.set(String(value), name),
    async ask(asking) {
      const { as, method, path, body, headers, showsHeaders = [] } = asking
      const response = await api.fetch(
        new Request(`${siteUrl}${api.root}${path}`, {
          method,
          headers: {
            ...(as === null ? {} : { authorization: await signIn(as) }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      )
      const text = await response.text()
      const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
      const answer: unknown = isJson ? JSON.parse(text) : text
      const answerHeaders = showsHeaders.map((name) => [name, response.headers.get(name) ?? ''] as const)
      exchanges.push({ ...asking, status: response.status, answerHeaders, answer })
      // A second later, so that no two things happen at once.
      clock.now += 1000
      return { status: response.status, at: (...where) => valueAt(answer, where) }
    },
  }
}

function valueAt(answer: unknown, where: readonly (string | number)[]): string {
  const found = where.reduce<unknown>(
    // The cast: whatever is no object has no members.
    (value, name) => (value as { readonly [name: string | number]: unknown } | null | undefined)?.[name],
    answer,
  )
  if (found === undefined) throw new Error(`the answer has no ${where.join('.')}: ${JSON.stringify(answer)}`)
  return String(found)
}

/** An application password for each user who asks. */
function passwordsOf(api: SiteApi): (login: string) => Promise<string> {
  const made = new Map<string, Promise<string>>()
  const make = async (login: string) => {
    const user = await api.site.users.find({ login })
    if (!user) throw new Error(`the sample site has no user ${login}`)
    const { password } = await api.site.passwords.create(user.id, 'the documents')
    return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
  }
  return (login) => {
    const known = made.get(login) ?? make(login)
    made.set(login, known)
    return known
  }
}
