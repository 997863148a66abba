import { tokenMarket } from '../../contests/index.ts'
import { DAY_MS } from '../../core/day.ts'
import { TOKENS, USDC_MINT } from '../../core/tokens.ts'
import { slotAt } from '../chain/slots.ts'
import type { SandboxService } from '../sandboxService.ts'
import type { JsonAnswer } from './jsonAnswer.ts'

const MOST_IDS = 50
/** Jupiter's own fixed date for tokens older than its record. */
export const CREATED_AT = '2024-06-05T08:55:25.527Z'

const decimalsOf = new Map(TOKENS.map(({ mint, decimals }) => [mint, decimals]))

/** `GET /jup/price/v3?ids=…` as Jupiter's Price API v3 answers it: a mint without a price is left out. */
export function answerPrices(service: SandboxService, query: URLSearchParams): JsonAnswer {
  const ids = (query.get('ids') ?? '').split(',').filter((id) => id !== '')
  if (ids.length === 0) return badRequest('ids is missing: name up to 50 mints, separated by commas')
  if (ids.length > MOST_IDS) return badRequest(`ids has ${ids.length} mints: up to ${MOST_IDS} are allowed`)
  const nowMs = service.now()
  return { status: 200, body: Object.fromEntries(ids.flatMap((mint) => priceOf(service, mint, nowMs) ?? [])) }
}

function priceOf(service: SandboxService, mint: string, nowMs: number): [string, unknown][] | undefined {
  const price = service.priceAt(mint, nowMs)
  const decimals = decimalsOf.get(mint)
  if (price === null || decimals === undefined) return undefined
  const before = service.priceAt(mint, nowMs - DAY_MS)
  const entry = {
    usdPrice: Number(price),
    blockId: slotAt(nowMs, service.store.epochMs),
    decimals,
    priceChange24h: before === null ? null : (Number(price) / Number(before) - 1) * 100,
    createdAt: CREATED_AT,
    liquidity: liquidityOf(mint),
  }
  return [[mint, entry]]
}

/** What the DEX's pool of a token holds, both sides, in USD; USDC, which the pools are against, has none of its own. */
export function liquidityOf(mint: string): number {
  const market = mint === USDC_MINT ? null : tokenMarket(mint)
  return Number((market?.depthUsd ?? 0n) * 2n)
}

function badRequest(message: string): JsonAnswer {
  return { status: 400, body: { code: 400, message } }
}
