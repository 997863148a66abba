import type { ShownBot } from './shownBots.ts'
import type { BotRow, Elsewhere, Stopped } from './views.ts'

/** That nobody plays a bot while another host takes it over is no news. */
const UNHELD_MS = 10_000

/** What is known of a bot that this host does not play. */
export interface SeenElsewhere {
  readonly elsewhere: Elsewhere
  /** As its host has shown it last; undefined while nothing was heard of it. */
  readonly shown: ShownBot | undefined
  /** Since when no host has it; undefined where one does. */
  readonly unheldSince: number | undefined
}

/** What a host of a fleet knows of the bots that it does not play. */
export interface OtherHosts {
  /** All bots of the fleet. */
  readonly bots: readonly string[]
  /** Undefined where nothing is known yet. */
  of(bot: string): SeenElsewhere | undefined
}

interface OwnWord {
  /** Of this host's config, in micro-USDC. */
  readonly cap: string
  readonly stopped: Stopped
  readonly now: number
}

const UNKNOWN: Elsewhere = { host: undefined, page: undefined, heardAt: undefined, isSilent: true, note: 'who plays it is not known yet' }

/** The line of a bot that this host does not play. */
export function elsewhereRowOf(name: string, seen: SeenElsewhere | undefined, { cap, stopped, now }: OwnWord): BotRow {
  const blank = blankRow(name, cap, stopped)
  if (seen === undefined) return { ...blank, elsewhere: UNKNOWN }
  const { elsewhere, shown, unheldSince } = seen
  const row = shown === undefined ? blank : { ...blank, ...shown.row, name }
  if (unheldSince === undefined) return { ...row, elsewhere }
  // What it was when somebody played it says nothing of how it stands now.
  const unheld = { ...row, phase: 'elsewhere' as const, severity: undefined, troubles: [], stopped, elsewhere }
  if (now - unheldSince < UNHELD_MS) return unheld
  const message = elsewhere.note ?? 'nobody plays it'
  return { ...unheld, severity: 'alarm', troubles: [{ kind: 'botStopped', severity: 'alarm', message }] }
}

const blankRow = (name: string, cap: string, stopped: Stopped): BotRow => ({
  ...{ name, stopped, phase: 'elsewhere', severity: undefined, troubles: [], isCaughtUp: false, isDraining: false },
  ...{ equity: undefined, bankroll: undefined, inPlay: undefined, held: undefined, unpriced: 0, pricedAt: undefined },
  ...{ profit: undefined, settled: undefined, open: [], lastResults: [], faults: 0, unknown: 0 },
  today: { cap, lost: undefined, inPlay: undefined, reserved: undefined, serviceCap: undefined, serviceLost: undefined },
  stream: { state: 'current', readAt: undefined, startedAt: 0 },
})
