import { isIPv6, type LookupFunction } from 'node:net'
import { CornermanError } from '../../core/error.ts'
import type { EndpointRules, Resolve } from './endpointUrl.ts'
import { isAllowedAddress } from './publicAddress.ts'

/**
 * The look-up of a connection: it connects to the very addresses that were looked at, so that a name
 * cannot lead to a public host when it is asked about and elsewhere a moment later.
 */
export function pinnedLookup({ resolve, ...rules }: EndpointRules & { readonly resolve: Resolve }): LookupFunction {
  return (hostname, { all }, callback) => {
    const allowed = resolve(hostname).then((addresses) => {
      const closed = addresses.find((address) => !isAllowedAddress(address, rules))
      const [first] = addresses
      if (closed === undefined && first !== undefined) return [first, ...addresses.slice(1)] as const
      const problem = closed === undefined ? 'has no address' : `leads to ${closed}, which is not public`
      throw new CornermanError('WEBHOOK_HOST', `${hostname} ${problem}`, { details: { hostname } })
    })
    allowed.then(
      (addresses) => {
        if (all === true) callback(null, addresses.map(withFamily))
        else callback(null, addresses[0], familyOf(addresses[0]))
      },
      (cause: Error) => callback(cause, []),
    )
  }
}

const familyOf = (address: string) => (isIPv6(address) ? 6 : 4)
const withFamily = (address: string) => ({ address, family: familyOf(address) })
