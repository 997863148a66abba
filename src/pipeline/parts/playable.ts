import { part } from '../coordinator/part.ts'
import { DriftWatch } from '../playable/driftWatch.ts'
import { UNPLAYED_LIMITS } from '../playable/modeRecord.ts'
import { Modes } from '../playable/modes.ts'
import { MoveRecord } from '../playable/moveRecord.ts'
import { outOf } from '../playable/outOf.ts'
import { pauseText } from '../playable/owedMove.ts'
import { PathWatch } from '../playable/pathWatch.ts'
import { sayUnreadable } from '../playable/sayUnreadable.ts'
import { Trials } from '../playable/trials.ts'
import { UnnamedEntries } from '../playable/unnamedEntries.ts'
import { unplayedBy } from '../playable/unplayedBy.ts'

export const modes = part({
  name: 'modes',
  does: 'keeps which modes are open, and why the others are closed',
  reads: ['intents', 'path', 'strategies'],
  writes: ['modes'],
  after: ['intents'],
  make(stores, { present }) {
    const { config } = present.options
    const modes = new Modes(config.guard.unplayed ?? UNPLAYED_LIMITS, {
      unplayedBy: (mode) => unplayedBy(mode, config.strategies, (name) => stores.strategies.calls.suspendedUntil(name)),
      path: () => stores.path.path,
      swapBudget: () => stores.path.budget,
      out: (mode) => outOf(present.books, stores.intents.entering, mode),
    })
    return {
      stores: { modes },
      on: {
        started(input) {
          modes.begin(input.modes, input.reading, present.step)
          sayUnreadable(present, modes)
        },
        mode({ mode, command, saidAt }) {
          modes.happened(mode, { type: 'said', command, saidAt }, present.step)
          present.tell({ type: 'decisionWanted', isSoon: false })
        },
      },
      onFact: { mode: ({ mode, happening }) => modes.happened(mode, happening, present.step) },
    }
  },
})

export const moves = part({
  name: 'moves',
  does: 'records the moves that contests ask for, and says which stakes were lost without one',
  reads: ['intents', 'modes', 'path', 'portfolios', 'swaps', 'unnamed'],
  writes: ['plays'],
  after: ['swaps', 'seats', 'endings'],
  make(stores, { present }) {
    const moves = new MoveRecord(present, stores)
    const { plays } = moves
    return {
      stores: { plays },
      on: {
        started: ({ at, picked = [], revealed = [] }) => plays.begin(at, [...picked, ...revealed]),
        paused({ from, until }) {
          plays.paused({ from, until })
          // The process says it once for all its bots.
          present.step.note('debug', () => pauseText({ from, until }), { code: 'PAUSED', from, until })
        },
      },
      onFact: {
        news: (news) => moves.onNews(news),
        answerFolded: (folded) => moves.onFolded(folded),
        actionTaken: ({ intent: { action } }) => action.type === 'draftPick' && moves.onMoved(action.contestId),
        swapFilled: (filled) => moves.onSwapFilled(filled),
        concluded: (concluded) => moves.onConcluded(concluded),
        contestEnded: (ended) => moves.onContestEnded(ended),
        moveDue: ({ contestId, place }) => plays.due(contestId, place),
        moveAsked: ({ contestId, awaitsAnswer }) => plays.asked(contestId, { awaitsAnswer }),
        moveAnswered: ({ contestId, isMove }) => plays.answered(contestId, isMove),
        moveHindered: (hindered) => moves.onHindered(hindered),
        moveCleared: ({ contestId }) => plays.cleared(contestId),
        moveMade: ({ contestId }) => moves.onMoved(contestId),
      },
      tend: () => moves.tend(),
    }
  },
})

export const unnamed = part({
  name: 'unnamed',
  does: 'looks for stakes in modes that the bot cannot name',
  reads: ['ledger', 'intents'],
  writes: ['unnamed'],
  after: ['moves'],
  make(stores, { present }) {
    const unnamed = new UnnamedEntries(present, stores)
    return { stores: { unnamed }, tend: () => unnamed.tend() }
  },
})

export const path = part({
  name: 'path',
  does: 'watches whether swaps come through',
  reads: ['modes', 'portfolios', 'prices'],
  writes: ['path'],
  after: ['unnamed', 'swaps'],
  owns: ['path'],
  make(stores, { present }) {
    const path = new PathWatch(present, stores)
    return {
      stores: { path },
      on: {
        started: (input) => path.start(input),
        prices: () => path.onPrices(),
        quoted: (input) => path.onQuoted(input),
        feed: (input) => path.onFeed(input),
        pathChecked: (input) => path.onChecked(input),
      },
      onFact: {
        swapFilled: () => path.onFilled(),
        swapKeptBack: (kept) => path.onKeptBack(kept),
        pathFailed: (failed) => path.onFailed(failed),
        walletBusy: (busy) => path.onWalletBusy(busy),
        walletFree: () => path.onWalletFree(),
      },
      onDue: () => path.onDue(),
      tend: () => path.tend(),
    }
  },
})

export const trials = part({
  name: 'trials',
  does: 'enters one contest of a closed mode once its time has come',
  reads: ['modes', 'intents', 'reads'],
  writes: [],
  after: ['path', 'seats'],
  owns: ['trials'],
  make({ modes, intents, reads }, { present }) {
    const trials = new Trials({ present, modes, intents, reads })
    return {
      stores: {},
      onFact: { answered: (answered) => trials.onAnswer(answered) },
      onDue: () => trials.onDue(),
      tend: () => trials.tend(),
    }
  },
})

export const drift = part({
  name: 'drift',
  does: 'watches whether pinned pieces are where the mapping has them',
  reads: ['modes'],
  writes: ['drift'],
  after: ['seats', 'modes', 'trials', 'session'],
  make(stores, { present }) {
    const drift = new DriftWatch(present, stores)
    return {
      stores: { drift },
      on: {
        siblingEntered: ({ entry }) => drift.onSibling(entry),
      },
      onFact: { answered: (answered) => drift.onAnswer(answered), siblingGone: ({ entry }) => drift.onSiblingLeft(entry) },
    }
  },
})
