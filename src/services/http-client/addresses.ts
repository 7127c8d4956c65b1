/** Decides which IP addresses are public; requests to any other address are rejected. */
import ipaddr from 'ipaddr.js'

/** In a public range, but served inside a cloud: the Azure host agent. */
const cloudInternal: readonly string[] = ['168.63.129.16']

/** Whether a host of a URL, without brackets, is an address and no name. */
export const isAddress = (host: string): boolean => ipaddr.isValid(host)

/**
 * True for global unicast addresses only: false for private, loopback, link-local, shared, multicast and reserved ones, and
 * for those that embed an IPv4 address for a translator (NAT64, 6to4, Teredo). A mapped IPv4 address counts as IPv4.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || cloudInternal.includes(address.toString())) return false
  // ipaddr.js 2.5 classifies `::7f00:1`, an IPv4 address in its oldest IPv6 form, as unicast; global ones are in 2000::/3.
  return address.kind() === 'ipv4' || (address.toByteArray()[0] as number) >> 5 === 1
}
