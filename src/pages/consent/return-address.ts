/** Checks and extends the URLs to which a browser is redirected with a new password. */

/** Schemes that hosts can not list as those of an application: they are not specific to one, or run code. */
const refusedSchemes = [
  ...['about', 'blob', 'chrome', 'data', 'file', 'filesystem', 'ftp', 'http', 'https', 'intent', 'jar', 'javascript'],
  ...['mailto', 'ms-appx', 'resource', 'sms', 'tel', 'urn', 'vbscript', 'view-source', 'ws', 'wss'],
]

/** Throws for a scheme that is not specific to an application. */
export function toAppSchemes(schemes: readonly string[]): readonly string[] {
  return schemes.map((scheme) => {
    const bare = scheme.toLowerCase().replace(/:(\/\/)?$/, '')
    if (!/^[a-z][a-z0-9+.-]*$/.test(bare) || refusedSchemes.includes(bare)) {
      throw new TypeError(`consent.appSchemes: ${scheme} is no scheme of an application`)
    }
    return `${bare}:`
  })
}

/**
 * Choice: `http` is allowed for the user's own machine only (RFC 8252), which the password does not leave; schemes other
 * than `https` only for applications that the host lists.
 */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Undefined for an allowed URL, or an empty text. */
export function problemWithAddress(address: string, appSchemes: readonly string[]) {
  if (address === '') return undefined
  const url = /[\0-\x1f\x7f]/.test(address) ? null : URL.parse(address)
  if (!url) return { code: 'invalid_redirect_url_format', message: 'It is no whole address.' }
  if (url.username !== '' || url.password !== '') {
    return { code: 'invalid_redirect_url_format', message: 'It holds a name or a password.' }
  }
  const isRight =
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && loopback.test(url.hostname)) ||
    appSchemes.includes(url.protocol)
  if (isRight) return undefined
  return { code: 'invalid_redirect_scheme', message: 'It must begin with https, or open an application that is known.' }
}

/** Sets query values of a URL, replacing those of the same names; the rest stays unchanged. */
export function withValues(address: string, values: { readonly [name: string]: string }): string {
  const url = new URL(address)
  const otherPairs = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !Object.hasOwn(values, nameOf(pair)))
  const added = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  url.search = [...otherPairs, ...added].join('&')
  return url.href
}

const nameOf = (pair: string) => [...new URLSearchParams(pair).keys()][0] ?? ''

/** The destination that is shown before approval: the origin, or the scheme of the application. */
export const destinationOf = (address: string): string => {
  const { protocol, host } = new URL(address)
  return /^https?:$/.test(protocol) ? `${protocol}//${host}` : `${protocol}//`
}

/**
 * The `form-action` sources of a page whose forms redirect to these URLs. Chromium applies them to all redirects, and an
 * application may redirect to another of its hosts, so the whole scheme is allowed. Only the application, which chose the
 * URL, could misuse that.
 */
export function formSources(addresses: readonly string[]): string {
  const schemes = addresses.filter((address) => address !== '').map((address) => new URL(address).protocol)
  return ["'self'", ...new Set(schemes.length > 0 ? ['https:', ...schemes] : [])].join(' ')
}
