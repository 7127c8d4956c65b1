/** Addresses in attributes: which protocols stay. Values are decoded before and escaped after this rule. */

/** Registered protocols that lead to documents, messages, calls or streams, none of which runs a script. */
export const PROTOCOLS: ReadonlySet<string> = new Set([
  ...['fax', 'feed', 'ftp', 'ftps', 'gopher', 'http', 'https', 'irc', 'irc6', 'ircs', 'mailto', 'mms', 'news'],
  ...['nntp', 'rtsp', 'sms', 'svn', 'tel', 'telnet', 'urn', 'webcal', 'xmpp'],
])

/** The URL standard drops these in front of an address. */
const LEADING_BLANKS = /^[\0-\x20]+/

/**
 * The address with a listed protocol, in lower case, or with none. Interface: what stands before a colon counts as a
 * protocol, also in a relative address; one that is not listed goes with its colon.
 */
export function safeAddress(address: string): string {
  let kept = ''
  let rest = address.replace(LEADING_BLANKS, '')
  for (let colon = rest.indexOf(':'); colon !== -1; colon = rest.indexOf(':')) {
    const protocol = rest.slice(0, colon).toLowerCase()
    const isListed = PROTOCOLS.has(protocol)
    // Readers of `feed:` take it off and open the address behind it.
    if (isListed && protocol !== 'feed') return `${kept}${protocol}${rest.slice(colon)}`
    if (isListed) kept = 'feed:'
    rest = rest.slice(colon + 1).replace(LEADING_BLANKS, '')
  }
  return kept + rest
}

/** URL standard, scheme start and scheme states. Its parser skips tabs and line ends everywhere. */
const SCHEME = /^[a-z][a-z0-9+.-]*(?=:)/i
const SKIPPED = /[\t\n\r]+/g

/** Whether a browser reads the address with a listed protocol, or as relative. Unlike `safeAddress`, colons may follow. */
export function isSafeAddress(address: string): boolean {
  let rest = address.replace(SKIPPED, '')
  for (;;) {
    rest = rest.replace(LEADING_BLANKS, '')
    const protocol = SCHEME.exec(rest)?.[0].toLowerCase()
    if (protocol !== 'feed') return protocol === undefined || PROTOCOLS.has(protocol)
    rest = rest.slice(protocol.length + 1)
  }
}
