import type { Contest, ContestsState } from '../../../src/contests/index.ts'
import { MODES, type Mode, type Result } from '../../../src/contract/enums.ts'
import type { Mint } from '../../../src/core/tokens.ts'
import type { Usdc } from '../../../src/core/usdc.ts'
import { START_MS, startVirtualFleet } from '../virtualFleet.ts'
import { BOT, type Pace, pacedConfig, type Temper } from './pacedBot.ts'

/** Reads a minute that no bot makes: a bot that waits for the read limit would be another one. */
const READ_LIMIT = 1_000_000
/** From the last entry to the end of its contest, with some to spare. */
const LAST_CONTEST_MS = 180_000

/** A contest as the service itself has it, whatever the bot believes. */
export interface RealContest {
  readonly contestId: string
  readonly mode: Mode
  readonly startsAt: number | null
  /** Null: cancelled. */
  readonly result: Result | null
  readonly profit: Usdc
  readonly own: RealSeat
  readonly others: readonly RealSeat[]
}

export interface RealSeat {
  readonly side: string | null
  readonly score: string | null
  /** What it drafted, in order. */
  readonly picks: readonly Mint[]
}

export interface PlayOptions {
  readonly temper: Temper
  readonly seed: number
  readonly everySec: number
  /** Entries of each mode. */
  readonly rounds: number
}

/**
 * Plays a bot on a sandbox of its own, from the first entry to the end of the last contest, in virtual time.
 *
 * @param use is given the folder of the bot's recording, which is gone afterwards
 * @returns the contests in the order of their entries, and what `use` made of the recording
 */
export async function playOnSandbox<T>(
  { temper, seed, everySec, rounds }: PlayOptions,
  use: (recording: string) => Promise<T>,
): Promise<{ readonly contests: readonly RealContest[]; readonly used: T }> {
  const pace: Pace = { startMs: START_MS, everySec, rounds }
  const config = pacedConfig(temper, pace)
  await using world = await startVirtualFleet({ config, sandbox: { seed, readLimit: READ_LIMIT, dailyLossCap: 10n ** 12n } })
  const turnsMs = everySec * 1000 * rounds * MODES.length
  await world.until(() => world.clock.now() >= START_MS + turnsMs, 'the last entry is due', 2 * turnsMs)
  await world.until(() => world.heldOf(BOT).open === 0, 'every contest has ended', LAST_CONTEST_MS)
  await world.drained()
  const [bot] = world.fleet.bots
  if (bot?.recording === undefined) throw new Error('the bot keeps no recording')
  const contests = world.sandbox.service.read((state) => contestsOf(state, bot.agentId ?? ''))
  return { contests, used: await use(bot.recording) }
}

function contestsOf({ contests }: ContestsState, agentId: string): RealContest[] {
  return [...contests.values()].flatMap((contest) => {
    const own = contest.entries.findIndex((entry) => entry.agentId === agentId)
    const entry = contest.entries[own]
    if (entry === undefined) return []
    const { contestId, mode, startsAt, stake } = contest
    const others = contest.entries.flatMap((_, seat) => (seat === own ? [] : [seatOf(contest, seat)]))
    return [{ contestId, mode, startsAt, result: entry.result, profit: entry.payout - stake, own: seatOf(contest, own), others }]
  })
}

function seatOf({ mode, entries, play }: Contest, seat: number): RealSeat {
  const { side = null, score = null } = entries[seat] ?? {}
  return { side, score, picks: mode === 'draft_basket' ? picksOf(seat, play as Draft) : [] }
}

/** The play of a draft between two: who picks first, and what was picked turn by turn, in snake order. */
interface Draft {
  readonly order: readonly number[]
  readonly picked: readonly { readonly token: Mint }[]
}

function picksOf(seat: number, { order, picked }: Draft): Mint[] {
  const players = order.length
  const seatAt = (turn: number) => order[Math.floor(turn / players) % 2 === 0 ? turn % players : players - 1 - (turn % players)]
  return picked.flatMap(({ token }, turn) => (seatAt(turn) === seat ? [token] : []))
}
