import { part } from '../coordinator/part.ts'
import { NewestPrices } from '../prices/newestPrices.ts'
import type { TaskKeyOf } from '../protocol/taskKey.ts'
import { Swaps } from '../swaps/swaps.ts'
import { Sweeps } from '../swaps/sweeps.ts'
import { ToldTokens } from '../toldTokens.ts'

export const prices = part({
  name: 'prices',
  does: 'notes the newest prices',
  reads: [],
  writes: ['prices'],
  after: [],
  make() {
    const prices = new NewestPrices()
    return { stores: { prices }, on: { prices: ({ tick, at }) => prices.take(tick, at) } }
  },
})

export const tokens = part({
  name: 'tokens',
  does: 'notes what is known of tokens',
  reads: [],
  writes: ['tokens'],
  after: [],
  make(_, { present }) {
    const tokens = new ToldTokens()
    return { stores: { tokens }, on: { tokens: (input) => tokens.take(input, present.step) } }
  },
})

export const swaps = part({
  name: 'swaps',
  does: 'takes each swap from the guard to the chain, one at a time',
  reads: ['reads', 'path', 'figures', 'ledger', 'results', 'portfolios', 'modes', 'prices', 'tokens'],
  writes: ['swaps', 'signatures'],
  after: ['intents', 'results', 'prices', 'tokens', 'figures'],
  closesAfter: [],
  owns: ['swaps'],
  make(stores, { present }) {
    const swaps = new Swaps(present, stores)
    return {
      stores: { swaps, signatures: swaps.signatures },
      on: {
        started: (input) => swaps.recover(input),
        quoted: (input) => swaps.onQuoted(input),
        built: (input) => swaps.onBuilt(input),
        landing: (input) => swaps.onLanding(input),
        outcome: (input) => swaps.onOutcome(input),
      },
      onFact: {
        answered: (answered) => swaps.onAnswer(answered),
        swapWished: (wished) => swaps.onWished(wished),
        swapWithdrawn: (withdrawn) => swaps.withdraw(withdrawn),
        contestEnded: (ended) => swaps.onContestEnded(ended),
        // What the journal holds was counted when it was heard of.
      },
      onEvent: {
        'contest.settled': ({ event: { data, createdAt }, recorded }) => !recorded && swaps.onSettled(data.profit, createdAt),
      },
      onDue: (task) => swaps.onDue(task as TaskKeyOf<'swaps'>),
      close: () => swaps.tend(),
      isIdle: () => !swaps.isBusy,
    }
  },
})

export const sweeps = part({
  name: 'sweeps',
  does: 'sells what contests that are over have left',
  reads: ['swaps', 'path', 'portfolios'],
  writes: ['sweeps'],
  after: ['swaps', 'trials'],
  make(stores, { present }) {
    const sweeps = new Sweeps(present, stores)
    return {
      stores: { sweeps },
      onFact: { swapConcluded: (concluded) => sweeps.onConcluded(concluded) },
      tend: () => sweeps.tend(),
      isIdle: () => sweeps.isDone,
    }
  },
})
