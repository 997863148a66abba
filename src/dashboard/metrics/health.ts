import type { CornermanError } from '../../core/error.ts'
import type { FleetView, HostProblemKind, HostState, TroubleKind, WatchedBot } from '../watch/index.ts'

/** Whether someone should be woken, and by what. */
export interface Health {
  /** `ok`, `failing`, or `ok; closed: …` with each mode that is closed: that wakes no one while another is open. */
  readonly status: string
  readonly bots: number
  readonly problems: readonly Problem[]
}

interface Problem {
  /** Undefined of what is of no single bot. */
  readonly bot?: string
  readonly kind: TroubleKind | HostProblemKind
  readonly message: string
}

const UNREACHED: Problem = {
  kind: 'fleetDatabase',
  message: 'the database of the fleet does not answer: nothing is sent, and nobody knows what the other hosts do',
}

/**
 * Fails on what is an alarm: a stream that has not been read for two minutes, an answer without a field that the bot needs, a stake in an unknown mode, a bot that stopped (a journal that cannot be written stops
 * it), a reveal that is due and does not work, a suspended strategy, the kill switch, swaps that do not come through, a stake without a
 * valid move in the last ten minutes, and no mode that is open. What is only worth a look does not wake anyone. Of a fleet each host answers
 * for the bots it plays, and for its way to the database.
 */
export function healthOf({ bots }: FleetView, host?: HostState): Health {
  const own = bots.filter(({ elsewhere }) => elsewhere === undefined)
  const alarms = own.flatMap(({ name, troubles }) =>
    troubles.filter(({ severity }) => severity === 'alarm').map(({ kind, message }) => ({ bot: name, kind, message })),
  )
  const known = host?.problems ?? []
  const isNamed = known.some(({ kind }) => kind === 'fleetDatabase')
  const ofHost = host?.isFresh === false && !isNamed ? [UNREACHED, ...known] : known
  const problems: readonly Problem[] = [...ofHost, ...alarms]
  const closed = own.flatMap(({ name, troubles }) =>
    troubles.filter(({ kind }) => kind === 'modeClosed').map(({ about }) => `${about} of ${name}`),
  )
  const ok = closed.length === 0 ? 'ok' : `ok; closed: ${closed.join(', ')}`
  return { status: problems.length === 0 ? ok : 'failing', bots: own.length, problems }
}

/** Whether to start the process again. */
export interface Liveness {
  readonly status: 'ok' | 'failing'
  readonly problems: readonly { readonly bot: string; readonly code: string; readonly message: string }[]
}

/**
 * Fails once a bot has stopped because its journal cannot be written or read: a journal is written with every step, and so nothing is
 * written to find out. Whatever else is wrong, another start does not mend: it is no reason for one.
 *
 * @param isMendedByHand of failures that another start meets again
 */
export function livenessOf(
  bots: readonly Pick<WatchedBot, 'name' | 'failure'>[],
  isMendedByHand: (failure: CornermanError) => boolean,
): Liveness {
  const problems = bots.flatMap(({ name, failure }) =>
    failure?.code.startsWith('JOURNAL_') && !isMendedByHand(failure) ? [{ bot: name, code: failure.code, message: failure.message }] : [],
  )
  return { status: problems.length === 0 ? 'ok' : 'failing', problems }
}
