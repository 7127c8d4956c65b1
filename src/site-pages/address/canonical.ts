/** Redirects other spellings of an address to the canonical one. */

import { redirect } from '../response.ts'
import { requestAddress, type Visit } from '../visit.ts'
import { addressOfPage, embedAddress, feedAddress, type Located } from './locate.ts'

/** Query parameters that identify a page without a path. */
const locators = ['p', 'page_id', 'attachment_id', 'cat', 'tag']

function addressOfLocated(located: Located): string {
  const { kind, address, feed } = located
  if (feed) return feedAddress(address, feed)
  if (kind === 'archive') return addressOfPage(address, located.page)
  return located.isEmbed ? embedAddress(address) : address
}

/** The parameters that the address says in its path. */
function spentNames(located: Located): readonly string[] {
  const { kind, by = [], feed } = located
  const isEmbed = kind === 'post' && located.isEmbed
  return [
    ...locators,
    ...by,
    ...(feed ? ['feed'] : []),
    ...(kind === 'archive' ? ['paged'] : []),
    ...(isEmbed ? ['embed'] : []),
  ]
}

/** Returns undefined when the request used the canonical address. A redirect keeps the other query parameters. */
export function canonicalRedirect(located: Located, visit: Visit): Response | undefined {
  const target = new URL(addressOfLocated(located))
  const sent = new URL(requestAddress(visit))
  const spent = spentNames(located)
  const rest = [...sent.searchParams].filter(([name]) => !spent.includes(name) && !target.searchParams.has(name))
  for (const [name, value] of rest) target.searchParams.append(name, value)
  const isRight = target.pathname === sent.pathname && hasSameValues(target, sent)
  return isRight ? undefined : redirect(target.href)
}

const hasSameValues = (a: URL, b: URL): boolean => {
  const sorted = ({ searchParams }: URL) =>
    [...searchParams]
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join('&')
  return sorted(a) === sorted(b)
}
