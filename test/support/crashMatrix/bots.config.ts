import {
  type Action,
  contestService,
  createContest,
  defineConfig,
  defineDraftPicker,
  definePredictor,
  defineQueuePolicy,
  defineTrader,
  enqueue,
  joinContest,
  SOL_MINT,
  secret,
  swap,
  USDC_MINT,
  usdc,
} from 'cornerman'
import { filter, map, NEVER, withLatestFrom } from 'rxjs'
import { z } from 'zod'
import { sandboxShapes } from '../../../src/contract/shapes/sandboxShapes.ts'
import { VARIABLES } from './cells.ts'

// A bot that does one thing, whatever becomes of it: the action its process is to be killed at.

const { [VARIABLES.type]: type = '', [VARIABLES.url]: url = '', [VARIABLES.direct]: direct = '', [VARIABLES.bot]: name = '' } = process.env
const mayEnter = process.env[VARIABLES.enters] !== 'no'
const params = z.object({})
/** Its own: the bots of two cells must not meet. */
const stake = usdc(process.env[VARIABLES.stake] ?? '1')

/** One contest in the bot's life. */
const once = defineQueuePolicy({
  name: 'once',
  params,
  everySec: 1,
  ...(type === 'joinContest' ? { browse: () => ({ modes: ['best_trade'] }) } : {}),
  decide: ({ tickets, contests, stats, openContests }): Action[] => {
    if (!mayEnter || tickets.length + contests.length + stats.settled > 0) return []
    switch (type) {
      case 'createContest':
      case 'leaveContest':
      case 'ready':
        return [createContest({ mode: 'best_trade', chain: 'solana', format: 'duel', stake, durationSec: 15, visibility: 'private' })]
      case 'joinContest': {
        const [shortest] = openContests.toSorted((a, b) => a.durationSec - b.durationSec || (a.contestId < b.contestId ? -1 : 1))
        return shortest === undefined ? [] : [joinContest({ contestId: shortest.contestId })]
      }
      case 'draftPick':
        return [enqueue({ mode: 'draft_basket', stake, durationSec: 15 })]
      case 'commitPrediction':
        return [enqueue({ mode: 'price_prediction', stake, durationSec: 15 })]
      case 'revealPrediction':
        // A process of a busy machine can take as long to be back as the 20 s that the contests of a queue are revealed in.
        return [
          createContest({
            mode: 'price_prediction',
            chain: 'solana',
            format: 'duel',
            stake,
            durationSec: 15,
            visibility: 'private',
            params: { revealSec: 120 },
          }),
        ]
      case 'swap':
      case 'sweep':
        return [enqueue({ mode: 'pnl_usd', stake, durationSec: 30 })]
      default:
        return [enqueue({ mode: 'up_down', stake, durationSec: 15, waitSec: 600 })]
    }
  },
})

const first = defineDraftPicker({ name: 'first', params, pick: ({ draft }) => draft.available[0] })
const constant = definePredictor({ name: 'constant', params, predict: () => ({ price: '180.5' }) })

/** Buys until it holds something, and then no more. */
const buyer = defineTrader({
  name: 'buyer',
  modes: ['pnl_usd'],
  params,
  trade: ({ every, positions$ }) =>
    // Longer than a swap takes: what was asked for shows by then.
    every(7).pipe(
      withLatestFrom(positions$),
      filter(([, { holdings }]) => holdings.length === 0),
      map(() => swap({ from: USDC_MINT, to: SOL_MINT, amount: usdc('2') })),
    ),
})

/** What is entered to be left, readied or joined is not traded in: it has to be played by somebody all the same. */
const idle = defineTrader({ name: 'idle', modes: ['best_trade'], params, trade: () => NEVER })

export default defineConfig({
  // What stands before the sandbox keeps its headers back, and with them the word that it is the sandbox.
  service: contestService({ url, timeoutMs: 3000, shapes: sandboxShapes }),
  market: { url: `${direct}/jup/price/v3`, swapUrl: `${direct}/jup/swap/v1`, rpcUrl: `${direct}/rpc` },
  bots: [
    {
      name,
      agentKey: secret(VARIABLES.key),
      strategies: [once(), first(), constant(), buyer(), idle()],
      guard: { maxStake: usdc('50'), dailyLoss: usdc('100') },
    },
  ],
})
