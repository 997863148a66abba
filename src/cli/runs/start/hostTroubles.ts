import { Subject } from 'rxjs'
import type { CornermanError } from '../../../core/error.ts'
import type { HostProblem, HostProblemKind } from '../../../dashboard/index.ts'
import type { Occurrence } from '../../../pipeline/index.ts'
import type { Logger } from '../../log.ts'

export interface HostTroublesOptions {
  readonly host: string
  readonly log: Pick<Logger, 'error' | 'info'>
  /** Unix milliseconds. */
  readonly now: () => number
}

/** Problems that keep a host of a fleet from staking. The log names each once, `/health` lists it while it lasts, and the owner gets an alarm. */
export class HostTroubles {
  readonly occurrence$ = new Subject<Occurrence>()
  readonly #options: HostTroublesOptions
  readonly #messages = new Map<HostProblemKind, string>()

  constructor(options: HostTroublesOptions) {
    this.#options = options
  }

  get problems(): readonly HostProblem[] {
    return [...this.#messages].map(([kind, message]) => ({ kind, message }))
  }

  /** @param trouble undefined where there is none, or it is over */
  set(kind: HostProblemKind, trouble: CornermanError | undefined): void {
    const { host, log, now } = this.#options
    if (trouble?.message === this.#messages.get(kind)) return
    const tell = (told: Pick<Occurrence, 'kind' | 'severity' | 'message'>) =>
      this.occurrence$.next({ bot: 'fleet', about: host, at: now(), ...told })
    if (trouble === undefined) {
      this.#messages.delete(kind)
      const message = `host ${host}: ${OVER[kind]}`
      log.info(message)
      tell({ kind: 'over', severity: 'info', message })
      return
    }
    this.#messages.set(kind, trouble.message)
    log.error({ code: trouble.code, ...(trouble.details === undefined ? {} : { details: trouble.details }) }, trouble.message)
    tell({ kind, severity: 'alarm', message: `host ${host}: ${trouble.message}` })
  }

  close(): void {
    this.occurrence$.complete()
  }
}

const OVER: Readonly<Record<HostProblemKind, string>> = {
  fleetOrder: "the order in the fleet's database holds again",
  fleetNotDurable: "the fleet's database keeps commits on a second server again: the bots may enter contests",
  fleetDatabase: "the fleet's database takes writes again",
}
