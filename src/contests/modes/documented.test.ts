import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { JUP, SOL, TestRace, WIF } from '../../../test/support/contests/testRace.ts'
import { mintOf, START_MS, TestWorld, valueIn } from '../../../test/support/contests/testWorld.ts'
import { commitmentOf } from '../../contract/commitment.ts'
import type { Mode } from '../../contract/enums.ts'
import type { Mint } from '../../core/tokens.ts'
import { formatUsdc } from '../../core/usdc.ts'
import { modeStateView } from '../views/contests.ts'

const W = mintOf('W')

// The worked examples of docs/sandbox.md are played here, and each sentence is put together from what
// came of it: the text and the engine cannot part.

const DOCS = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8')

/** The example of a mode, on one line. */
function documented(mode: Mode): string {
  const section = DOCS.split(`\n### ${mode}\n`)[1]?.split(/\n##+ /)[0] ?? ''
  return section.split('*Example.*')[1]?.split('\n\n')[0]?.replace(/\s+/g, ' ').trim() ?? ''
}

const percent = (score: string | null | undefined): string => String(Number((Number(score) * 100).toFixed(9))).replace('-', '−')

/** `A wins 1.90`, by seat, or by the name of each. */
function winner(world: TestWorld, contestId: string, names: readonly string[] = ['A', 'B']): string {
  const { entries } = world.contest(contestId)
  const seat = entries.findIndex(({ result }) => result === 'WIN')
  return `${names[seat]} wins ${formatUsdc(entries[seat]?.payout ?? 0n)}`
}

/** Both trade as in the example of `pnl_race_pct`. */
function tradedRace(mode: 'pnl_race_pct' | 'pnl_usd'): TestRace {
  const game = new TestRace(mode)
  game.set([
    [SOL, '200'],
    [JUP, '0.50'],
  ])
  game.buy('alice', SOL, '10')
  game.buy('bob', SOL, '100')
  game.set([[SOL, '210']])
  game.sell('alice', SOL, '10.50')
  game.buy('alice', JUP, '10.50')
  game.set([
    [SOL, '208'],
    [JUP, '0.52'],
  ])
  return game
}

describe('the examples of docs/sandbox.md', () => {
  test('up_down', () => {
    const [start, end] = ['187.20', '187.25']
    const world = new TestWorld()
    world.priceAt = (_mint, at) => (at < START_MS + 18_000 ? start : end)
    const contestId = world.duel(world.agent('A'), world.agent('B'))
    world.pass(60)
    const won = winner(world, contestId, ['`UP`', '`DOWN`'])
    expect(documented('up_down')).toBe(`SOL is ${start} at \`startsAt\` and ${end} at \`endsAt\`. It rose: ${won} of two stakes of 1 USDC.`)
  })

  test('draft_basket', () => {
    const moves: Readonly<Record<Mint, readonly [number, number]>> = {
      [SOL]: [100, 110],
      [W]: [100, 95],
      [JUP]: [50, 52],
      [WIF]: [200, 201],
    }
    const world = new TestWorld()
    world.priceAt = (mint, at) => String(moves[mint]?.[at > START_MS + 12_000 ? 1 : 0])
    const contestId = world.duel(world.agent('one'), world.agent('other'), { mode: 'draft_basket', params: { pool: [SOL, W, JUP, WIF] } })
    // Who is A is seeded; the order is A, B, B, A.
    const turnOf = () => String((valueIn(modeStateView(world.state, contestId, '')).turn as { userId: string }).userId)
    const a = turnOf()
    for (const token of [SOL, JUP, WIF, W]) {
      world.accept({ type: 'move', agentId: turnOf(), contestId, move: { type: 'draftPick', token } })
    }
    world.pass(60)
    const { entries } = world.contest(contestId)
    const names: readonly string[] = entries.map(({ agentId }) => (agentId === a ? 'A' : 'B'))
    const meanOf = (name: string) => percent(entries[names.indexOf(name)]?.score)
    expect(documented('draft_basket')).toBe(
      `A has SOL (100 → 110) and W (100 → 95): (10 % − 5 %) ÷ 2 = ${meanOf('A')} %. ` +
        `B has JUP (50 → 52) and WIF (200 → 201): (4 % + 0.5 %) ÷ 2 = ${meanOf('B')} %. ` +
        `${winner(world, contestId, names)} of two stakes of 1 USDC.`,
    )
  })

  test('price_prediction', () => {
    const [end, values, salt] = ['187.25', ['187.2', '187.31'], 'salt-of-the-example'] as const
    const world = new TestWorld()
    world.priceAt = () => end
    const agents = [world.agent('A'), world.agent('B')] as const
    const contestId = world.duel(...agents, { mode: 'price_prediction', params: { token: SOL } })
    for (const [seat, agentId] of agents.entries()) {
      const commitment = commitmentOf(values[seat] ?? '', salt, world.entryId(contestId, agentId))
      world.accept({ type: 'move', agentId, contestId, move: { type: 'commitPrediction', commitment } })
    }
    world.pass(20)
    for (const [seat, agentId] of agents.entries()) {
      world.accept({ type: 'move', agentId, contestId, move: { type: 'revealPrediction', value: values[seat] ?? '', salt } })
    }
    const [a, b] = world.contest(contestId).entries.map(({ score }) => score)
    expect(documented('price_prediction')).toBe(
      `SOL is ${end} at \`endsAt\`. A revealed ${values[0]}, which is ${a} off, B ${values[1]}, which is ${b} off. ` +
        `${winner(world, contestId)} of two stakes of 1 USDC.`,
    )
  })

  test('pnl_race_pct', () => {
    const game = tradedRace('pnl_race_pct')
    const { scores } = game.end()
    expect(documented('pnl_race_pct')).toBe(
      'A buys SOL for 10 USDC at 200, sells it for 10.50 at 210, and buys JUP with that at 0.50, which is 0.52 at `endsAt`: ' +
        `${worth(game, 0)} for 10 deployed, ${percent(scores[0])} %. B buys SOL for 100 USDC at 200, which is 208 at \`endsAt\`: ` +
        `${worth(game, 1)} for 100, ${percent(scores[1])} %. ${winner(game.world, game.contestId)}.`,
    )
  })

  test('pnl_usd', () => {
    const game = tradedRace('pnl_usd')
    const { scores } = game.end()
    expect(documented('pnl_usd')).toBe(
      `The same swaps: A has made ${scores[0]} USD, B ${scores[1]} USD. ${winner(game.world, game.contestId)}.`,
    )
  })

  test('best_trade', () => {
    const game = new TestRace('best_trade')
    game.set([
      [SOL, '100'],
      [JUP, '0.50'],
    ])
    game.buy('alice', SOL, '10')
    game.buy('bob', JUP, '50')
    game.set([[SOL, '50']])
    game.buy('alice', SOL, '5')
    game.set([[SOL, '110']])
    game.sell('alice', SOL, '16.50')
    const first = (game.view('alice').traders as { best: { cost: string; proceeds: string; return: string } }[])[0]?.best
    const second = (game.view('alice').positions as { amount: string; cost: string; proceeds: string }[])[0]
    game.set([
      [SOL, '60'],
      [JUP, '0.60'],
    ])
    const { scores } = game.end()
    const left = (BigInt(second?.amount ?? 0) * 60n) / 10n ** 9n
    expect(documented('best_trade')).toBe(
      'A buys SOL for 10 USDC at 100 and for 5 USDC at 50. At 110 it sells 0.15 SOL for 16.50: all of the first purchase, half of the second. ' +
        `SOL is 60 at \`endsAt\`. The first brought ${usd(first?.proceeds)} for ${usd(first?.cost)}, ${percent(first?.return)} %; ` +
        `the second ${usd(second?.proceeds)}, and what is left is worth ${left}, for ${usd(second?.cost)}: ${percent(scores[0])} %. ` +
        `B buys JUP for 50 USDC at 0.50, which is 0.60 at \`endsAt\`: ${percent(scores[1])} %. ${winner(game.world, game.contestId)}.`,
    )
  })

  test('same_token', () => {
    const game = new TestRace('same_token', { params: { token: JUP } })
    game.set([[JUP, '0.50']])
    game.buy('alice', JUP, '10')
    game.set([[JUP, '0.40']])
    game.buy('bob', JUP, '10')
    game.set([[JUP, '0.45']])
    const { scores } = game.end()
    expect(documented('same_token')).toBe(
      `A buys JUP for 10 USDC at 0.50, B for 10 USDC at 0.40. It is 0.45 at \`endsAt\`: A has ${percent(scores[0])} %, ` +
        `B ${percent(scores[1])} %. ${winner(game.world, game.contestId)}.`,
    )
  })

  test('target_race', () => {
    const game = new TestRace('target_race', { params: { targetPct: 5 } })
    game.set([
      [SOL, '100'],
      [JUP, '1'],
    ])
    game.buy('alice', SOL, '10')
    game.buy('bob', JUP, '10')
    game.world.pass(4.4)
    game.set([[SOL, '105']])
    const { scores } = game.end()
    const { startsAt, endedAt, durationSec } = game.contest
    expect(documented('target_race')).toBe(
      `The target is 5 %, \`durationSec\` ${durationSec}. A buys SOL for 10 USDC at 100, B JUP for 10 USDC at 1. After 4.4 seconds SOL is 105. ` +
        `At ${((endedAt ?? 0) - (startsAt ?? 0)) / 1000} seconds A has ${percent(scores[0])} %, B ${percent(scores[1])} %, and it is over. ` +
        `${winner(game.world, game.contestId)}.`,
    )
  })

  test('last_bag_standing', () => {
    const game = new TestRace('last_bag_standing', { params: { token: SOL } })
    game.set([[SOL, '100']])
    game.buy('alice', SOL, '10')
    game.buy('bob', SOL, '12')
    game.world.pass(6)
    game.sell('bob', SOL, '3')
    game.set([[SOL, '110']])
    const { scores } = game.end()
    const bags = (game.view('alice').bags as { amount: string; standing: boolean }[]).map(({ amount }) => (BigInt(amount) * 110n) / 1000n)
    const [a = 0n, b = 0n] = bags
    expect(documented('last_bag_standing')).toBe(
      '`durationSec` is 20, so that bags are filled by 5 seconds. A buys for 10 USDC at 100, B for 12 USDC. ' +
        'At 6 seconds B sells for 3 USDC, a quarter of its bag, and stands. The token is 110 at `endsAt`: ' +
        `A has a bag of ${usd(a)} USD and a score of ${scores[0]}, B ${usd(b)} USD and ${scores[1]}. ${winner(game.world, game.contestId)}.`,
    )
  })
})

/** What a seat ended with, in USD: deployed and made. */
function worth(game: TestRace, seat: number): string {
  const traders = game.view('alice').traders as { deployed: string; pnl: string }[]
  return usd(BigInt(traders[seat]?.deployed ?? 0) + BigInt(traders[seat]?.pnl ?? 0))
}

/** Micro-USDC as the text has it: no decimals where there are none. */
const usd = (micro: bigint | string | undefined): string => formatUsdc(BigInt(micro ?? 0)).replace(/\.00$/, '')
