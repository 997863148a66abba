import type { RequestBudget } from '../../../live/index.ts'
import type { Config } from '../../../strategy/config.ts'
import type { Logger } from '../../log.ts'
import type { ServiceAccess } from '../../service.ts'
import { marketChecks } from '../doctorMarket.ts'

interface MarketNews {
  readonly config: Config
  readonly access: ServiceAccess
  readonly log: Logger
  /** The bots' own: what is asked here is counted with what they ask. */
  readonly budget: RequestBudget
}

/** Says at the start what `doctor` would say of the market, as far as it is not well: the guard refuses by it, and this is why. */
export async function sayMarket({ config, access, log, budget }: MarketNews): Promise<void> {
  // The sandbox brings its own market.
  if (config.service.kind === 'sandbox') return
  for (const { name, verdict, message } of await marketChecks(config, access, budget)) if (verdict !== 'ok') log.warn(`${name}: ${message}`)
}
