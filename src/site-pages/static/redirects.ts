/** Writes the redirects of a site in the forms that servers of files read. */

export interface StaticRedirect {
  /** A path of the site. */
  readonly from: string
  /** A path of the site, or an address elsewhere. */
  readonly to: string
  readonly status: number
}

/** The files with the redirects, by name. */
export const redirectFiles = (redirects: readonly StaticRedirect[]): ReadonlyMap<string, string> =>
  new Map([
    ['_redirects', listed(redirects)],
    ['vercel.json', ofVercel(redirects)],
    ['redirects.nginx.conf', ofNginx(redirects)],
  ])

/** Netlify and Cloudflare Pages read a line for each: path, target, status. `*` and `:` have a meaning there. */
const listed = (redirects: readonly StaticRedirect[]): string =>
  redirects.map(({ from, to, status }) => `${escaped(from, /[*:]/g)} ${to} ${status}\n`).join('')

/** Its paths are patterns of path-to-regexp, in which these signs have a meaning. */
const ofVercel = (redirects: readonly StaticRedirect[]): string => {
  const entries = redirects.map(({ from, to, status }) => ({
    source: escaped(from, /[():*+?{}[\]!\\]/g),
    destination: to,
    statusCode: status,
  }))
  return `${JSON.stringify({ trailingSlash: true, redirects: entries }, null, 2)}\n`
}

/** Locations compare decoded paths. Include the file in the block of the server. */
const ofNginx = (redirects: readonly StaticRedirect[]): string =>
  redirects
    .map(({ from, to, status }) => `location = ${quoted(decoded(from))} { return ${status} ${quoted(to)}; }\n`)
    .join('')

const escaped = (path: string, signs: RegExp): string =>
  path.replace(signs, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&').replaceAll('$', '%24')}"`

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).replace(/[\p{Cc}]/gu, encodeURIComponent)
  } catch {
    return path
  }
}
