import type { Applied, CommandBody, ContestsState } from '../../contests/index.ts'
import type { Clock } from '../../core/clock.ts'
import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import type { Faults } from '../faults/faults.ts'
import type { SandboxStore } from '../store/sandboxStore.ts'
import type { LandingShares } from './fate.ts'

/** The service as the chain and the DEX see it: its time, its prices, and the ledger that their balances follow. */
export interface LedgerService {
  readonly clock: Clock
  readonly store: SandboxStore
  /** What becomes of agents' transactions; undefined takes the default. */
  readonly landing: LandingShares | undefined
  /** How the DEX builds its swaps, as things stand. */
  readonly faults: Pick<Faults, 'tables' | 'hops'>
  /** Unix milliseconds; it never steps back. */
  now(): number
  /** Looks at the ledger as it is now. */
  read<T>(view: (state: ContestsState, now: number) => T): T
  /** Has a command obeyed or refused, now; `also` writes what belongs to it, where it is obeyed. */
  dispatch(body: CommandBody, also?: () => void): Applied
  /** The price of a token at an instant; `null` for a token without prices. */
  priceAt(mint: Mint, atMs: number): Price | null
}
