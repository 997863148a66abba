import type { Config } from '../../../strategy/config.ts'
import type { Logger } from '../../log.ts'
import type { ServiceAccess } from '../../service.ts'
import { marketChecks } from '../doctorMarket.ts'

/** Says at the start what `doctor` would say of the market, as far as it is not well: the guard refuses by it, and this is why. */
export async function sayMarket(config: Config, access: ServiceAccess, log: Logger): Promise<void> {
  // The sandbox brings its own market.
  if (config.service.kind === 'sandbox') return
  for (const { name, verdict, message } of await marketChecks(config, access)) if (verdict !== 'ok') log.warn(`${name}: ${message}`)
}
