import { auditContests } from '../../../src/contests/audit/audit.ts'
import type { CreateContestCommand } from '../../../src/contests/types.ts'
import { modeStateView } from '../../../src/contests/views/contests.ts'
import type { Mode } from '../../../src/contract/enums.ts'
import type { Mint } from '../../../src/core/tokens.ts'
import { mintOf, TestWorld, valueIn } from './testWorld.ts'

// A live contest of alice and bob in its window, for tests of modes played by swaps. Prices are set by
// hand and stay until they are set again; trades are at exactly these prices.

export const [SOL, JUP, WIF] = [mintOf('SOL'), mintOf('JUP'), mintOf('WIF')]

type Player = 'alice' | 'bob'

export class TestRace {
  readonly world = new TestWorld()
  readonly prices = new Map<Mint, string | null>()
  readonly ids: Readonly<Record<Player, string>>
  readonly contestId: string

  /** Of 20 seconds, at a stake of 1 USDC, begun. */
  constructor(mode: Mode, options: Partial<CreateContestCommand> = {}) {
    this.world.priceAt = (mint) => this.prices.get(mint) ?? null
    this.ids = { alice: this.world.agent('alice'), bob: this.world.agent('bob') }
    this.contestId = this.world.duel(this.ids.alice, this.ids.bob, { mode, durationSec: 20, ...options })
    this.world.pass(3)
  }

  set(prices: readonly (readonly [Mint, string | null])[]): void {
    for (const [mint, price] of prices) this.prices.set(mint, price)
  }

  buy(player: Player, mint: Mint, usd: string): void {
    this.world.trade(this.ids[player], this.contestId, { buy: mint, usd })
  }

  sell(player: Player, mint: Mint, usd: string): void {
    this.world.trade(this.ids[player], this.contestId, { sell: mint, usd })
  }

  /** What it came to, by seat, alice's first: result and score. */
  end(seconds = 60): { readonly results: readonly (string | null)[]; readonly scores: readonly (string | null)[] } {
    this.world.pass(seconds)
    const problems = auditContests(this.world.state)
    if (problems.length > 0) throw new Error(problems.join('\n'))
    const { entries } = this.contest
    return { results: entries.map(({ result }) => result), scores: entries.map(({ score }) => score) }
  }

  get contest() {
    return this.world.contest(this.contestId)
  }

  /** `agent.modes.state` as a player sees it. */
  view(player: Player): Readonly<Record<string, unknown>> {
    return valueIn(modeStateView(this.world.state, this.contestId, this.ids[player]))
  }
}
