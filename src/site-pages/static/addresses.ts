/** Maps the addresses of a site to the files of a folder, and writes links between them. */

/** An address on the origin of the site is named by its path and query, without its fragment. */
export type Address = string

/** Returns undefined for an address of another origin, and for one that is none. */
export function addressIn(
  value: string,
  base: URL,
): { readonly address: Address; readonly fragment: string } | undefined {
  if (!URL.canParse(value, base)) return undefined
  const { origin, pathname, search, hash } = new URL(value, base)
  // Two slashes at the start of an address name a host.
  if (origin !== base.origin || pathname.startsWith('//')) return undefined
  return { address: pathname + search, fragment: hash }
}

/** Leaves out the path of home: the folder of the files has the home page at its top, and uploads in their own folder. */
export function localOf(address: Address, home: URL): Address {
  const base = home.pathname.slice(0, -1)
  return address.startsWith(`${base}/`) ? address.slice(base.length) : address
}

/** The file of an address, and the path under which a server of files has it. */
export interface FilePlace {
  /** Names of folders and the file, with slashes: `about/index.html`. */
  readonly file: string
  /** `/about/`. */
  readonly path: string
}

/** A page with a query is kept in a folder below its path: servers of files know no queries. No other file is in such a folder. */
const queries = '_query'

/** File systems take names of 255 bytes; stores of files take keys of 1,024. */
const mostBytes = { name: 200, file: 900 }

/** At the top of the folder, these are read by the hosts of files. */
const ofHosts =
  /^(?:_redirects|_headers|_worker\.js|_routes\.json|404\.html|vercel\.json|netlify\.toml|redirects\.nginx\.conf)$/i

/** `local`: an address below home. */
export function placeOf(local: Address, type: string, digest: (text: string) => string): FilePlace {
  const [pathname = '', ...query] = local.split('?')
  const search = query.join('?')
  const shortDigest = (text: string) => digest(text).slice(0, 16)
  const nameOf = (segment: string, at: number): Name => {
    const decoded = decoding(segment)
    return decoded !== undefined && isPlain(decoded) && !(at === 0 && ofHosts.test(decoded))
      ? { name: decoded, segment }
      : digestName(shortDigest(segment))
  }
  const isPage = type === 'html'
  const segments = pathname.replace(/\/$/, '').split('/').slice(1)
  const names = segments.map(nameOf)
  const last = isPage || pathname.endsWith('/') ? undefined : names.pop()
  if (search !== '') names.push({ name: queries, segment: queries }, queryName(search, shortDigest(search)))
  names.push(last ?? { name: `index.${type}`, segment: isPage ? '' : `index.${type}` })
  const place = placeIn(names)
  return bytesOf(place.file) <= mostBytes.file ? place : placeIn([digestName(shortDigest(local)), ...names.slice(-1)])
}

/** The name of a folder or file, and the segment of a path that leads to it: servers decode the path of a request. */
interface Name {
  readonly name: string
  readonly segment: string
}

const placeIn = (names: readonly Name[]): FilePlace => ({
  file: names.map(({ name }) => name).join('/'),
  path: `/${names.map(({ segment }) => segment).join('/')}`,
})

const digestName = (digest: string): Name => ({ name: `${queries}-${digest}`, segment: `${queries}-${digest}` })

function queryName(search: string, digest: string): Name {
  const words = search
    .slice(0, 60)
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return { name: `${words}-${digest}`, segment: `${words}-${digest}` }
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Drivers separate the names of a key by colons. Names with a dot in front are hidden, or lead out of the folder. */
const isPlain = (name: string): boolean =>
  name !== '' && !/^\.|^_query|[\p{Cc}<>:"|?*/\\]/u.test(name) && bytesOf(name) <= mostBytes.name

function decoding(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** Returns the shortest relative address from one path to another. */
export function relativePath(from: string, to: string): string {
  const steps = from.split('/').slice(0, -1)
  const target = to.split('/')
  let common = 0
  while (common < steps.length && common < target.length - 1 && steps[common] === target[common]) common++
  const path = '../'.repeat(steps.length - common) + target.slice(common).join('/')
  // A first segment with a colon would be a scheme.
  return path === '' || /^[^/]*:/.test(path) ? `./${path}` : path
}
