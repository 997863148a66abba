import { MOST_TOKEN_DECIMALS, type TokenFacts, type TokenTrouble } from '../../core/tokenFacts.ts'
import { listedToken, type Token } from '../../core/tokens.ts'
import type { TokenConfig } from '../../strategy/tokenConfig.ts'
import { barred } from './barred.ts'
import { type ChainMint, feeAt } from './readMints.ts'
import type { ListedMint } from './tokenApi.ts'

/** What each source says of one mint; undefined: nothing, or it could not be asked. */
export interface TokenSources {
  /** A mint's account, or why there is none. */
  readonly chain: ChainMint | string | undefined
  /** The chain's epoch when it was read. */
  readonly epoch: bigint
  readonly api: ListedMint | undefined
  /** Why each source that could help is silent, in words: with what to do. */
  readonly silent: { readonly chain: string; readonly api: string }
}

/** What is let in of a token: of one in the table that the config does not name, nothing. */
export type WantedToken = TokenConfig

type Said<T> = readonly (readonly [source: string, value: T | undefined])[]

/** Puts together what is said of a token. Nothing is guessed: what nobody says, or two say differently, is a trouble. */
export function resolveToken(wanted: WantedToken, sources: TokenSources): TokenFacts {
  const { mint, symbol, maxTransferFeeBps, allowTransferHook } = wanted
  const { epoch, api } = sources
  const chain = typeof sources.chain === 'object' ? sources.chain : undefined
  const listed = listedToken(mint)
  const decimals: Said<number> = [
    ['config', wanted.decimals],
    ['table', listed?.decimals],
    ['chain', chain?.decimals],
    ['api', api?.decimals],
  ]
  const programs: Said<Token['tokenProgram']> = [
    ['config', wanted.program],
    ['table', listed?.tokenProgram],
    ['chain', chain?.tokenProgram],
    ['api', api?.tokenProgram],
  ]
  const [count, tokenProgram] = [firstOf(decimals), firstOf(programs)]
  const trouble =
    disagreement('decimals', decimals) ??
    disagreement('program', programs) ??
    lackOf(count, tokenProgram, sources) ??
    (chain === undefined ? unread(wanted, tokenProgram, sources) : barred(chain, wanted))
  const transferFee = chain?.feeSchedule === undefined ? undefined : feeAt(chain.feeSchedule, epoch)
  const transferHook = chain?.transferHook
  return {
    ...{ mint, symbol, decimals: count, tokenProgram, maxTransferFeeBps, allowTransferHook },
    ...(transferFee === undefined ? {} : { transferFee }),
    ...(transferHook === undefined ? {} : { transferHook }),
    ...(trouble === undefined ? {} : { trouble }),
  }
}

const firstOf = <T>(said: Said<T>): T | undefined => said.find(([, value]) => value !== undefined)?.[1]

const NAMES: Readonly<Record<string, string>> = {
  config: 'market.tokens',
  table: 'the table of known tokens',
  chain: 'its mint account',
  api: 'the Tokens API',
}

function disagreement(field: 'decimals' | 'program', said: Said<string | number>): TokenTrouble | undefined {
  const stated = said.flatMap(([source, value]) => (value === undefined ? [] : [[source, value] as const]))
  const [first] = stated
  const other = stated.find(([, value]) => value !== first?.[1])
  if (first === undefined || other === undefined) return undefined
  const remedy =
    first[0] === 'config' ? `put its ${field} right, or leave it out` : 'one of the two is wrong: see which before it is swapped'
  const words = ([source, value]: readonly [string, string | number]) => `${NAMES[source]} says ${value}`
  return {
    kind: 'contradicted',
    message: `${words(first)} for its ${field}, ${words(other)}: ${remedy}`,
    said: { field, ...Object.fromEntries(stated) },
  }
}

function lackOf(
  decimals: number | undefined,
  program: Token['tokenProgram'] | undefined,
  { chain, silent }: TokenSources,
): TokenTrouble | undefined {
  if (typeof chain === 'string') return { kind: 'unknown', message: chain, said: {} }
  if (decimals === undefined || program === undefined) {
    const missing = decimals === undefined ? 'its decimals are' : 'its token program is'
    return {
      kind: 'unknown',
      message: `${missing} not known: ${silent.chain}; ${silent.api}; or write its decimals and program in market.tokens`,
      said: {},
    }
  }
  if (decimals <= MOST_TOKEN_DECIMALS) return undefined
  const message = `it has ${decimals} decimals, and at most ${MOST_TOKEN_DECIMALS} are counted`
  return { kind: 'unknown', message, said: { decimals, mostDecimals: MOST_TOKEN_DECIMALS } }
}

/** The table says which of its tokens keep a fee back, and which powers their issuers have. */
function unread(
  { mint, allowFreezeAuthority }: WantedToken,
  program: Token['tokenProgram'] | undefined,
  { silent }: TokenSources,
): TokenTrouble | undefined {
  const listed = listedToken(mint)
  if (listed !== undefined && listed.hasTransferFee !== true) return undefined
  if (listed === undefined && program === 'spl-token') {
    if (allowFreezeAuthority === true) return undefined
    const message = `its issuer may be able to freeze it, which its mint account alone says: ${silent.chain}; or accept that with allowFreezeAuthority: true in its row of market.tokens`
    return { kind: 'unknown', message, said: {} }
  }
  const why = listed === undefined ? 'a mint of Token-2022 may keep a fee back, or call a hook' : 'it keeps a transfer fee back'
  return { kind: 'unknown', message: `${why}, which its mint account alone says: ${silent.chain}`, said: {} }
}
