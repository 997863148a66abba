import { type Action, kellyFraction, shareOf, type TermsRecord, usdc } from 'cornerman'
import { contestView, expectConformance, type QueueWorld, queueContext, statsView, ticketView } from 'cornerman/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import edge from './edge.ts'

type Params = Parameters<typeof edge>[0]

const record = (fields: Partial<TermsRecord>): TermsRecord => {
  const { WIN = 0, LOSS = 0, stake = usdc('1') } = fields
  const profit = (BigInt(WIN) * stake * 9n) / 10n - BigInt(LOSS) * stake
  return { mode: 'pnl_usd', versus: 'AGENT', durationSec: 20, stake, WIN, LOSS, DRAW: 0, REFUND: 0, profit, ...fields }
}
/** What it enters with a seed by chance, and without one by what it hopes for most. */
function decide(byTerms: readonly TermsRecord[], params: Params = {}, world: QueueWorld = {}): readonly Action[] {
  const context = queueContext({ stats: statsView({ byTerms }), ...world })
  const random = world.seed === undefined ? { ...context.random, pick: <T>([first]: readonly T[]) => first } : context.random
  return (edge(params).decide({ ...context, random }) ?? []) as readonly Action[]
}

const STAKES = [usdc('1'), usdc('2'), usdc('5')]
const TWO: Params = { modes: ['pnl_usd', 'draft_basket'], opponents: ['AGENT'], stakes: STAKES, exploration: 0.1 }

describe('edge', () => {
  test('keeps the contract of a strategy', () => expectConformance(edge()))

  test('begins with the smallest stake there is, whatever the order in which they are given', () => {
    expect(decide([])).toMatchObject([{ type: 'enqueue', stake: usdc('0.5') }])
    expect(decide([], { stakes: [usdc('5'), usdc('0.5'), usdc('2')] })).toMatchObject([{ stake: usdc('0.5') }])
  })

  test('goes where it wins: mode, opponents and duration', () => {
    expect(decide([record({ WIN: 30, LOSS: 10 }), record({ mode: 'draft_basket', WIN: 10, LOSS: 30 })], TWO)).toMatchObject([
      { mode: 'pnl_usd' },
    ])
    expect(decide([record({ WIN: 10, LOSS: 30 }), record({ mode: 'draft_basket', WIN: 30, LOSS: 10 })], TWO)).toMatchObject([
      { mode: 'draft_basket' },
    ])
    const against = [record({ versus: 'HUMAN', WIN: 30, LOSS: 10 }), record({ WIN: 10, LOSS: 30 })]
    expect(decide(against, { ...TWO, modes: ['pnl_usd'], opponents: ['AGENT', 'HUMAN'] })).toMatchObject([{ opponents: 'HUMAN' }])
    const long = [record({ WIN: 20, LOSS: 20 }), record({ durationSec: 60, WIN: 40, LOSS: 10 })]
    expect(decide(long, { ...TWO, modes: ['pnl_usd'], durationsSec: [20, 60] })).toMatchObject([{ durationSec: 60 }])
  })

  test('tries what it has seldom tried before what it knows to be middling, the more the more it is told to explore', () => {
    const known = [record({ WIN: 58, LOSS: 42 }), record({ mode: 'draft_basket', WIN: 1, LOSS: 2 })]
    expect(decide(known, { ...TWO, exploration: 1 })).toMatchObject([{ mode: 'draft_basket' }])
    expect(decide(known, { ...TWO, exploration: 0 })).toMatchObject([{ mode: 'pnl_usd' }])
  })

  test('leaves nothing out for opponents who never come, and does most often what wins', () => {
    const params: Params = { ...TWO, opponents: ['HUMAN', 'AGENT'], stakes: [usdc('1')], exploration: 0.3 }
    const times = new Map<string, number>()
    let byTerms: TermsRecord[] = []
    for (let seed = 0; seed < 400; seed++) {
      const [action] = decide(byTerms, params, { seed })
      if (action?.type !== 'enqueue') throw new Error('it entered nothing')
      const { mode, opponents } = action
      const key = `${mode} ${opponents}`
      times.set(key, (times.get(key) ?? 0) + 1)
      if (opponents === 'AGENT') byTerms = [...byTerms, record({ mode, WIN: mode === 'pnl_usd' ? 3 : 1, LOSS: 1 })]
    }
    for (const key of ['pnl_usd AGENT', 'draft_basket AGENT']) expect(times.get(key), key).toBeGreaterThan(20)
    expect(times.get('pnl_usd AGENT')).toBeGreaterThan(120)
  })

  test('takes nothing by chance that cannot be worth it any more', () => {
    const known = [record({ WIN: 30, LOSS: 10 }), record({ mode: 'draft_basket', WIN: 40, LOSS: 100 })]
    for (let seed = 0; seed < 100; seed++) expect(decide(known, TWO, { seed })).toMatchObject([{ mode: 'pnl_usd' }])
  })

  test('stays out where nothing may be worth its fee any more', () => {
    const lost = [record({ WIN: 40, LOSS: 100 }), record({ mode: 'draft_basket', WIN: 40, LOSS: 100 })]
    expect(decide(lost, TWO)).toEqual([])
    // Half of them won is a loss: the fee is in what a win brings.
    expect(decide([record({ WIN: 500, LOSS: 500 })], { ...TWO, modes: ['pnl_usd'], exploration: 0 })).toEqual([])
  })

  test('stakes more only where it has won, and as Kelly would', () => {
    const won = [record({ WIN: 30, LOSS: 10 })]
    expect(decide(won, { ...TWO, modes: ['pnl_usd'] })).toMatchObject([{ stake: usdc('1') }])
    const wonBold = [...won, record({ stake: usdc('5'), WIN: 30, LOSS: 5 })]
    expect(decide(wonBold, { ...TWO, modes: ['pnl_usd'] })).toMatchObject([{ stake: usdc('5') }])
    // A quarter of Kelly's share of 30 USDC is less than 5.
    const poor = { bankroll: { available: usdc('30'), inPlay: 0n } }
    expect(decide(wonBold, { ...TWO, modes: ['pnl_usd'] }, poor)).toMatchObject([{ stake: usdc('2') }])
  })

  test('never stakes above its part of the share that even the best history could earn', () => {
    const count = fc.integer({ min: 0, max: 60 })
    const amount = fc.bigInt({ min: 0n, max: usdc('3000') })
    fc.assert(
      fc.property(count, count, amount, fc.double({ min: 0.01, max: 1, noNaN: true }), (WIN, LOSS, available, kelly) => {
        const params = { ...TWO, kelly, exploration: 2, stakes: [usdc('1'), usdc('20'), usdc('500')] }
        for (const action of decide([record({ WIN, LOSS, stake: usdc('20') })], params, { bankroll: { available, inPlay: 0n } })) {
          if (action.type !== 'enqueue') throw new Error('it only queues')
          expect(action.stake).toBeLessThanOrEqual(shareOf(available, kelly * kellyFraction(1, 0.9)))
        }
      }),
    )
    expect(decide([], {}, { bankroll: { available: usdc('1'), inPlay: 0n } })).toEqual([])
    expect(decide([], {}, { bankroll: undefined })).toEqual([])
  })

  test('is in no mode twice, and in no more contests at once than it was told', () => {
    expect(decide([], { ...TWO, atOnce: 3 }, { tickets: [ticketView({ mode: 'pnl_usd' })] })).toMatchObject([{ mode: 'draft_basket' }])
    const busy = { tickets: [ticketView({ mode: 'pnl_usd' })], contests: [contestView({ mode: 'best_trade' })] }
    expect(decide([], { ...TWO, atOnce: 2 }, busy)).toEqual([])
  })

  test('leaves lobbies out of what a win brings, and takes its word for it before the first win', () => {
    const lobby = record({ versus: 'MIXED', WIN: 10, profit: usdc('100') })
    const params: Params = { ...TWO, modes: ['pnl_usd'], exploration: 0, stakes: [usdc('1')] }
    // 52 % of wins is worth it at odds of 1 and above, not at 0.9.
    const even = record({ WIN: 520, LOSS: 480 })
    expect(decide([lobby, even], params)).toEqual([])
    expect(decide([record({ LOSS: 1 })], { ...params, odds: 2 })).toHaveLength(1)
    expect(decide([record({ LOSS: 1 })], params)).toEqual([])
  })
})
