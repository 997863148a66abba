import { part } from '../coordinator/part.ts'
import type { TaskKeyOf } from '../protocol/taskKey.ts'
import { ownStrategies } from '../strategies/ownStrategies.ts'
import { Strategies } from '../strategies/strategies.ts'

/** Actions after which a policy may want another. */
const FREES_A_PLACE: ReadonlySet<string> = new Set(['enqueue', 'createContest', 'joinContest', 'cancelTicket', 'leaveContest'])

export const strategies = part({
  name: 'strategies',
  does: 'asks strategies, and keeps their faults to themselves',
  reads: ['prices', 'modes', 'portfolios', 'figures', 'intents', 'custody', 'swaps', 'reads', 'path'],
  writes: ['strategies'],
  after: ['prices', 'path', 'moves', 'trials', 'sweeps', 'finalReads', 'drift'],
  closesAfter: ['figures'],
  owns: ['strategies'],
  make(stores, { present, onLate, hear }) {
    const strategies = new Strategies({ present, strategies: ownStrategies(present, stores.prices), stores, onLate, hear })
    const { policies, traders, calls } = strategies
    /** The seats that were told last. */
    let seats = present.books.seats
    return {
      stores: { strategies },
      on: {
        prices: () => strategies.onPrices(),
        late: (late) => hear({ type: 'late', late }),
      },
      onFact: {
        event: ({ event, isRepeated }) => !isRepeated && hear({ type: 'event', event }),
        answered: (answered) => policies.onAnswer(answered),
        moneyFreed: () => policies.wantDecision(),
        decisionWanted: ({ isSoon }) => (isSoon ? policies.wantDecisionSoon() : policies.wantDecision()),
        concluded({ action, outcome }) {
          if (!FREES_A_PLACE.has(action.type)) return
          // What was just refused would be refused again: an eager policy must not become a flood of requests.
          if (outcome.status === 'accepted') policies.wantDecision()
          else policies.wantDecisionSoon()
        },
        contestEnded: ({ contestId }) => calls.forget(contestId),
        swapConcluded: (concluded) => traders.onConcluded(concluded),
      },
      onDue: (task) => strategies.onDue(task as TaskKeyOf<'strategies'>),
      close() {
        traders.planTelling()
        if (present.books.seats === seats) return
        seats = present.books.seats
        hear({ type: 'contests' })
      },
      stop: () => strategies.stop(),
    }
  },
})
