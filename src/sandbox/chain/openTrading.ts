import { Dex } from '../dex/dex.ts'
import type { SandboxService } from '../sandboxService.ts'
import { Chain } from './chain.ts'
import { TradeDesk } from './tradeDesk.ts'

/** The chain, and what trades on it. */
export interface Trading {
  readonly chain: Chain
  readonly dex: Dex
  readonly desk: TradeDesk
}

export function openTrading(service: SandboxService): Trading {
  const chain = new Chain(service)
  const dex = new Dex(service, chain)
  return { chain, dex, desk: new TradeDesk(service, chain, dex) }
}
