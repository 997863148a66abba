import { part } from '../coordinator/part.ts'
import { Figures } from '../money/figures.ts'
import { LedgerKeeper } from '../money/ledgerKeeper.ts'
import { Results } from '../money/results.ts'
import type { FactOf } from '../protocol/facts.ts'
import { later } from '../protocol/later.ts'
import { Refusals } from '../refusals.ts'
import { PastFills } from '../swaps/pastFills.ts'
import { Portfolios } from '../swaps/portfolios.ts'
import { emptyTally } from '../tally.ts'

/** An answer to the first reads is there by then, as a rule. */
const UNANSWERED_MS = 1000

export const results = part({
  name: 'results',
  does: 'reads each event, and counts what contests and swaps have come to',
  reads: [],
  writes: ['results', 'portfolios'],
  after: [],
  make(_, { present }) {
    const portfolios = new Portfolios()
    const results = new Results(present.owned, portfolios)
    const pastFills = new PastFills(present, { portfolios, results })
    return {
      stores: { results, portfolios },
      onEach: (input) => pastFills.foldBefore(input),
      on: {
        started({ facts, fills }) {
          if (facts !== undefined) {
            results.restore(facts)
            portfolios.restore(facts.portfolios)
          }
          pastFills.start(fills)
        },
        event({ read, recorded, cursor }) {
          // What the journal holds counts, where the service has said nothing by then: its reads may have to wait for the limit, and a prediction be due.
          if (recorded && present.books.custody.size > 0) present.deadlines.set('tend', present.now + UNANSWERED_MS)
          if (!read.ok) return
          const event = later(read.event, present.lagMs)
          const before = present.books
          const { isRepeated, contradiction } = results.end(event)
          if (!isRepeated) results.count(event)
          present.tell({ type: 'event', event, recorded, cursor, isRepeated, contradiction, before })
        },
      },
      onFact: {
        supposedLost: ({ lost }) => results.supposeLost(lost),
        contestEnded({ contestId, at }) {
          portfolios.close(contestId, at)
          results.notePeak()
        },
        swapFilled({ fill }) {
          portfolios.fold(fill)
          if (present.ended.has(fill.contestId)) portfolios.close(fill.contestId, present.now)
          results.notePeak()
        },
      },
    }
  },
})

export const counts = part({
  name: 'counts',
  does: 'counts actions, reveals and swaps, and says what the guard keeps back',
  reads: [],
  writes: ['counts'],
  after: [],
  make(_, { present }) {
    const counts = emptyTally()
    const refusals = new Refusals(counts)
    return {
      stores: { counts },
      on: { started: (input) => void Object.assign(counts, input.counts) },
      onFact: {
        refused: (refused) => refusals.add(present.step, refused),
        actionTaken() {
          counts.sent += 1
        },
        actionFailed({ status }) {
          // What never arrived and is sent anew is one action with that.
          if (status !== 'notTaken') counts.sent += 1
          if (status !== 'notTaken' && status !== 'lostRace') counts.failed += 1
        },
        predictionEnded({ status }) {
          counts[status] += 1
        },
        swapFilled() {
          counts.sent += 1
          counts.swapsFilled += 1
        },
        swapFailed({ status }) {
          counts.swapsFailed += 1
          if (status !== 'unfilled') counts.sent += 1
          if (status === 'rejected') counts.failed += 1
        },
      },
    }
  },
})

export const ledger = part({
  name: 'ledger',
  does: 'keeps the guard’s ledger, and says what money is missing',
  reads: ['attribution', 'figures', 'intents'],
  writes: ['ledger', 'missing'],
  after: ['results'],
  closesAfter: ['announcements'],
  make(stores, { present }) {
    const keeper = new LedgerKeeper(present, stores)
    const { ledger } = keeper
    const gaveBack = ({ ticketId }: FactOf<'ticketEnded'>) => ledger.gaveBack(ticketId)
    return {
      stores: { ledger, missing: keeper },
      onEach: ({ at }) => ledger.move(at),
      on: {
        started: (input) => keeper.start(input),
        caughtUp: ({ at }) => ledger.serviceKnown(at),
        clock: ({ skewMs }) => skewMs !== undefined && ledger.skewed(skewMs),
        chainBalance: (input) => keeper.onChain(input),
        ordered: ({ order }) => order.type === 'acknowledge' && ledger.acknowledge(order.amount),
      },
      onFact: {
        event: (heard) => keeper.onEvent(heard),
        entrySent: (sent) => ledger.sent(sent),
        actionTaken: (taken) => keeper.onTaken(taken),
        actionFailed: (failed) => keeper.onFailed(failed),
        swapFilled: (filled) => keeper.onSwapFilled(filled),
        bankrollRead: (read) => ledger.bankrollRead(read),
        contestEnded: (ended) => keeper.onContestEnded(ended),
        ticketEnded: gaveBack,
        entryClosed: (closed) => keeper.onEntryClosed(closed),
      },
      close: () => keeper.close(),
    }
  },
})

export const figures = part({
  name: 'figures',
  does: 'reads the money as the service says it, and holds what the guard has reserved',
  reads: ['reads'],
  writes: ['figures'],
  after: ['reads', 'ledger'],
  closesAfter: ['swaps'],
  owns: ['figures'],
  make({ reads }, { present }) {
    const figures = new Figures(present, reads)
    return {
      stores: { figures },
      on: { started: () => figures.refresh(), restored: () => figures.refresh() },
      onFact: {
        answered: (answered) => figures.onAnswer(answered),
        caughtUp: () => figures.onCaughtUp(),
        held: (held) => figures.onHeld(held),
        actionTaken: (taken) => figures.onTaken(taken),
        actionFailed: (failed) => figures.onFailed(failed),
        swapFilled: (filled) => figures.onSwapFilled(filled),
        swapFailed: (failed) => figures.onSwapFailed(failed),
        swapRefused: (refused) => figures.onSwapRefused(refused),
        bankrollWanted: () => figures.wantBankroll(),
        moneyFreed: ({ isPast }) => !isPast && figures.onMoved(),
      },
      onDue: (task) => figures.onDue(task as 'limits' | 'bankroll'),
      taken: () => figures.onInputTaken(),
      close: () => figures.close(),
      isIdle: () => !figures.isReading,
    }
  },
})
