import type { BotRun, PlayedContest } from '../../../src/backtest/index.ts'
import { symbolOf } from '../../../src/core/tokens.ts'
import type { RealContest } from './playedOnSandbox.ts'

/** A contest that was foretold, and what it really came to. */
export interface Pair {
  readonly predicted: PlayedContest
  readonly real: RealContest
}

/**
 * The contests that happened as a backtest supposed: the same contest, against opponents who came to the same scores,
 * and in a draft with the same picks of everyone. The id says all else: a contest's terms and tokens are drawn from it.
 */
export const pairsOf = (run: BotRun, reals: readonly RealContest[]): Pair[] => metOf(run, reals).filter(isSame)

/** The contests that were foretold and really entered, whatever happened in them. */
export function metOf({ contests }: BotRun, reals: readonly RealContest[]): Pair[] {
  const byId = new Map(reals.map((real) => [real.contestId, real]))
  return contests.flatMap((predicted) => {
    const real = byId.get(predicted.contestId)
    return real === undefined ? [] : [{ predicted, real }]
  })
}

function isSame({ predicted, real }: Pair): boolean {
  if (predicted.mode !== real.mode || predicted.startsAt !== real.startsAt || predicted.others.length !== real.others.length) return false
  const areOpponentsSame = predicted.others.every(({ source, score, side }, index) => {
    const other = real.others[index]
    return source === 'recorded' && score === other?.score && side === other.side
  })
  return areOpponentsSame && (predicted.mode !== 'draft_basket' || arePicksSame(predicted, real))
}

function arePicksSame({ moves, others }: PlayedContest, real: RealContest): boolean {
  const texts = (picks: readonly string[]) => picks.map((mint) => `pick ${symbolOf(mint)}`).join()
  const own = moves.flatMap(({ text }) => (text.startsWith('pick ') ? [text] : [])).join()
  const areOthersSame = others.every(
    (ghost, index) => ghost.moves.map(({ text }) => text).join() === texts(real.others[index]?.picks ?? []),
  )
  return own === texts(real.own.picks) && areOthersSame
}

/** Whether a pair came to the same result and the same money, to the micro-USDC. */
export const isEqual = ({ predicted, real }: Pair): boolean => predicted.result === real.result && predicted.profit === real.profit
