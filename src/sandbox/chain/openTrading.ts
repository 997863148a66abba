import { Dex } from '../dex/dex.ts'
import { Chain } from './chain.ts'
import type { LedgerService } from './ledgerService.ts'
import { TradeDesk } from './tradeDesk.ts'

/** The chain, and what trades on it. */
export interface Trading {
  readonly chain: Chain
  readonly dex: Dex
  readonly desk: TradeDesk
}

export function openTrading(service: LedgerService): Trading {
  const chain = new Chain(service)
  const dex = new Dex(service, chain)
  return { chain, dex, desk: new TradeDesk(service, chain, dex) }
}
