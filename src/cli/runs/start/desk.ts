import { merge, NEVER } from 'rxjs'
import type { Clock } from '../../../core/clock.ts'
import { inTime } from '../../../core/inTime.ts'
import {
  Alerts,
  healthOf,
  isLoopback,
  livenessOf,
  Metrics,
  type Operator,
  type Route,
  type Stopped,
  Watch,
  type WatchedFleet,
  type WatchedHost,
} from '../../../dashboard/index.ts'
import { openChannels } from '../../../live/index.ts'
import type { Occurrence } from '../../../pipeline/index.ts'
import type { Config } from '../../../strategy/config.ts'
import type { ControlState } from '../../control.ts'
import { EXIT, exitCodeOf } from '../../exit.ts'
import { revealSecret } from '../../loadConfig.ts'
import type { Logger } from '../../log.ts'
import { softwareVersions } from '../../software.ts'
import { chatDeskOf } from './chatDesk.ts'
import { type DashboardSettings, pageOfHost, serveDashboard } from './dashboard.ts'
import type { Fleet } from './fleet.ts'
import type { ControlFollower } from './followControl.ts'
import { ordered } from './ordered.ts'

const STOPPED: Readonly<Record<ControlState, Stopped>> = { running: 'nothing', 'entries stopped': 'entries', stopped: 'all' }

/** How long a run that ends waits for its last alerts to be taken. */
const LAST_WORDS_MS = 3000

export interface DeskOptions {
  readonly config: Config
  /** Where alerts go. */
  readonly channels: ReturnType<typeof openAlertChannels>
  readonly fleet: Fleet
  readonly follower: ControlFollower
  readonly clock: Clock
  readonly log: Logger
  readonly isDryRun: boolean
  /** Process ids of runs that ended without a word. */
  readonly diedBefore: readonly number[]
  /** Undefined: no dashboard is wanted. */
  readonly dashboard: DashboardSettings | undefined
  readonly dataDir: string
}

/** What the owner sees and is told of the bots. */
export interface OwnersDesk {
  readonly watch: Watch
  /** The dashboard's address with its token, for the owner's eyes; undefined where there is none. */
  readonly url: string | undefined
  close(): Promise<void>
}

/**
 * Opens the owner's desk.
 *
 * @throws CornermanError `DASHBOARD_PORT`
 */
export async function openDesk(options: DeskOptions): Promise<OwnersDesk> {
  const { config, channels, fleet, follower, clock, log, isDryRun, diedBefore, dashboard: settings, dataDir } = options
  const service = config.service.kind === 'sandbox' ? 'sandbox' : new URL(config.service.url).host
  const stopped = (bot?: string): Stopped => STOPPED[follower.stateOf(bot)]
  const watch = new Watch({ fleet, clock, service, isDryRun, stopped, diedBefore, others: fleet.view })
  const alerts = new Alerts({
    channels,
    occurrence$: merge<Occurrence[]>(watch.occurrence$, fleet.view?.alerts.occurrence$ ?? NEVER, fleet.view?.troubles.occurrence$ ?? NEVER),
    clock,
    log,
  })
  const { view } = fleet
  const metrics = new Metrics({ fleet, watch, clock, version: softwareVersions().cornerman, alerts: () => alerts.counts(), host: view })
  const operator: Operator = {
    say: (command, bot) => follower.say(command, bot),
    order: (bot, order) => fleet.orderElsewhere(bot, order) ?? ordered({ fleet, clock }, bot, order),
  }
  const routes = settings === undefined ? [] : routesOf({ fleet, watch, metrics, host: view, isPrivate: !isLoopback(settings.host) })
  const dashboard =
    settings === undefined ? undefined : await serveDashboard(settings, { desk: watch, operator, routes, clock, log, dataDir })
  view?.show({
    shown: () => watch.shown(),
    now: () => clock.now(),
    page: dashboard === undefined ? undefined : pageOfHost(dashboard.address),
  })
  const chat = chatDeskOf(watch, operator)
  const chats = channels.flatMap(
    ({ attend }) =>
      attend?.({
        ...{ desk: chat, clock, log },
        ...(view === undefined ? {} : { isFirst: () => view.isFirst, once: (chore) => view.once(chore) }),
      }) ?? [],
  )
  return {
    watch,
    url: settings?.token.isFromUser === true ? dashboard?.address : dashboard?.url,
    async close() {
      await Promise.all(chats.map((attended) => attended.close()))
      await dashboard?.close()
      metrics.close()
      // It looks at the bots once more: one that stopped just now is told of.
      watch.close()
      await inTime(alerts.close(), clock, LAST_WORDS_MS)
    },
  }
}

interface RoutesOptions {
  readonly fleet: Pick<WatchedFleet, 'bots'>
  readonly watch: Pick<Watch, 'fleet'>
  readonly metrics: Pick<Metrics, 'contentType' | 'text'>
  /** Where this is a host of a fleet. */
  readonly host?: Pick<WatchedHost, 'state'> | undefined
  /** Others can reach the server: what money is made is not for them. */
  readonly isPrivate: boolean
}

/** What monitoring asks for. */
export function routesOf({ fleet, watch, metrics, host, isPrivate }: RoutesOptions): readonly Route[] {
  return [
    {
      path: '/metrics',
      needsSession: isPrivate,
      handle: async () => ({ status: 200, type: metrics.contentType, body: await metrics.text() }),
    },
    {
      path: '/health',
      needsSession: isPrivate,
      handle() {
        const health = healthOf(watch.fleet(), host?.state())
        return { status: health.problems.length === 0 ? 200 : 503, type: 'application/json', body: JSON.stringify(health) }
      },
    },
    {
      path: '/live',
      needsSession: isPrivate,
      handle() {
        const live = livenessOf(fleet.bots, (failure) => exitCodeOf(failure) === EXIT.usage)
        return { status: live.status === 'ok' ? 200 : 503, type: 'application/json', body: JSON.stringify(live) }
      },
    },
  ]
}

/** @throws CornermanError `SECRET_MISSING` or `SECRET_INVALID` */
export function openAlertChannels({ alerts }: Config, configFile: string, clock: Clock): ReturnType<typeof openChannels> {
  return openChannels(alerts, { clock, reveal: (secret, field) => revealSecret(secret, `${configFile}: ${field}`) })
}
