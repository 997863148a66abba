import type { IncomingHttpHeaders } from 'node:http'
import ipaddr from 'ipaddr.js'

const plain = (host: string) => host.toLowerCase().replace(/^\[(.*)\]$/, '$1')

/** What kind of address it is; undefined for a name. */
function rangeOf(host: string): string | undefined {
  const text = plain(host)
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  return isAddress ? ipaddr.process(text).range() : undefined
}

/** Whether only this machine can reach it. */
export function isLoopback(host: string): boolean {
  return plain(host) === 'localhost' || rangeOf(host) === 'loopback'
}

/**
 * Whether a request was meant for this server. A site whose name was made to lead here (DNS rebinding) has that name in its `host`;
 * an address in its place cannot be made to. The port is not looked at: through a tunnel it is another one.
 *
 * @param host the header
 * @param listening where the server listens
 */
export function isOwnHost(host: string | undefined, listening: string): boolean {
  const name = /^(\[[^\]]+\]|[^:]+)(?::\d{1,5})?$/.exec(host ?? '')?.[1]
  if (name === undefined) return false
  if (isLoopback(name) || plain(name) === plain(listening)) return true
  return rangeOf(listening) === 'unspecified' && rangeOf(name) !== undefined
}

/** Whether a request was made by a page of this server: by no other site, and no other server of this machine either. */
export function isOwnSite(
  { host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  { needsOrigin }: { needsOrigin: boolean },
): boolean {
  if (site !== undefined && site !== 'same-origin') return false
  if (origin === undefined) return !needsOrigin
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}
