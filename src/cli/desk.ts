import type { Clock } from '../core/clock.ts'
import { Alerts, type Stopped, Watch } from '../dashboard/index.ts'
import { openChannels } from '../live/index.ts'
import type { Config } from '../strategy/config.ts'
import type { ControlState } from './control.ts'
import type { Fleet } from './fleet.ts'
import type { ControlFollower } from './followControl.ts'
import { revealSecret } from './loadConfig.ts'
import type { Logger } from './log.ts'

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
}

/** What the owner sees and is told of the bots. */
export interface OwnersDesk {
  readonly watch: Watch
  close(): Promise<void>
}

/** Opens the owner's desk. */
export function openDesk({ config, channels, fleet, follower, clock, log, isDryRun, diedBefore }: DeskOptions): OwnersDesk {
  const service = config.service.kind === 'sandbox' ? 'sandbox' : new URL(config.service.url).host
  const stopped = (bot?: string): Stopped => STOPPED[follower.stateOf(bot)]
  const watch = new Watch({ fleet, clock, service, isDryRun, stopped, diedBefore })
  const alerts = new Alerts({ channels, occurrence$: watch.occurrence$, clock, log })
  return {
    watch,
    async close() {
      // It looks at the bots once more: one that stopped just now is told of.
      watch.close()
      let cancel = () => {}
      const patience = new Promise<void>((resolve) => {
        cancel = clock.at(clock.now() + LAST_WORDS_MS, resolve)
      })
      await Promise.race([alerts.close(), patience])
      cancel()
    },
  }
}

/** @throws CornermanError `SECRET_MISSING` */
export function openAlertChannels({ alerts }: Config, configFile: string, clock: Clock): ReturnType<typeof openChannels> {
  return openChannels(alerts, { clock, reveal: (secret, field) => revealSecret(secret, `${configFile}: ${field}`) })
}
