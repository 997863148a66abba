import { z } from 'zod'
import { commitmentOf } from '../../contract/commitment.ts'
import { SALT_PATTERN } from '../../contract/procedures.ts'
import { messageOf } from '../../core/error.ts'
import { canonicalPrice, PRICE_SCALE_DIGITS, type Price, scalePrice } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import { rational } from '../rational.ts'
import { refuse } from '../refuse.ts'
import { isoOf } from '../turn.ts'
import type { ModeParams } from '../types.ts'
import type { ContestMode, MadeMove, MoveAnswer, PlayedContest, Progress } from './contestMode.ts'
import { commonParams, paramsReader, secondsSchema, tokenParam, withToken } from './readParams.ts'

interface PredictionParams extends ModeParams {
  readonly token: Mint
  /** From the lock until `commitBy`, which is `startsAt`. */
  readonly commitSec: number
  /** From `endsAt` until `revealBy`. */
  readonly revealSec: number
}

interface PredictionPlay {
  phase: 'commit' | 'running' | 'reveal'
  /** By seat. */
  readonly commitments: (string | null)[]
  readonly values: (Price | null)[]
  endPrice: Price | null
}

type Prediction = PlayedContest<PredictionParams, PredictionPlay>

const ONE = 10n ** BigInt(PRICE_SCALE_DIGITS)
const readParams = paramsReader(
  z.strictObject({
    ...commonParams,
    ...tokenParam,
    commitSec: secondsSchema.default(5),
    revealSec: secondsSchema.default(20),
  }),
)

/**
 * Players commit to the price of `params.token` at `endsAt` before `startsAt`, and reveal after
 * `endsAt`. The revealed value closest to that price wins; who has not revealed by `revealBy` loses.
 * It is decided sooner once everyone who committed has revealed.
 */
export const pricePrediction: ContestMode<PredictionParams, PredictionPlay> = {
  name: 'price_prediction',
  chains: ['solana', 'robinhood'],
  winner: 'lowest',
  sides: null,
  moves: {
    commitPrediction: { closed: 'COMMIT_CLOSED', play: commit },
    revealPrediction: { closed: 'REVEAL_NOT_OPEN', play: reveal },
  },
  fills: null,

  params: (asked, seating) => withToken(readParams(asked), seating),

  leadMs: ({ commitSec }) => commitSec * 1000,

  lock: ({ entries }) => ({ phase: 'commit', commitments: entries.map(() => null), values: entries.map(() => null), endPrice: null }),

  nextDueAt(contest) {
    const { play, startsAt, endsAt } = contest
    if (play.phase === 'commit') return startsAt
    return play.phase === 'running' ? endsAt : revealBy(contest)
  },

  mintsAt: ({ params, endsAt }, at) => (at === endsAt ? [params.token] : []),

  due(contest, at, priceOf) {
    const { play, params, startsAt, endsAt } = contest
    if (at === startsAt) {
      play.phase = 'running'
      return 'goes-on'
    }
    if (at !== endsAt) return 'decided'
    play.phase = 'reveal'
    play.endPrice = priceOf(params.token)
    return progressOf(contest)
  },

  scores({ play }) {
    const end = scalePrice(play.endPrice ?? '0')
    return play.values.map((value) => {
      if (value === null) return null
      const difference = scalePrice(value) - end
      return rational(difference < 0n ? -difference : difference, ONE)
    })
  },

  view(contest, { seat, shown }) {
    const { play, params, entries, startsAt, endsAt } = contest
    const isCommitted = (of: number) => typeof play.commitments[of] === 'string'
    const isRevealed = (of: number) => typeof play.values[of] === 'string'
    return {
      phase: play.phase,
      token: params.token,
      commitBy: isoOf(startsAt),
      revealFrom: isoOf(endsAt),
      revealBy: isoOf(revealBy(contest)),
      committed: seat !== null && isCommitted(seat),
      revealed: seat !== null && isRevealed(seat),
      predictions: entries.map((entry, of) => ({
        entryId: entry.entryId,
        userId: shown(entry),
        committed: isCommitted(of),
        value: play.values[of] ?? null,
      })),
      endPrice: play.endPrice,
    }
  },
}

function revealBy({ endsAt, params }: Prediction): number {
  return endsAt + params.revealSec * 1000
}

function progressOf({ play }: Prediction): Progress {
  const waiting = play.commitments.some((commitment, seat) => commitment !== null && play.values[seat] === null)
  return waiting ? 'goes-on' : 'decided'
}

function commit({ play, startsAt }: Prediction, { seat, move }: MadeMove<'commitPrediction'>): MoveAnswer {
  const { commitment } = move
  if (play.phase !== 'commit') return refuse('COMMIT_CLOSED', `commitments closed at ${isoOf(startsAt)}`, { commitBy: isoOf(startsAt) })
  if (!/^[0-9a-f]{64}$/.test(commitment))
    return refuse('INVALID_INPUT', 'commitment must be a SHA-256 in 64 lowercase hex digits', { commitment })
  if (play.commitments[seat] !== null) return refuse('ALREADY_COMMITTED', 'this seat has committed: keep its salt, reveal after endsAt')
  play.commitments[seat] = commitment
  return { ok: true, progress: 'goes-on' }
}

function reveal(contest: Prediction, { seat, move }: MadeMove<'revealPrediction'>): MoveAnswer {
  const { play, entries, endsAt } = contest
  if (play.phase !== 'reveal') return refuse('REVEAL_NOT_OPEN', `reveals open at ${isoOf(endsAt)}`, { revealFrom: isoOf(endsAt) })
  if (play.values[seat] !== null) return refuse('REVEAL_NOT_OPEN', 'this seat has revealed: there is nothing more to reveal')
  // The salt stays out of every message: it may be one in use elsewhere.
  if (!SALT_PATTERN.test(move.salt))
    return refuse('SALT_INVALID', `salt must be 16 to 128 characters of A-Z a-z 0-9 _ -, this one has ${move.salt.length}`)
  let value: Price
  try {
    value = canonicalPrice(move.value)
  } catch (thrown) {
    return refuse('INVALID_INPUT', `value: ${messageOf(thrown)}`, { value: move.value })
  }
  if (play.commitments[seat] !== commitmentOf(value, move.salt, entries[seat]?.entryId ?? '')) {
    return refuse(
      'COMMITMENT_MISMATCH',
      'value and salt do not give the commitment of this seat: reveal what was committed, with the same salt',
      { value },
    )
  }
  play.values[seat] = value
  return { ok: true, progress: progressOf(contest) }
}
