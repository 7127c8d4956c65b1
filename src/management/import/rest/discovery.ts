/** Finds the REST interface of a site from its front page, from the address of the interface, or from `?rest_route=/`. */
import type { Json } from '../../../contract/storage.ts'
import { createSender, type RestAccess } from './client.ts'
import { RestImportError } from './errors.ts'

interface FoundRest {
  /** The address of the index. */
  readonly root: string
  /** The content has this namespace: `wp/v2`, or `cms/v2` on a site with the names of this service. */
  readonly namespace: string
  /** The namespace of the page builder; undefined where the site has none. */
  readonly builder: string | undefined
  readonly title: string
  /** The address of the site. */
  readonly site: string
}

const namespaces = ['wp/v2', 'cms/v2']
const builders = ['elementor/v1', 'builder/v1']
const relation = /<([^>]+)>\s*;[^,]*\brel="?[^",]*(?:api\.w\.org|\bservice-desc\b)[^",]*"?/

export async function discoverRest(address: string, access: RestAccess): Promise<FoundRest> {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
    throw new RestImportError(`${address} is no address like https://old.example/wp-json`)
  }
  const send = createSender(access)
  const tried = new Set<string>()
  const readIndex = async (root: string): Promise<{ readonly found?: FoundRest; readonly link?: string }> => {
    tried.add(root)
    const { response, body } = await send(root)
    if (response.status === 401 || response.status === 403) throw signInRefused(access.user, response.status, body)
    const found = indexOf(root, body)
    const [, link] = relation.exec(response.headers.get('link') ?? '') ?? []
    return {
      ...(found ? { found } : {}),
      ...(link === undefined ? {} : { link: new URL(link, response.url || root).href }),
    }
  }
  const given = new URL(address)
  given.hash = ''
  const first = await readIndex(given.href)
  // A front page may show the index too: its link says where the interface is.
  if (first.found && (first.link === undefined || isSameAddress(first.link, given.href))) return first.found
  const byRoute = new URL('./', given)
  byRoute.search = '?rest_route=/'
  const byPath = new URL(`${given.pathname.replace(/\/+$/, '')}/wp-json/`, given)
  for (const root of [first.link, byRoute.href, byPath.href]) {
    if (root === undefined || tried.has(root)) continue
    const { found } = await readIndex(root)
    if (found) return found
  }
  if (first.found) return first.found
  throw new RestImportError(`${address} has no REST interface: name its root, as in https://old.example/wp-json`)
}

const isSameAddress = (one: string, other: string): boolean => one.replace(/\/+$/, '') === other.replace(/\/+$/, '')

function indexOf(root: string, body: Json): FoundRest | undefined {
  const index = body as { readonly namespaces?: unknown; readonly name?: unknown; readonly url?: unknown } | null
  const known = Array.isArray(index?.namespaces) ? index.namespaces : []
  const namespace = namespaces.find((one) => known.includes(one))
  if (namespace === undefined) return undefined
  const { name, url } = index ?? {}
  const builder = builders.find((one) => known.includes(one))
  return { root, namespace, builder, title: textOf(name), site: textOf(url) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function signInRefused(user: string, status: number, body: Json): RestImportError {
  const { code } = (body ?? {}) as { readonly code?: unknown }
  const said = typeof code === 'string' ? ` (${code})` : ''
  return new RestImportError(
    `the site does not let ${user} in${said}: check the login and the application password`,
    status,
  )
}
