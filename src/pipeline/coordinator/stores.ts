import type { Intents } from '../actions/intents.ts'
import type { IncompleteAnswers } from '../answers/incompleteAnswers.ts'
import type { KnownSignatures } from '../answers/knownSignatures.ts'
import type { Strays } from '../answers/strays.ts'
import type { Attribution } from '../books/attribution.ts'
import type { Figures } from '../money/figures.ts'
import type { LedgerKeeper } from '../money/ledgerKeeper.ts'
import type { Results } from '../money/results.ts'
import type { DriftWatch } from '../playable/driftWatch.ts'
import type { Modes } from '../playable/modes.ts'
import type { PathWatch } from '../playable/pathWatch.ts'
import type { Plays } from '../playable/plays.ts'
import type { UnnamedEntries } from '../playable/unnamedEntries.ts'
import type { NewestPrices } from '../prices/newestPrices.ts'
import type { Reads } from '../reads.ts'
import type { PredictionCustody } from '../seat/predictionCustody.ts'
import type { CatchUp } from '../state/catchUp.ts'
import type { Strategies } from '../strategies/strategies.ts'
import type { Portfolios } from '../swaps/portfolios.ts'
import type { Swaps } from '../swaps/swaps.ts'
import type { Sweeps } from '../swaps/sweeps.ts'
import type { Tally } from '../tally.ts'
import type { ToldTokens } from '../toldTokens.ts'

/** Everything that parts show one another: what can be read of each, and nothing that changes it. */
export interface Stores {
  readonly answers: Pick<Strays, 'count' | 'pausedUntil'> & { readonly incomplete: IncompleteAnswers['now'] }
  readonly attribution: Pick<Attribution, 'of'>
  readonly counts: Readonly<Tally>
  readonly custody: Pick<PredictionCustody, 'isForSeat' | 'troubled'>
  readonly drift: Pick<DriftWatch, 'revision' | 'entries'>
  /** The guard reserves in it what it approves. */
  readonly figures: Pick<Figures, 'reservations' | 'unseenCash' | 'isOld' | 'isReading'>
  readonly intents: Pick<
    Intents,
    | 'accountsFor'
    | 'actions'
    | 'entering'
    | 'entries'
    | 'isUnderWay'
    | 'mayHaveMade'
    | 'names'
    | 'openCount'
    | 'revision'
    | 'underWaySince'
    | 'unknown'
    | 'unknownKeys'
  >
  readonly ledger: LedgerKeeper['ledger']
  readonly modes: Omit<Modes, 'begin' | 'happened'>
  readonly missing: Pick<LedgerKeeper, 'missing'>
  readonly path: Pick<PathWatch, 'path' | 'budget' | 'isUnseen' | 'isDown' | 'explains'>
  readonly plays: Pick<Plays, 'lastPause'>
  readonly portfolios: Pick<Portfolios, 'open' | 'closedCash' | 'openPnl' | 'loss'>
  readonly prices: NewestPrices
  /** A read is asked for by whoever owns its purpose, and the answer goes to it. */
  readonly reads: Pick<Reads, 'ask' | 'isUnderWay'>
  readonly results: Pick<Results, 'profit' | 'peakProfit'>
  readonly session: Pick<CatchUp, 'isStreamRead' | 'areSeatsRead'>
  readonly signatures: Pick<KnownSignatures, 'has'>
  readonly strategies: Strategies
  readonly swaps: Pick<Swaps, 'isUnderWayFor' | 'underWayIn' | 'maySweep' | 'isBusy' | 'unknown' | 'sentInMinute'>
  readonly sweeps: Pick<Sweeps, 'unsold'>
  readonly tokens: Pick<ToldTokens, 'of'>
  readonly unnamed: Pick<UnnamedEntries, 'now' | 'enteredAs'>
}

export type StoreName = keyof Stores
