import ipaddr from 'ipaddr.js'

/** All of the global unicast space that is given out (RFC 4291, part 2.4, and IANA's registry). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** Whether this is an IP address of the machine itself, in any form. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

/**
 * Whether deliveries may go to this IP address: a public one, and loopback only where that is opened.
 * An IPv4 address inside an IPv6 one counts as what it is.
 *
 * @param address IPv4 or IPv6, without brackets; anything else is not allowed
 */
export function isAllowedAddress(address: string, { allowLoopback }: { readonly allowLoopback: boolean }): boolean {
  if (!ipaddr.isValid(address)) return false
  if (isLoopback(address)) return allowLoopback
  const parsed = ipaddr.process(address)
  // Outside of global unicast the library takes for unicast what nobody routes, such as the old `::127.0.0.1`.
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST))
}
