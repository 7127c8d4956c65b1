/** A sample site with a fixed clock, and the requests that a page of the documents sends to it. */
import { readFileSync } from 'node:fs'
import { createSiteApi, type D2, type Profile, type SiteApi, type SiteServices } from '../../src/index.ts'
import { createMedia } from '../../src/services/media.ts'
import { memoryMedia } from '../../src/services/media-driver.ts'
import { createPackages } from '../../src/services/packages/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

export interface ShownRequest {
  /** A sentence about what the exchange shows. */
  readonly says: string
  /** A login; null for a visitor. */
  readonly as: string | null
  readonly method: string
  /** The path below the root. */
  readonly path: string
  readonly body?: object
  readonly headers?: { readonly [name: string]: string }
  /** Sent as the body, or as the part `file` of a form. */
  readonly file?: SentFile
  /** The members of the response that the page shows, at the first level that has them. Default: as many as fit. */
  readonly shows?: readonly string[]
  /** The response headers that the page shows. */
  readonly showsHeaders?: readonly string[]
}

export interface SentFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The other parts of the form. */
  readonly form?: { readonly [name: string]: string }
}

export interface Exchange extends ShownRequest {
  readonly status: number
  readonly responseHeaders: readonly (readonly [name: string, value: string])[]
  /** The text of the response, parsed if it is JSON. */
  readonly response: unknown
  /** The response to the same read without `_fields`. */
  readonly whole?: unknown
}

export interface Scene {
  /** A group that uses an extension of `api.site` names a profile that has it. */
  readonly api: SiteApi & Pick<SiteApi<D2>, 'site'>
  readonly ids: { readonly [reference: string]: number }
  readonly clock: { now: number }
  readonly exchanges: readonly Exchange[]
  /** Values that differ between runs, with the name that the page shows in their place. */
  readonly masks: ReadonlyMap<string, string>
  /** Sends a request that the page shows. */
  ask(request: ShownRequest): Promise<ReceivedResponse>
  /** Makes the page show `name` in place of this value. */
  hide(value: unknown, name: string): void
  id(reference: string): number
}

export interface ReceivedResponse {
  readonly status: number
  /** The value at a path of member names and indexes; throws if there is none. */
  at(...path: readonly (string | number)[]): string
  /** Empty if the response has none. */
  header(name: string): string
}

export const siteUrl = 'https://millbrook.example'
const start = Date.parse('2024-10-01T09:00:00Z')
const sample = new URL('../sample-site.json', import.meta.url)

/** A GIF of three by two pixels. */
const picture = Uint8Array.from([...new TextEncoder().encode('GIF89a'), 3, 0, 2, 0, 0, 0, 0, 0x3b])

/** Services of a host that send nothing outside. */
const services = (): Partial<SiteServices> => ({
  media: createMedia({ driver: memoryMedia() }),
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

export async function openScene(profile: Profile, more: Partial<SiteServices> = {}): Promise<Scene> {
  const clock = { now: start }
  const api = createSiteApi({
    storage: memoryStorage(),
    profile,
    url: siteUrl,
    clock: () => clock.now,
    services: { ...services(), ...more },
    log: { error: () => undefined },
  }) as Scene['api']
  const ids = await api.site.seed(JSON.parse(readFileSync(sample, 'utf8')))
  const exchanges: Exchange[] = []
  const masks = new Map<string, string>()
  const signIn = passwordsOf(api)
  const id = (reference: string) => {
    const value = ids[reference]
    if (value === undefined) throw new Error(`the sample site has no ${reference}`)
    return value
  }
  const headersOf = async (as: string | null): Promise<{ readonly [name: string]: string }> =>
    as === null ? {} : { authorization: await signIn(as) }
  /** The pages show what `_fields` leaves; examples have the whole response. */
  const wholeOf = async (path: string, as: string | null): Promise<unknown> => {
    if (!path.includes('_fields=')) return undefined
    const url = `${siteUrl}${api.root}${path.replace(/[?&]_fields=[^&]*$/, '')}`
    return (await api.fetch(new Request(url, { headers: await headersOf(as) }))).json()
  }
  return {
    api,
    ids,
    clock,
    exchanges,
    masks,
    id,
    hide: (value, name) => void masks.set(String(value), name),
    async ask(request) {
      const { as, method, path, headers, showsHeaders = [] } = request
      // Tasks that no request waits for would run at some time between two of them.
      await api.site.runDue()
      const sent = bodyOf(request)
      const received = await api.fetch(
        new Request(`${siteUrl}${api.root}${path}`, {
          method,
          headers: {
            ...(await headersOf(as)),
            ...sent.headers,
            ...headers,
          },
          ...(sent.body === undefined ? {} : { body: sent.body }),
        }),
      )
      const text = await received.text()
      const isJson = /json/.test(received.headers.get('content-type') ?? '') && text !== ''
      const response: unknown = isJson ? JSON.parse(text) : text
      const responseHeaders = showsHeaders.map((name) => [name, received.headers.get(name) ?? ''] as const)
      const whole = method === 'GET' ? await wholeOf(path, as) : undefined
      exchanges.push({
        ...{ ...request, status: received.status, responseHeaders, response },
        ...(whole === undefined ? {} : { whole }),
      })
      // One second per request, so that no two records have the same time.
      clock.now += 1000
      const { status } = received
      return { status, at: (...path) => valueAt(response, path), header: (name) => received.headers.get(name) ?? '' }
    },
  }
}

/** The type of a form comes with its boundary. */
function bodyOf({ body, file }: ShownRequest): { readonly headers: Headers; readonly body?: BodyInit } {
  if (body !== undefined) return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  if (file === undefined) return { headers: {} }
  const { name, type, bytes, form } = file
  if (form === undefined) return { headers: fileHeaders(file), body: bytes }
  const parts = new FormData()
  for (const [part, value] of Object.entries(form)) parts.append(part, value)
  parts.append('file', new Blob([bytes], { type }), name)
  return { headers: {}, body: parts }
}

type Headers = { readonly [name: string]: string }

export const fileHeaders = ({ name, type }: SentFile): Headers => ({
  'Content-Type': type,
  'Content-Disposition': `attachment; filename="${name}"`,
})

function valueAt(response: unknown, path: readonly (string | number)[]): string {
  const result = path.reduce<unknown>(
    // The cast: a value that is not an object has no members.
    (value, name) => (value as { readonly [name: string | number]: unknown } | null | undefined)?.[name],
    response,
  )
  if (result === undefined) throw new Error(`the response has no ${path.join('.')}: ${JSON.stringify(response)}`)
  return String(result)
}

/** Creates one application password for each user. */
function passwordsOf(api: SiteApi): (login: string) => Promise<string> {
  const credentials = new Map<string, Promise<string>>()
  const create = async (login: string) => {
    const user = await api.site.users.find({ login })
    if (!user) throw new Error(`the sample site has no user ${login}`)
    const { password } = await api.site.passwords.create(user.id, 'the documents')
    return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
  }
  return (login) => {
    const credential = credentials.get(login) ?? create(login)
    credentials.set(login, credential)
    return credential
  }
}
