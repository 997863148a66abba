import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { addressTimeoutMs } from '../core/addressTimeout.ts'
import { CornermanError } from '../core/error.ts'
import { resettingConnector } from './resettingConnector.ts'

// Every connection that leaves this machine is made here: reset when a request is given up, and through a proxy where the environment names one.

/** Never asked of a proxy, whatever NO_PROXY says: the sandbox, and whatever else runs here. */
const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** A request that was given up may lie in a proxy, which delivers it when it can. */
export const PROXIED_LATE_MS = 60_000

type Environment = Readonly<Record<string, string | undefined>>

export interface OutgoingOptions {
  readonly timeoutMs: number
  readonly connections: number
  /** In bytes. */
  readonly maxResponseSize: number
  /** As `ResettingOptions` has it. Through a proxy nothing sees a POST leave: then it is asked by whoever sends it alone. */
  readonly maySend?: (() => boolean) | undefined
  /** Whose certificates are trusted besides those of Node. */
  readonly ca?: string
  /** Default: this process's. */
  readonly environment?: Environment
}

/** A request below the origin of its connections. */
export type OutgoingRequest = Omit<Dispatcher.RequestOptions, 'origin'>

/** Connections to one origin. */
export interface Outgoing {
  /** Whether they go through a proxy: a request that was given up can then not be taken back. */
  readonly isProxied: boolean
  /** For a client of somebody else's. */
  readonly dispatcher: Dispatcher
  /** What fails is thrown with undici's or Node's `code`. */
  request(request: OutgoingRequest): Promise<Dispatcher.ResponseData>
  /** Ends once what is under way has its answer. */
  close(): Promise<void>
  destroy(): Promise<void>
}

/** @throws CornermanError `PROXY_INVALID` */
export function connectionsTo(origin: string, options: OutgoingOptions): Outgoing {
  const { environment = process.env, timeoutMs, connections, maxResponseSize, ca, maySend } = options
  const tls = ca === undefined ? {} : { ca }
  const autoSelectFamilyAttemptTimeout = addressTimeoutMs(timeoutMs)
  const shared = {
    ...{ connections, maxResponseSize, headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
    connect: resettingConnector({ timeoutMs, tls, maySend }),
  }
  const proxy = proxyFor(origin, environment)
  const dispatcher =
    proxy === undefined
      ? new Pool(origin, shared)
      : proxyAgent(proxy, {
          ...{ ...shared, ...proxiesIn(environment), proxyTls: { timeout: timeoutMs, autoSelectFamilyAttemptTimeout } },
          requestTls: { ...tls, timeout: timeoutMs, allowH2: false },
        })
  return {
    isProxied: proxy !== undefined,
    dispatcher,
    request: (request) => dispatcher.request({ ...request, origin }),
    close: () => dispatcher.close(),
    destroy: () => dispatcher.destroy(),
  }
}

function proxyAgent({ name }: ProxySetting, options: EnvHttpProxyAgent.Options): EnvHttpProxyAgent {
  try {
    return new EnvHttpProxyAgent(options)
  } catch (cause) {
    throw new CornermanError(
      'PROXY_INVALID',
      `the environment variable ${name} is no address of a proxy: set it to one, such as http://proxy.example:3128, or unset it`,
      {
        cause,
      },
    )
  }
}

/** Where the environment names a proxy, with what may be secret masked. */
export interface ProxySetting {
  readonly name: string
  readonly value: string
}

/** The proxies that the environment names, and what is kept from them; nothing where it names none. */
export function proxySettings(environment: Environment = process.env): readonly ProxySetting[] {
  const named = ['HTTP_PROXY', 'HTTPS_PROXY'].flatMap((name) => settingOf(name, environment) ?? [])
  const excepted = settingOf('NO_PROXY', environment)
  if (named.length === 0) return []
  return [...named.map(({ name, value }) => ({ name, value: masked(value) })), ...(excepted === undefined ? [] : [excepted])]
}

/** As `curl` and others have it the small letters go first. An empty one is none. */
function settingOf(name: string, environment: Environment): ProxySetting | undefined {
  for (const spelt of [name.toLowerCase(), name]) {
    const value = environment[spelt]?.trim()
    if (value !== undefined && value !== '') return { name: spelt, value }
  }
  return undefined
}

/** What stands between the scheme and the host is for the proxy alone. */
function masked(value: string): string {
  const url = URL.parse(value)
  if (url === null) return '***'
  const isSecret = url.username !== '' || url.password !== ''
  return `${url.protocol}//${isSecret ? '***@' : ''}${url.host}`
}

const proxiesIn = (environment: Environment) => {
  const http = settingOf('HTTP_PROXY', environment)?.value
  const https = settingOf('HTTPS_PROXY', environment)?.value
  return {
    // An empty text keeps undici from the environment itself, where this is another one.
    httpProxy: http ?? '',
    httpsProxy: https ?? '',
    noProxy: [settingOf('NO_PROXY', environment)?.value ?? '', ...OWN_HOSTS].join(','),
  }
}

/** Undefined where there is none for this origin. Exceptions of NO_PROXY are undici's to know: what they keep direct is reset all the same. */
function proxyFor(origin: string, environment: Environment): ProxySetting | undefined {
  const { protocol, hostname } = new URL(origin)
  if (OWN_HOSTS.includes(hostname)) return undefined
  const http = settingOf('HTTP_PROXY', environment)
  return protocol === 'https:' ? (settingOf('HTTPS_PROXY', environment) ?? http) : http
}
