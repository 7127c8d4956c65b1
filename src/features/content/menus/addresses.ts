/** The addresses of custom items. */

/** Addresses on the same site may be paths; scripts are none. */
export function addressOf(sent: string): string {
  const url = sent.trim()
  if (/^(?:\/|#|\?)/.test(url)) return url
  if (/^(?:https?|mailto|tel|ftp|sms):/i.test(url)) return url.replace(/\s+/g, '%20')
  return /^[a-z][a-z0-9+.-]*:/i.test(url) || url === '' ? '' : `http://${url}`
}
