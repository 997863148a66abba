import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { CornermanError } from '../../core/error.ts'
import { isAllowedAddress, isLoopback } from './publicAddress.ts'

const LONGEST_URL = 2048
/** What `URL` drops without a word: the address would be another than the one that is shown. */
const CONTROL = /\p{Cc}/u

/** Last parts of names that never lead to a public host (RFC 6762, part 3 and appendix G; RFC 8375; ICANN's `.internal`). */
const INTERNAL_SUFFIXES = new Set(['local', 'localhost', 'localdomain', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'arpa'])

/** Every address of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export const resolveByDns: Resolve = async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address)

export interface EndpointRules {
  /** Opens loopback, and `http://` there; nothing else. */
  readonly allowLoopback: boolean
}

/**
 * Reads the URL of a webhook endpoint by what it says: `https://` on a public host (part 6 of the specification).
 *
 * @throws CornermanError `WEBHOOK_URL`
 */
export function readEndpointUrl(text: string, { allowLoopback }: EndpointRules): URL {
  if (CONTROL.test(text)) throw refusal(text, 'with a control character in it, such as a line end or a tab')
  const url = text.length <= LONGEST_URL ? URL.parse(text) : null
  if (url === null) throw refusal(text, `not a URL of up to ${LONGEST_URL} characters`)
  if (url.username !== '' || url.password !== '') throw refusal(url.host, 'with a name or a password in it')
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isOpenLoopback = allowLoopback && (host === 'localhost' || isLoopback(host))
  if (url.protocol !== 'https:' && !(isOpenLoopback && url.protocol === 'http:')) throw refusal(text, `${url.protocol}//, not https://`)
  const isPublic = isIP(host) === 0 ? !isInternalName(host) : isAllowedAddress(host, { allowLoopback: false })
  if (!isPublic && !isOpenLoopback) throw refusal(text, 'not on a public host')
  return url
}

/**
 * Reads the URL and asks where its name leads. A name that leads nowhere yet is let through: every
 * connection asks again, and goes only where it may.
 *
 * @throws CornermanError `WEBHOOK_URL`
 */
export async function checkEndpoint(text: string, { resolve, ...rules }: EndpointRules & { readonly resolve: Resolve }): Promise<URL> {
  const url = readEndpointUrl(text, rules)
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return url
  const addresses = await resolve(url.hostname).catch(() => [])
  const closed = addresses.find((address) => !isAllowedAddress(address, rules))
  if (closed !== undefined) throw refusal(text, `on a name that leads to ${closed}, which is not public`)
  return url
}

function isInternalName(host: string): boolean {
  const labels = host.toLowerCase().split('.')
  return labels.length < 2 || INTERNAL_SUFFIXES.has(labels.at(-1) ?? '')
}

function refusal(shown: string, problem: string): CornermanError {
  return new CornermanError(
    'WEBHOOK_URL',
    `the webhook URL ${JSON.stringify(shown.slice(0, 200))} is ${problem}: give an https:// URL on a public host (a sandbox started with --loopback-webhooks also takes loopback, and http there)`,
    { details: { url: shown.slice(0, 200) } },
  )
}
