import type { ContestsState } from '../../contests/index.ts'
import { DAY_MS } from '../../core/day.ts'
import { TOKENS, type Token } from '../../core/tokens.ts'
import { slotAt } from '../chain/slots.ts'
import type { SandboxService } from '../sandboxService.ts'
import type { JsonAnswer } from '../server/jsonAnswer.ts'
import { CREATED_AT, liquidityOf } from '../server/priceApi.ts'

// Jupiter's Tokens API v2 over the sandbox's own tokens.

const MOST_MINTS = 100
const MOST_FOUND = 20
const CATEGORIES = /^(?:toporganicscore|toptraded|toptrending)\/(?:5m|1h|6h|24h)$/
const TOKEN_PROGRAM_IDS = {
  'spl-token': 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'token-2022': 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
} as const

/** Answers what is below `/jup/tokens/v2/`; undefined for a path that API does not have. */
export function answerTokens(service: SandboxService, path: string, query: URLSearchParams): JsonAnswer | undefined {
  const wanted = query.get('query')
  if (path === 'recent') return listed(service, TOKENS.slice(-30))
  if (CATEGORIES.test(path)) return topTokens(service, query)
  if (path !== 'search' && path !== 'tag') return undefined
  if (wanted === null || wanted === '') return { status: 400, body: { error: 'query is missing' } }
  if (path === 'tag') return tagged(service, wanted)
  const mints = wanted.split(',')
  if (mints.length > MOST_MINTS) return { status: 400, body: { error: `query has ${mints.length} mints: up to ${MOST_MINTS} are allowed` } }
  const named = TOKENS.filter(({ mint }) => mints.includes(mint))
  return listed(service, named.length > 0 || mints.length > 1 ? named : search(wanted))
}

function tagged(service: SandboxService, tag: string): JsonAnswer {
  if (tag === 'verified') return listed(service, TOKENS)
  return tag === 'lst' || tag === 'stocks'
    ? listed(service, [])
    : { status: 400, body: { error: `tag ${tag} is none of lst, verified and stocks` } }
}

function topTokens(service: SandboxService, query: URLSearchParams): JsonAnswer {
  const limit = Number(query.get('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_MINTS)
    return { status: 400, body: { error: `limit must be a whole number from 1 to ${MOST_MINTS}` } }
  const deepest = TOKENS.filter(({ symbol }) => symbol !== 'SOL' && symbol !== 'USDC').toSorted(
    (a, b) => liquidityOf(b.mint) - liquidityOf(a.mint),
  )
  return listed(service, deepest.slice(0, limit))
}

/** By symbol or name: what is the text first, then what begins with it, then what has it. */
function search(text: string): Token[] {
  const wanted = text.toLowerCase()
  const rank = ({ symbol, name }: Token): number => {
    const words = [symbol.toLowerCase(), name.toLowerCase()]
    if (words.includes(wanted)) return 0
    if (words.some((word) => word.startsWith(wanted))) return 1
    return words.some((word) => word.includes(wanted)) ? 2 : 3
  }
  return TOKENS.filter((token) => rank(token) < 3)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_FOUND)
}

function listed(service: SandboxService, tokens: readonly Token[]): JsonAnswer {
  return { status: 200, body: service.read((state, now) => tokens.map((token) => informationOf(service, token, state, now))) }
}

function informationOf(service: SandboxService, token: Token, { minted }: ContestsState, now: number) {
  const { mint, name, symbol, decimals, tokenProgram } = token
  const [price, before] = [service.priceAt(mint, now), service.priceAt(mint, now - DAY_MS)]
  const usdPrice = price === null ? null : Number(price)
  const supply = Number(minted.get(mint) ?? 0n) / 10 ** decimals
  return {
    id: mint,
    name,
    symbol,
    icon: null,
    decimals,
    tokenProgram: TOKEN_PROGRAM_IDS[tokenProgram],
    createdAt: CREATED_AT,
    circSupply: supply,
    totalSupply: supply,
    audit: { mintAuthorityDisabled: true, freezeAuthorityDisabled: true },
    organicScore: 100,
    organicScoreLabel: 'high',
    isVerified: true,
    tags: ['verified'],
    fdv: usdPrice === null ? null : usdPrice * supply,
    mcap: usdPrice === null ? null : usdPrice * supply,
    usdPrice,
    priceBlockId: slotAt(now, service.store.epochMs),
    liquidity: liquidityOf(mint),
    stats24h: { priceChange: price === null || before === null ? null : (Number(price) / Number(before) - 1) * 100 },
    updatedAt: isoOf(now),
  }
}

const isoOf = (ms: number): string => new Date(ms).toISOString()
