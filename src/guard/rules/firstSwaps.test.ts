import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buy, guardView, queue, sell } from '../../../test/support/guard/guardView.ts'
import { runsOf } from '../../../test/support/suite/cases.ts'
import { SOL_MINT } from '../../core/tokens.ts'
import { type Usdc, usdc } from '../../core/usdc.ts'
import { check } from '../guard.ts'
import { Reservations } from '../reservations.ts'

const STAKE = usdc('1')
/** `guard.maxFeedGapBps` of it: what a swap may cost. */
const riskOf = (amount: Usdc): Usdc => (amount * 150n + 9999n) / 10_000n

/** A bot that plays contests of swaps, in which every swap loses the most that it may. */
class World {
  readonly #config: { readonly dailyLoss: Usdc; readonly maxSwapsPerMinute: number }
  readonly #swapsIn = new Map<string, number>()
  #swapLoss = 0n
  #sent = 0
  #keys = 0

  constructor(config: { readonly dailyLoss: Usdc; readonly maxSwapsPerMinute: number }) {
    this.#config = config
  }

  get entered(): readonly string[] {
    return [...this.#swapsIn.keys()]
  }

  #view() {
    const traded = Object.fromEntries([...this.#swapsIn].map(([id, swaps]) => [id, { swaps, held: { [SOL_MINT]: 10n ** 12n } }]))
    const unswapped = (contestId?: string) => [...this.#swapsIn].filter(([id, swaps]) => swaps === 0 && id !== contestId).length
    return guardView({
      config: { ...this.#config, maxOpenContests: 1000, maxSwapsPerContest: 1000 },
      ...{ reservations: new Reservations(), traded, unswapped, swapLoss: this.#swapLoss, swapsInMinute: this.#sent },
      inPlay: BigInt(this.#swapsIn.size) * STAKE,
    })
  }

  enter(): void {
    const verdict = check(`k${++this.#keys}`, queue(STAKE, { mode: 'pnl_usd' }), this.#view())
    if (verdict.ok) this.#swapsIn.set(`contest ${this.#keys}`, 0)
  }

  /** @returns whether the guard let it pass */
  swap(contestId: string, amount: Usdc, isSale = false): boolean {
    const action = isSale ? sell({ contestId, amount: 1_000_000n }) : buy({ contestId, amount })
    if (!check(`k${++this.#keys}`, action, this.#view()).ok) return false
    this.#sent += 1
    this.#swapLoss += isSale ? 0n : riskOf(amount)
    this.#swapsIn.set(contestId, (this.#swapsIn.get(contestId) ?? 0) + 1)
    return true
  }

  minute(): void {
    this.#sent = 0
  }

  get unswapped(): readonly string[] {
    return [...this.#swapsIn].flatMap(([id, swaps]) => (swaps === 0 ? [id] : []))
  }
}

const step = fc.record({
  does: fc.constantFrom('enter' as const, 'churn' as const, 'sell' as const, 'first' as const, 'minute' as const),
  which: fc.nat(30),
  amount: fc.bigInt({ min: 1n, max: usdc('25') }),
})

test('whatever a bot swaps, each contest of swaps that it has entered can have its first swap, and each token its sale', () => {
  let entered = 0
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.bigInt({ min: usdc('1'), max: usdc('20') }),
      fc.integer({ min: 1, max: 6 }),
      (steps, dailyLoss, maxSwapsPerMinute) => {
        const world = new World({ dailyLoss, maxSwapsPerMinute })
        for (const { does, which, amount } of steps) {
          const all = world.entered
          const id = all[which % Math.max(1, all.length)]
          if (does === 'enter') world.enter()
          else if (does === 'minute') world.minute()
          else if (does === 'sell' && id !== undefined) expect(world.swap(id, amount, true), 'a sale').toBe(true)
          else if (id !== undefined && (does === 'first') === world.unswapped.includes(id)) world.swap(id, amount)
        }
        entered += world.entered.length
        for (const id of world.unswapped) expect(world.swap(id, usdc('25')), 'a first swap').toBe(true)
      },
    ),
    { numRuns: runsOf(10_000) },
  )
  expect(entered).toBeGreaterThan(100)
})
