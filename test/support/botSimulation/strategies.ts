import { map } from 'rxjs'
import { z } from 'zod'
import { MODES, type Mode, TRADING_MODES } from '../../../src/contract/enums.ts'
import { draw, type Random } from '../../../src/core/random.ts'
import { type Mint, tokenOf, USDC_MINT } from '../../../src/core/tokens.ts'
import { type Usdc, usdc } from '../../../src/core/usdc.ts'
import {
  type Action,
  cancelTicket,
  createContest,
  enqueue,
  joinContest,
  leaveContest,
  type SwapIntent,
  swap,
} from '../../../src/strategy/action.ts'
import {
  defineDraftPicker,
  definePredictor,
  defineQueuePolicy,
  defineStrategy,
  defineTrader,
  type QueueContext,
  type Strategy,
} from '../../../src/strategy/define.ts'
import { oneAtATime } from '../../../src/strategy/oneAtATime.ts'
import { buy, sellAll } from '../../../src/strategy/orders.ts'

// Strategies that try everything there is, by their random numbers alone.

const params = z.object({})
const STAKES: readonly Usdc[] = [usdc('0.5'), usdc('1'), usdc('3'), usdc('5'), usdc('6')]
const DURATIONS_SEC = [15, 30, 60, 120]
/** What is traded: with prices in the sandbox's file. */
const TRADED: readonly Mint[] = ['SOL', 'JUP', 'BONK'].map((symbol) => tokenOf(symbol)?.mint ?? '')

const termsOf = (random: Random, modes: readonly Mode[]) => ({
  mode: random.pick(modes) ?? 'up_down',
  stake: random.pick(STAKES) ?? usdc('1'),
  durationSec: random.pick(DURATIONS_SEC) ?? 15,
})

function moveOf({ random, tickets, contests, openContests }: QueueContext<unknown>, modes: readonly Mode[]): readonly Action[] {
  const kind = random.next()
  if (kind < 0.45) return [enqueue({ ...termsOf(random, modes), waitSec: random.integer(5, 60) })]
  if (kind < 0.6) {
    const [first, ...others] = draw(random, openContests, 3).map(({ contestId }) => contestId)
    return first === undefined ? [] : [joinContest({ contestId: first, orElse: others })]
  }
  if (kind < 0.7)
    return [createContest({ ...termsOf(random, modes), chain: 'solana', format: 'duel', joinWindowSec: random.integer(5, 40) })]
  if (kind < 0.8) return draw(random, tickets, 1).map(({ ticketId }) => cancelTicket({ ticketId }))
  if (kind < 0.85)
    return draw(
      random,
      contests.filter(({ phase }) => phase === 'open'),
      1,
    ).map(({ contestId }) => leaveContest({ contestId }))
  return []
}

/** Enters whatever comes to its mind, and takes it back now and then. */
const restless = (name: string, everySec: number, modes: readonly Mode[]): Strategy =>
  defineQueuePolicy({
    name,
    params,
    everySec,
    browse: () => ({ modes }),
    decide: (context) => moveOf(context, modes),
  })()

/** Once in a while it has no answer, or breaks. */
const isOff = (random: Random): boolean => {
  const odd = random.next()
  if (odd < 0.01) throw new Error('a strategy of the simulation breaks')
  return odd < 0.02
}

const picker = (): Strategy =>
  defineDraftPicker({ name: 'picker', params, pick: ({ draft, random }) => (isOff(random) ? undefined : random.pick(draft.available)) })()

const predictor = (): Strategy =>
  definePredictor({
    name: 'predictor',
    params,
    // Answers come as promises, too.
    predict: async ({ contest: { mode, token }, prices, random }) => {
      if (isOff(random)) return undefined
      if (mode === 'up_down') return { side: random.next() < 0.5 ? 'UP' : 'DOWN' }
      const price = token === undefined ? undefined : prices.text(token)
      return price === undefined ? undefined : { price }
    },
  })()

const trader = (): Strategy =>
  defineTrader({
    name: 'trader',
    modes: [...TRADING_MODES],
    params,
    trade(context) {
      const { contest, random, every, positions$ } = context
      let held: Parameters<typeof sellAll>[0] = { holdings: [] }
      positions$.subscribe((positions) => {
        held = positions
      })
      return every(random.integer(2, 8)).pipe(
        map((): SwapIntent | undefined => {
          const token = contest.token ?? random.pick(TRADED) ?? ''
          const kind = random.next()
          if (kind < 0.4) return buy(context, token, usdc(String(random.integer(1, 10))))
          if (kind < 0.7) return sellAll(held, token)
          // More than there is, at times.
          return kind < 0.75 ? swap({ from: token, to: USDC_MINT, amount: 10n ** 12n }) : undefined
        }),
        oneAtATime(context),
      )
    },
  })()

/** Enters by itself, beside the policies. */
const own = (everySec: number, modes: readonly Mode[]): Strategy =>
  defineStrategy({
    name: 'own',
    params,
    run: ({ random, every }) => every(everySec).pipe(map(() => enqueue({ ...termsOf(random, modes), waitSec: 10 }))),
  })()

/** What a bot plays: some modes, by one policy or two, and now and then by a strategy of its own. */
export function strategiesOf(random: Random): Strategy[] {
  const modes = draw(random, MODES, random.integer(1, MODES.length))
  return [
    restless('restless', random.integer(1, 10), modes),
    ...(random.next() < 0.4 ? [restless('second', random.integer(1, 10), modes)] : []),
    ...(random.next() < 0.2 ? [own(random.integer(5, 30), modes)] : []),
    picker(),
    predictor(),
    trader(),
  ]
}
