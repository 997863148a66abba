import { firstValueFrom } from 'rxjs'
import { clusterName } from '../../core/clusters.ts'
import { systemClock } from '../../core/systemClock.ts'
import type { TokenFacts } from '../../core/tokenFacts.ts'
import { symbolOf, TOKENS, USDC_MINT } from '../../core/tokens.ts'
import { lookAtRpc, type RequestBudget, TokenDesk } from '../../live/index.ts'
import type { Config } from '../../strategy/config.ts'
import type { ServiceAccess } from '../service.ts'
import type { Check } from './doctorReads.ts'
import { firstPrices } from './firstPrices.ts'

// The market of a config, as bots would find it: the RPC, what is known of each token, and its price. Nothing is sent.

type Market = Pick<ServiceAccess, 'prices' | 'swaps' | 'timeoutMs'>
type Asked = Market & { readonly budget?: RequestBudget }

/** So many mints without a price are named; the others are counted. */
const MOST_NAMED = 5

/**
 * All that can be seen of the market without a wallet.
 *
 * @param budget of the host of the prices, where others ask it meanwhile
 */
export async function marketChecks({ market }: Pick<Config, 'market'>, access: Market, budget?: RequestBudget): Promise<Check[]> {
  const asked = { ...access, ...(budget === undefined ? {} : { budget }) }
  const [rpc, tokens, prices] = await Promise.all([rpcOf(access), tokensOf(market, asked), pricesOf(market, asked)])
  return [...rpc, ...tokens, ...prices]
}

/** Whether the RPC answers, is of the chain of the DEX, and keeps up with it. */
async function rpcOf({ swaps, timeoutMs }: Market): Promise<Check[]> {
  const { rpcUrl, genesis } = swaps
  if (rpcUrl === undefined) {
    const message =
      'none is configured: swaps are neither simulated nor looked up, lookup tables and extensions of mints cannot be read: set market.rpcUrl'
    return [{ name: 'rpc', verdict: 'warn', message }]
  }
  const { cluster, health } = await lookAtRpc({ rpcUrl, genesis, timeoutMs, clock: systemClock })
  if (!health.ok && !health.isReached) {
    const remedy = 'check market.rpcUrl; until it answers no swap is simulated, and none is sent'
    return [{ name: 'rpc', verdict: 'fail', message: `${health.reason}: ${remedy}` }]
  }
  return [
    health.ok
      ? { name: 'rpc', verdict: 'ok', message: `answers and keeps up: slot ${health.slot}${ageOf(health.blockAgeMs)}` }
      : {
          ...{ name: 'rpc', verdict: 'fail' },
          message: `${health.reason}: swaps are simulated on what was, and miss their window: wait, or write another in market.rpcUrl`,
        },
    cluster === undefined
      ? {
          ...{ name: 'rpc chain', verdict: 'warn' },
          message:
            'the RPC does not say which chain it is of (getGenesisHash): see that market.rpcUrl is of the chain that the contests are on',
        }
      : cluster.trouble === undefined
        ? { name: 'rpc chain', verdict: 'ok', message: clusterName(cluster.genesis) }
        : {
            ...{ name: 'rpc chain', verdict: 'fail' },
            message: `${cluster.trouble}: no contest of swaps is entered; write an RPC of that chain in market.rpcUrl`,
          },
  ]
}

const ageOf = (blockAgeMs: number | undefined): string => (blockAgeMs === undefined ? '' : `, ${Math.round(blockAgeMs / 1000)} s old`)

/** What is known of each token of `market.tokens`, and which of the known tokens are not swapped. */
async function tokensOf({ tokens }: Config['market'], { prices, swaps, timeoutMs, ...asked }: Asked): Promise<Check[]> {
  const desk = new TokenDesk({
    ...{ tokens, priceUrl: prices.url, apiKey: prices.apiKey, rpcUrl: swaps.rpcUrl, genesis: swaps.genesis, timeoutMs },
    ...{ ...asked, clock: systemClock, file: undefined, log: () => {} },
  })
  try {
    await desk.start({ isOnce: true })
    const facts = await firstValueFrom(desk.facts$)
    return facts.map((each) =>
      tokenCheck(
        each,
        tokens.some(({ mint }) => mint === each.mint),
      ),
    )
  } finally {
    await desk.close()
  }
}

/** A known token that nobody has named is only told of: whoever does not trade it misses nothing. */
function tokenCheck({ symbol, decimals, tokenProgram, trouble, ...facts }: TokenFacts, isNamed: boolean): Check {
  const name = `token ${symbol}`
  const verdict = isNamed ? 'fail' : 'warn'
  if (trouble !== undefined) {
    const effect = trouble.kind === 'barred' ? 'it is not bought' : 'until then it is not swapped'
    return { name, verdict, message: `${trouble.message}; ${effect}` }
  }
  const { transferFee, maxTransferFeeBps, transferHook, allowTransferHook } = facts
  const entry = `{ mint: '${facts.mint}', symbol: '${symbol}'`
  if (transferFee !== undefined && transferFee.feeBps > maxTransferFeeBps) {
    const { feeBps } = transferFee
    const message = `keeps back ${feeBps} bps of each transfer, and is not swapped: to let that in, market.tokens: [${entry}, maxTransferFeeBps: ${feeBps} }]`
    return { name, verdict, message }
  }
  if (transferHook !== undefined && !allowTransferHook) {
    const message = `each transfer calls ${transferHook}, and it is not swapped: to let that in, market.tokens: [${entry}, allowTransferHook: true }]`
    return { name, verdict, message }
  }
  const fee = transferFee === undefined ? '' : `, a transfer fee of ${transferFee.feeBps} bps`
  const hook = transferHook === undefined ? '' : `, a transfer hook, ${transferHook}`
  return { name, verdict: 'ok', message: `${decimals} decimals, ${tokenProgram}${fee}${hook}` }
}

/** Which of the tokens have a price. */
async function pricesOf({ mints, tokens }: Config['market'], asked: Asked): Promise<Check[]> {
  const named = [...new Set([...tokens.map(({ mint }) => mint), ...mints])]
  const wanted = [...new Set([...TOKENS.map(({ mint }) => mint), ...named])]
  const { trouble, book } = await firstPrices(asked, wanted)
  const unpriced = wanted.filter((mint) => mint !== USDC_MINT && book.latestText(mint, book.tick) === undefined)
  if (trouble !== undefined) {
    const remedy = 'check market.url and market.apiKey; without prices the bots enter nothing that is played by them'
    return [{ name: 'prices', verdict: 'fail', message: `${asked.prices.url}: ${trouble}: ${remedy}` }]
  }
  if (unpriced.length === 0) return [{ name: 'prices', verdict: 'ok', message: `the feed answers, and prices all ${wanted.length} tokens` }]
  const symbols = unpriced.map((mint) => tokens.find((token) => token.mint === mint)?.symbol ?? symbolOf(mint))
  const more = symbols.length > MOST_NAMED ? ` and ${symbols.length - MOST_NAMED} more` : ''
  const isOwn = unpriced.some((mint) => named.includes(mint))
  const message = `the feed answers, and has no price of ${symbols.slice(0, MOST_NAMED).join(', ')}${more}: what is not priced is neither swapped nor counted; check its mint in market.tokens and market.mints, or take it out`
  return [{ name: 'prices', verdict: isOwn ? 'fail' : 'warn', message }]
}
