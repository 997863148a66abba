import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../../core/tokenProgram.ts'
import type { Mint, Token } from '../../core/tokens.ts'
import { readJson } from '../endpoint.ts'
import { BudgetedEndpoint } from '../market/budgetedEndpoint.ts'
import type { RequestBudget } from '../market/requestBudget.ts'

/** What the Tokens API says of a mint. */
export interface ListedMint {
  readonly decimals: number
  readonly tokenProgram: Token['tokenProgram'] | undefined
}

const MOST_MINTS = 100
/** Swaps and prices go first, and what is not known meanwhile is not swapped. */
const LOOKUP = { use: 'lookup', patienceMs: 30_000 } as const
const PROGRAMS: Readonly<Record<string, Token['tokenProgram']>> = {
  [TOKEN_PROGRAM_ID.toBase58()]: 'spl-token',
  [TOKEN_2022_PROGRAM_ID.toBase58()]: 'token-2022',
}
const answerSchema = z.array(
  z.looseObject({ id: z.string(), decimals: z.number().int().min(0).max(255), tokenProgram: z.string().optional() }),
)

export type ListedMints =
  | { readonly ok: true; readonly mints: ReadonlyMap<Mint, ListedMint> }
  | { readonly ok: false; readonly reason: string }

export interface TokenApiOptions {
  /** A Jupiter Price API v3 endpoint: the Tokens API stands beside it. */
  readonly priceUrl: string
  readonly apiKey: string | undefined
  readonly timeoutMs: number
  readonly clock: Clock
  /** What all that is asked of the host shares; undefined: nothing is counted. */
  readonly budget?: RequestBudget | undefined
}

/** Where Jupiter's Tokens API v2 is, beside its Price API v3; undefined for an address that is none of Jupiter's making. */
function tokensPathOf(priceUrl: string): string | undefined {
  const { pathname } = new URL(priceUrl)
  const [, root] = /^(.*)\/price\/v3\/*$/.exec(pathname) ?? []
  return root === undefined ? undefined : `${root}/tokens/v2`
}

/** Asks Jupiter's Tokens API v2 for mints, once: https://dev.jup.ag/docs/api/token-api/v2/search */
export async function askTokenApi(
  { priceUrl, apiKey, timeoutMs, clock, budget }: TokenApiOptions,
  mints: readonly Mint[],
): Promise<ListedMints> {
  const path = tokensPathOf(priceUrl)
  if (path === undefined) return { ok: false, reason: 'market.url is no Price API v3 of Jupiter, beside which the Tokens API stands' }
  const endpoint = new BudgetedEndpoint({ name: 'the Tokens API', url: priceUrl, apiKey, timeoutMs, clock, budget })
  const found = new Map<Mint, ListedMint>()
  try {
    for (let first = 0; first < mints.length; first += MOST_MINTS) {
      const query = mints.slice(first, first + MOST_MINTS).join(',')
      const answer = await endpoint.ask({ method: 'GET', path: `${path}/search?query=${encodeURIComponent(query)}` }, LOOKUP)
      if (!answer.ok) return { ok: false, reason: answer.reason }
      const read = answerSchema.safeParse(readJson(answer.text))
      if (!read.success) return { ok: false, reason: endpoint.trouble('answered with no list of tokens').reason }
      for (const { id, decimals, tokenProgram } of read.data)
        if (mints.includes(id)) found.set(id, { decimals, tokenProgram: PROGRAMS[tokenProgram ?? ''] })
    }
    return { ok: true, mints: found }
  } finally {
    await endpoint.close()
  }
}
