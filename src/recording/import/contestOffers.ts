import { isTradingMode, MODE_TRAITS, MODES, type Mode, type PlayKind } from '../../contract/modes.ts'
import { invariant } from '../../core/error.ts'
import { keyedUuid } from '../../core/ids.ts'
import { draw, keyedRandom, type Random } from '../../core/random.ts'
import type { Mint } from '../../core/tokens.ts'
import { leastPeriods } from '../groundPeriods.ts'
import type { ContestLine } from '../lines.ts'

export interface OffersOptions {
  readonly mints: readonly Mint[]
  /** Between two prices. */
  readonly stepMs: number
  /** Unix milliseconds: none is offered before, and none could last beyond the end. */
  readonly from: number
  readonly until: number
  readonly contestsPerHour: number
  readonly seed: number
}

const HOUR_MS = 3_600_000
/** Micro-USDC. */
const STAKES = ['1000000', '2000000', '5000000']
const DURATIONS_SEC = [60, 120, 300, 600, 900]
/** On prices further apart, times the least that a mode's contests have to last. */
const DURATION_FACTORS = [1, 1.25, 1.5, 2, 3]
/** Of the service. */
const LONGEST_SEC = 86_400
const TARGETS_PCT = [0.25, 0.5, 1]
const POOL = 8
const PICKS = 2
const LOBBY_SEATS = 4
/** For what comes before the start and after the end of a contest: matching, commitments, picks, reveals. */
const MARGIN_MS = 60_000

/** Seeded contests, by time. The modes come in rounds, so that each of the nine is offered as often as the others. */
export function* contestOffers({ mints, stepMs, from, until, contestsPerHour, seed }: OffersOptions): Generator<ContestLine> {
  let at = from
  // Two files of prices imported with one seed are two logs, whose contests can be backtested together.
  const file = keyedUuid(seed, 'prices', from, until, mints.join())
  for (let index = 0; ; index++) {
    const random = keyedRandom(seed, 'offer', index)
    at += Math.round((HOUR_MS / contestsPerHour) * (0.5 + random.next()))
    if (at >= until) return
    const mode = modeOf(seed, index)
    const place = random.integer(0, DURATIONS_SEC.length - 1)
    const drawn = one(random, ['queue', 'list'] as const)
    // A ticket cannot choose its side: a contest of sides that is not listed asks nobody anything.
    const via = MODE_TRAITS[mode].sides.length > 0 ? 'list' : drawn
    const isLobby = via === 'list' && isTradingMode(mode) && random.next() < 0.5
    const durationSec = durationOf(mode, stepMs, place)
    if (durationSec > LONGEST_SEC) continue
    if (at + durationSec * 1000 + MARGIN_MS > until) continue
    yield {
      kind: 'contest',
      at,
      contestId: keyedUuid(file, 'offer', index),
      mode,
      chain: 'solana',
      format: isLobby ? 'lobby' : 'duel',
      stake: one(random, STAKES),
      durationSec,
      capacity: isLobby ? LOBBY_SEATS : 2,
      opponents: one(random, ['AGENT', 'HUMAN'] as const),
      params: paramsOf(mode, mints, random),
      via,
    }
  }
}

/** By the log's prices, and no shorter than they can decide. */
function durationOf(mode: Mode, stepMs: number, place: number): number {
  const leastSec = (leastPeriods(mode) * stepMs) / 1000
  const usualSec = DURATIONS_SEC[place] ?? 0
  return leastSec <= (DURATIONS_SEC[0] ?? 0) ? usualSec : Math.ceil(leastSec * (DURATION_FACTORS[place] ?? 1))
}

function modeOf(seed: number, index: number): Mode {
  const round = draw(keyedRandom(seed, 'modes', Math.floor(index / MODES.length)), MODES, MODES.length)
  return round[index % MODES.length] ?? MODES[0]
}

/** Parameters of a contest beside its token and its target. */
const PARAMS: Readonly<Record<PlayKind, (mints: readonly Mint[], random: Random) => ContestLine['params']>> = {
  swaps: () => ({}),
  picks: (mints, random) => ({ pool: draw(random, mints, POOL), picks: PICKS }),
  sealedPrice: () => ({}),
  side: () => ({}),
}

function paramsOf(mode: Mode, mints: readonly Mint[], random: Random): ContestLine['params'] {
  const { needsToken, endsEarly, playedBy } = MODE_TRAITS[mode]
  if (needsToken) return { token: one(random, mints) }
  if (endsEarly === 'target') return { targetPct: one(random, TARGETS_PCT) }
  return PARAMS[playedBy](mints, random)
}

function one<T>(random: Random, values: readonly T[]): T {
  const picked = random.pick(values)
  invariant(picked !== undefined, 'there is nothing to pick from')
  return picked
}
