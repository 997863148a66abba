import { USDC_MINT } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Fill } from '../../strategy/view.ts'

/**
 * USDC that executed swaps have moved since the bankroll was read last. Tokens are in the books with the fill, their price in USDC only in
 * figures that were asked for afterwards: until then it is counted here, so that no swap makes anybody richer.
 */
export class UnseenCash {
  readonly #moves: { readonly n: number; readonly cash: Usdc }[] = []

  /** USDC received less USDC given. */
  get sum(): Usdc {
    return this.#moves.reduce((sum, { cash }) => sum + cash, 0n)
  }

  /** A swap was executed, as input `n` told. */
  moved({ from, to, given, received }: Pick<Fill, 'from' | 'to' | 'given' | 'received'>, n: number): void {
    const cash = (to === USDC_MINT ? received : 0n) - (from === USDC_MINT ? given : 0n)
    if (cash !== 0n) this.#moves.push({ n, cash })
  }

  /** The bankroll was read by a request that input `n` led to: it has what was executed by then. */
  seen(n: number): void {
    const first = this.#moves.findIndex((move) => move.n > n)
    this.#moves.splice(0, first < 0 ? this.#moves.length : first)
  }
}
