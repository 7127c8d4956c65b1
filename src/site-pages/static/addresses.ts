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
  return origin === base.origin ? { address: pathname + search, fragment: hash } : undefined
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

/** A page with a query is kept in a folder below its path: servers of files know no queries. */
const queries = '_query'

/** `local`: an address below home. */
export function placeOf(local: Address, type: string, digest: (text: string) => string): FilePlace {
  const { pathname, search } = new URL(local, 'http://site')
  const isPage = type === 'html'
  const folder = pathname.endsWith('/') ? pathname : isPage ? `${pathname}/` : undefined
  if (search !== '') {
    const name = search
      .slice(1, 60)
      .replace(/[^\w-]+/g, '-')
      .replace(/^-+|-+$/g, '')
    const path = `${folder ?? `${pathname}/`}${queries}/${name}-${digest(search).slice(0, 8)}/`
    return { file: `${fileName(path)}index.${type}`, path: isPage ? path : `${path}index.${type}` }
  }
  if (folder === undefined) return { file: fileName(pathname), path: pathname }
  return isPage
    ? { file: `${fileName(folder)}index.html`, path: folder }
    : { file: `${fileName(folder)}index.${type}`, path: `${folder}index.${type}` }
}

/** Servers decode the path of a request before they look for a file. */
const fileName = (path: string): string =>
  path
    .slice(1)
    .split('/')
    .map((segment) => {
      const decoded = decoding(segment)
      // A colon separates the names in the keys of drivers.
      return decoded === undefined || /[/\\:\0]|^\.\.?$/.test(decoded) ? segment : decoded
    })
    .join('/')

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
