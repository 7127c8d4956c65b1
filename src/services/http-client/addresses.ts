/** Which addresses of the internet belong to everybody. Whatever else a name may lead to stays out of reach. */
import ipaddr from 'ipaddr.js'

/** Public by their number, but answered by the machine's own surroundings: the agent of a large cloud. */
const inside: readonly string[] = ['168.63.129.16']

/**
 * True for a global unicast address only. Private, loopback, link-local, shared, multicast and reserved ones are not, nor
 * are those that carry an IPv4 address to a translator (NAT64, 6to4, Teredo); a mapped IPv4 address counts as itself.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || inside.includes(address.toString())) return false
  // ipaddr.js 2.5 takes `::7f00:1`, an IPv4 address in its oldest IPv6 form, for unicast; global ones are in 2000::/3.
  return address.kind() === 'ipv4' || (address.toByteArray()[0] as number) >> 5 === 1
}
