import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../core/clock.ts'
import { CornermanError } from '../../core/error.ts'
import { Connections, closeServer, listen, listenProblem, serverOf } from '../../http/index.ts'
import { TOKEN_VARIABLE } from '../settings.ts'
import type { Desk } from '../watch/desk.ts'
import type { Operator } from '../watch/watched.ts'
import { Answers } from './answers.ts'
import type { DashboardLog } from './dashboardLog.ts'
import { isLoopback } from './hosts.ts'
import type { Page } from './page.ts'
import type { Route } from './route.ts'
import { Sessions } from './sessions.ts'
import { Streams } from './streams.ts'

const PORTS_TRIED = 20
const SHORTEST_TOKEN = 16
const REQUEST_TIMEOUT_MS = 10_000
const MOST_CONNECTIONS = 200
const LARGEST_HEADER_BYTES = 16 * 1024

export interface DashboardOptions {
  readonly desk: Desk
  readonly operator: Operator
  /** Loopback, unless the token is the user's. */
  readonly host: string
  /** Where it is taken, the next free one. 0: any free port. */
  readonly port: number
  readonly token: { readonly value: string; readonly isFromUser: boolean }
  /** Makes the page; asked once, when a browser first wants it: bots need not wait for what nobody looks at. */
  readonly page: () => Promise<Page>
  readonly log: DashboardLog
  readonly clock: Clock
  readonly routes?: readonly Route[]
}

export interface Dashboard {
  /** To open in a browser. It has the token, in its fragment: for the owner's eyes, not for a log. */
  readonly url: string
  /** The same without the token. */
  readonly address: string
  /** Ends within a second, whoever is connected. */
  close(): Promise<void>
}

/**
 * Serves the page, what it shows, and what the owner says on it.
 *
 * @throws CornermanError `DASHBOARD_TOKEN_MISSING`, `DASHBOARD_TOKEN_SHORT`, `DASHBOARD_PORT`
 */
export async function openDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { desk, host, token, clock, log, routes = [] } = options
  checkToken(options)
  const streams = new Streams({ desk, clock, log })
  let made: Promise<Page> | undefined
  const page = () => {
    made ??= options.page()
    return made
  }
  const connections = new Connections(MOST_CONNECTIONS)
  const answers = new Answers({ ...options, page, routes, streams, connections, sessions: new Sessions(token.value, clock) })
  const limits = { requestTimeoutMs: REQUEST_TIMEOUT_MS, largestHeaderBytes: LARGEST_HEADER_BYTES }
  const server = serverOf(limits, (request, response) => void answers.answer(request, response))
  server.on('connection', (socket) => connections.add(socket))
  try {
    await listenNear(server, options)
  } catch (thrown) {
    streams.close()
    throw thrown
  }
  const { port } = server.address() as AddressInfo
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
  return {
    url: `${address}#token=${encodeURIComponent(token.value)}`,
    address,
    close: () => {
      streams.close()
      return closeServer(server, clock)
    },
  }
}

/** @throws CornermanError `DASHBOARD_TOKEN_MISSING`, `DASHBOARD_TOKEN_SHORT` */
export function checkToken({ host, token }: Pick<DashboardOptions, 'host' | 'token'>): void {
  if (!token.isFromUser && !isLoopback(host)) {
    const problem = `the dashboard is to listen on ${host}, where others can reach it`
    const remedy = `set ${TOKEN_VARIABLE} to a token of your own, or leave --host out and come through an ssh tunnel`
    throw new CornermanError('DASHBOARD_TOKEN_MISSING', `${problem}: ${remedy}`, { details: { host } })
  }
  if (token.value.length < SHORTEST_TOKEN)
    throw new CornermanError(
      'DASHBOARD_TOKEN_SHORT',
      `${TOKEN_VARIABLE} has fewer than ${SHORTEST_TOKEN} characters, and could be guessed: openssl rand -hex 24 makes a good one`,
    )
}

async function listenNear(server: Server, { host, port, log }: DashboardOptions): Promise<void> {
  const last = port === 0 ? 0 : Math.min(port + PORTS_TRIED - 1, 65_535)
  for (let tried = port; ; tried++) {
    try {
      await listen(server, { host, port: tried })
    } catch (cause) {
      const isTaken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (isTaken && tried < last) continue
      const others = tried > port ? `nor on the ports from ${port} on: ` : ''
      const ofPort = `${others}choose another --port, or start with --no-dashboard`
      throw new CornermanError('DASHBOARD_PORT', `dashboard: ${listenProblem(cause, { host, port: tried, ofPort })}`, { cause })
    }
    if (tried !== port) log.info(`dashboard: port ${port} is taken: it listens on ${tried}`)
    return
  }
}
