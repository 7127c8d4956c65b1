/** Where a browser is sent with a new password: addresses that nobody else can read, and nothing that runs. */

/** What an application may be opened by: `com.example.app`. None of these, whoever lists them. */
const refusedSchemes = [
  ...['about', 'blob', 'chrome', 'data', 'file', 'filesystem', 'ftp', 'http', 'https', 'intent', 'jar', 'javascript'],
  ...['mailto', 'ms-appx', 'resource', 'sms', 'tel', 'urn', 'vbscript', 'view-source', 'ws', 'wss'],
]

/** Throws for a scheme that no application can have to itself. */
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
 * Choice: `http` only leads to the user's own machine (RFC 8252), which the password does not leave; other schemes than
 * `https` only to applications that the host lists.
 */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Undefined for an address that is right, or empty. */
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

/** The address with these values in its query, in place of those of the same name. All else stays as it was sent. */
export function withValues(address: string, values: { readonly [name: string]: string }): string {
  const url = new URL(address)
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !Object.hasOwn(values, nameOf(pair)))
  const added = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  url.search = [...kept, ...added].join('&')
  return url.href
}

const nameOf = (pair: string) => [...new URLSearchParams(pair).keys()][0] ?? ''

/** The place that people should see before they agree: the host, or the application that is opened. */
export const placeOf = (address: string): string => {
  const { protocol, host } = new URL(address)
  return /^https?:$/.test(protocol) ? `${protocol}//${host}` : `${protocol}//`
}

/**
 * Sources for the forms of a page that sends on to these addresses. Chromium holds a form to them through all redirects,
 * and an application may send on to another host of its own: so the whole scheme is allowed. Whoever could misuse that
 * has chosen the address in the first place.
 */
export function formSources(addresses: readonly string[]): string {
  const schemes = addresses.filter((one) => one !== '').map((one) => new URL(one).protocol)
  return ["'self'", ...new Set(schemes.length > 0 ? ['https:', ...schemes] : [])].join(' ')
}
