import { z } from 'zod'
import { MODES } from '../../../src/contract/enums.ts'
import { usdc } from '../../../src/core/usdc.ts'
import { enqueue, joinContest } from '../../../src/strategy/action.ts'
import { type Config, readConfig, sandbox } from '../../../src/strategy/config.ts'
import { defineQueuePolicy, type Strategy } from '../../../src/strategy/define.ts'
import breakout from '../../../strategies/breakout.ts'
import crossover from '../../../strategies/crossover.ts'
import drift from '../../../strategies/drift.ts'
import holder from '../../../strategies/holder.ts'
import momentum from '../../../strategies/momentum.ts'
import trend from '../../../strategies/trend.ts'

export const BOT = 'alice'
const STAKE = usdc('1')
const DURATION_SEC = 18
/** Nine turns are longer than any contest of that duration: 3 s to the match, 12 of a draft, 20 to reveal. */
const LEAST_PACE_SEC = 6
/** A seat in a contest about to close is likely gone by the time the request arrives. */
const CLOSING_MS = 4000

/**
 * Enters by the clock, whatever came of the contests before: each mode in turn, one entry every few seconds, and none where
 * a turn passes without. Two bots of this policy enter the same modes at the same times: what differs is how they play.
 */
const paced = defineQueuePolicy({
  name: 'paced',
  params: z.object({
    /** Unix milliseconds of the first entry. */
    startMs: z.number().int(),
    /** Between one entry and the next, of whatever mode. */
    everySec: z.number().int().min(LEAST_PACE_SEC),
    /** Entries of each mode, after which it rests. */
    rounds: z.number().int().min(1),
    stake: z.bigint().positive().default(STAKE),
  }),
  everySec: 1,
  browse: () => ({ modes: ['up_down'], maxStake: STAKE }),

  decide({ params: { startMs, everySec, rounds, stake }, tickets, contests, openContests, clock }) {
    const turn = Math.floor((clock.now() - startMs) / (everySec * 1000))
    const mode = MODES[turn % MODES.length]
    if (mode === undefined || turn >= rounds * MODES.length) return []
    // The one of the round before is over: what there is was entered in this turn.
    if ([...tickets, ...contests].some((entry) => entry.mode === mode)) return []
    if (mode !== 'up_down') return [enqueue({ mode, stake, durationSec: DURATION_SEC, waitSec: 30 })]
    // A ticket cannot choose its side. Which of the open contests it is must not be a matter of how the bot came here.
    const [first, ...others] = openContests
      .filter(
        ({ mode, filled, capacity, joinBy = Infinity }) => mode === 'up_down' && filled < capacity && joinBy > clock.now() + CLOSING_MS,
      )
      .map(({ contestId }) => contestId)
      .toSorted()
    return first === undefined ? [] : [joinContest({ contestId: first, orElse: others })]
  },
})

export interface Pace {
  readonly startMs: number
  readonly everySec: number
  readonly rounds: number
  /** Micro-USDC of each entry. Default 1 USDC. */
  readonly stake?: bigint
}

/** How a bot plays what it has entered. */
export type Temper = 'bold' | 'careful'

const PLAYS: Readonly<Record<Temper, readonly Strategy[]>> = {
  bold: [
    momentum({ lookbackSec: 10 }),
    drift({ lookbackSec: 10, share: 0.5 }),
    trend({ lookbackSec: 5 }),
    crossover({ fast: 3, slow: 8, amount: usdc('10'), opening: usdc('2') }),
    breakout({ channelSec: 6, stopSec: 5, amount: usdc('10') }),
    holder({ amount: usdc('20') }),
  ],
  careful: [
    momentum({ lookbackSec: 60 }),
    drift({ lookbackSec: 60, share: 0 }),
    trend({ lookbackSec: 15 }),
    crossover({ fast: 5, slow: 15, amount: usdc('10'), opening: usdc('1') }),
    breakout({ channelSec: 15, stopSec: 12, amount: usdc('5') }),
    holder({ amount: usdc('10') }),
  ],
}

/** One bot that enters by the clock, under limits that never bind. */
export function pacedConfig(temper: Temper, pace: Pace): Config {
  const bot = {
    name: BOT,
    strategies: [paced(pace), ...PLAYS[temper]],
    guard: {
      maxStake: pace.stake ?? STAKE,
      dailyLoss: usdc('10000'),
      maxOpenContests: 50,
      maxSwapsPerContest: 1000,
      maxSwapsPerMinute: 600,
    },
  }
  return readConfig({ service: sandbox(), bots: [bot] }, 'the paced bot')
}
