/** Decides which protocols stay in addresses of attributes. Values are decoded before this rule and escaped after it. */

/** Registered protocols that lead to documents, messages, calls or streams. None of them runs a script. */
export const PROTOCOLS: ReadonlySet<string> = new Set([
  ...['fax', 'feed', 'ftp', 'ftps', 'gopher', 'http', 'https', 'irc', 'irc6', 'ircs', 'mailto', 'mms', 'news'],
  ...['nntp', 'rtsp', 'sms', 'svn', 'tel', 'telnet', 'urn', 'webcal', 'xmpp'],
])

/** The URL standard removes these characters in front of an address. */
const LEADING_BLANKS = /[\0-\x20]*/y

/** Returns the end of the blanks that begin at `start`. */
function skipBlanks(address: string, start: number): number {
  LEADING_BLANKS.lastIndex = start
  LEADING_BLANKS.exec(address)
  return LEADING_BLANKS.lastIndex
}

/**
 * Returns the address with its protocol in lower case if it is listed, without it otherwise. Interface: text before a colon
 * counts as a protocol, also in a relative address; an unlisted one is removed with its colon.
 */
export function safeAddress(address: string): string {
  let kept = ''
  let start = skipBlanks(address, 0)
  for (let colon = address.indexOf(':', start); colon !== -1; colon = address.indexOf(':', start)) {
    const protocol = address.slice(start, colon).toLowerCase()
    const isListed = PROTOCOLS.has(protocol)
    // Readers of `feed:` remove it and open the address after it.
    if (isListed && protocol !== 'feed') return kept + protocol + address.slice(colon)
    if (isListed) kept = 'feed:'
    start = skipBlanks(address, colon + 1)
  }
  return kept + address.slice(start)
}

/** URL standard, scheme start and scheme states. Its parser skips tabs and line ends everywhere. */
const SCHEME = /([a-z][a-z0-9+.-]*):/iy
const SKIPPED = /[\t\n\r]+/g

/**
 * Returns whether a browser reads the address with a listed protocol or as relative. Unlike `safeAddress`, it accepts further
 * colons.
 */
export function isSafeAddress(address: string): boolean {
  const text = address.replace(SKIPPED, '')
  let start = 0
  for (;;) {
    SCHEME.lastIndex = skipBlanks(text, start)
    const protocol = SCHEME.exec(text)?.[1]?.toLowerCase()
    if (protocol !== 'feed') return protocol === undefined || PROTOCOLS.has(protocol)
    start = SCHEME.lastIndex
  }
}
