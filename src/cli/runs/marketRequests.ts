import { systemClock } from '../../core/systemClock.ts'
import { SOL_MINT, TOKENS } from '../../core/tokens.ts'
import { contestsBorne } from '../../guard/index.ts'
import { leastPricesOf, limitOf, RequestBudgets, requestsARound } from '../../live/index.ts'
import type { Config } from '../../strategy/config.ts'
import { DEXES } from '../../strategy/dexes.ts'
import type { ServiceAccess } from '../service.ts'
import { type Check, isTrading } from './doctorReads.ts'
import { type FirstPrices, firstPrices } from './firstPrices.ts'

// What Jupiter takes of requests, and what the config wants of it.

type Access = Pick<ServiceAccess, 'prices' | 'swaps' | 'requestsPerMinute' | 'timeoutMs'>

/** Whether the key is taken, and whether the requests suffice for the config. Of the embedded sandbox nothing is said: it has no limit. */
export async function requestChecks(config: Config, access: Access): Promise<Check[]> {
  if (config.service.kind === 'sandbox') return []
  const { isKeyRefused, trouble, stated } = await triedPrices(access)
  const requests = requestsOf(config, access, stated)
  return [keyCheck(access, { isKeyRefused, trouble }), ...(requests === undefined ? [] : [requests])]
}

/**
 * The requests of a minute against what the bots of a config may have open.
 *
 * @param stated what Jupiter itself says that it takes, where that was asked
 * @returns undefined where no limit is known
 */
export function requestsOf({ bots, market }: Config, access: Access, stated?: number): Check | undefined {
  const { prices, swaps, requestsPerMinute } = access
  const { swapUrl: url, apiKey } = swaps
  const perMinute = stated ?? limitOf({ url, apiKey, requestsPerMinute })
  if (perMinute === undefined) return undefined
  const isShared = new URL(prices.url).host === new URL(url).host
  const mints = new Set([...[...TOKENS, ...market.tokens].map(({ mint }) => mint), ...market.mints]).size
  const needed = isShared ? leastPricesOf(requestsARound(mints)) : 0
  const { requestsPerSwap } = DEXES[access.swaps.dex ?? 'jupiterV1']
  const borne = contestsBorne({ perMinute, prices: needed, looks: requestsPerSwap, others: 0, requestsPerSwap })
  const wanted = bots.filter(isTrading).reduce((sum, { guard }) => sum + guard.maxOpenContests, 0)
  const limit = `${perMinute} requests a minute${apiKey === undefined ? ' without a key' : ''}`
  const ways = 'Set market.apiKey (free at portal.jup.ag), or market.requestsPerMinute to what your plan allows'
  const name = 'requests'
  if (requestsPerMinute !== undefined && stated !== undefined && requestsPerMinute > stated)
    return {
      name,
      verdict: 'warn',
      message: `market.requestsPerMinute = ${requestsPerMinute}, and Jupiter takes ${stated}: what is more is refused by it, and waits. Write requestsPerMinute: ${stated}, or leave it out`,
    }
  if (wanted > 0 && borne === 0)
    return {
      name,
      verdict: 'fail',
      message: `${limit} bear no contest of swaps beside prices (${needed}) and dry swaps (${requestsPerSwap}): none is entered (SWAP_BUDGET). ${ways}`,
    }
  if (wanted > borne)
    return {
      name,
      verdict: 'warn',
      message: `${limit} bear ${borne} contests of swaps at once, and guard.maxOpenContests of the bots that trade comes to ${wanted}: entries beyond are refused (SWAP_BUDGET). ${ways}, or lower guard.maxOpenContests`,
    }
  return { name, verdict: 'ok', message: `${limit} bear ${borne} contests of swaps at once, and ${wanted} are wanted` }
}

function keyCheck({ prices: { url, apiKey } }: Access, { isKeyRefused, trouble }: Omit<FirstPrices, 'book'>): Check {
  const name = 'market key'
  if (isKeyRefused)
    return {
      name,
      verdict: 'fail',
      message: `${trouble} at ${url}: no price comes and no swap is built, and nothing is entered that needs one. ${
        apiKey === undefined
          ? "Write market: { apiKey: secret('JUPITER_API_KEY') }"
          : 'Put a key of portal.jup.ag into the variable that market.apiKey names'
      }`,
    }
  if (trouble !== undefined) return { name, verdict: 'warn', message: `whether it is accepted is not known: ${trouble}` }
  if (apiKey === undefined) return { name, verdict: 'ok', message: 'none, and none is needed' }
  return { name, verdict: 'ok', message: 'accepted' }
}

/** More than any plan has: an answer that states a limit takes its place. */
const MOST_REQUESTS = 1e9

/** One price is asked for. @returns also the requests a minute that the answer states */
async function triedPrices(access: Access): Promise<Omit<FirstPrices, 'book'> & { readonly stated: number | undefined }> {
  const budget = new RequestBudgets(systemClock, MOST_REQUESTS).of(access.prices)
  const { trouble, isKeyRefused } = await firstPrices({ ...access, budget }, [SOL_MINT])
  budget.close()
  const perMinute = budget.standing()?.perMinute
  return { trouble, isKeyRefused, stated: perMinute === MOST_REQUESTS ? undefined : perMinute }
}
