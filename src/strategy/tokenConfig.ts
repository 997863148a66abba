import { z } from 'zod'
import { MOST_TOKEN_DECIMALS, type TokenFacts } from '../core/tokenFacts.ts'
import { listedToken, type Mint, tokenOf } from '../core/tokens.ts'
import { bps } from './amount.ts'

const MINT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const SYMBOL = /^[A-Za-z0-9$._-]{1,16}$/

/** A token that the bots of a config may swap beside the known ones, or what is let in of a known one. */
const tokenSchema = z.strictObject({
  /** The address of its mint. */
  mint: z.string().regex(MINT, "the address of a mint in base58, such as 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'"),
  /** What it is called in logs and pages. */
  symbol: z.string().regex(SYMBOL, "1 to 16 letters, digits, $, dots, dashes and underscores, such as 'MOON'"),
  /** Base units in one token, as a power of ten. Left out: what its mint account says, or the Tokens API. */
  decimals: z.number().int().min(0).max(MOST_TOKEN_DECIMALS).optional(),
  /** Its program. Left out: what its mint account says, or the Tokens API. */
  program: z.enum(['spl-token', 'token-2022']).optional(),
  /** The most that its mint may keep back of a transfer, in basis points. */
  maxTransferFeeBps: bps.default(0),
  /** Whether transfers may call a program of its issuer's. */
  allowTransferHook: z.boolean().default(false),
  /** Accepts that the issuer can freeze it in the agent's wallet, or pause all its transfers. */
  allowFreezeAuthority: z.boolean().optional(),
  /** Accepts that the issuer can take it out of the agent's wallet. */
  allowPermanentDelegate: z.boolean().optional(),
  /** Accepts that the issuer can change the transfer fee. A fee above `maxTransferFeeBps` is still refused. */
  allowFeeChange: z.boolean().optional(),
})
export type TokenConfig = z.output<typeof tokenSchema>

/** `market.tokens`: each mint once, each symbol once, and of a known token nothing that is not so. */
export const tokensSchema = z
  .array(tokenSchema)
  .max(100)
  .superRefine((tokens, context) => {
    const mintOf = new Map<string, Mint>()
    tokens.forEach(({ mint, symbol, decimals, program }, index) => {
      const say = (field: string, message: string) => context.addIssue({ code: 'custom', path: [index, field], message })
      if (tokens.findIndex((other) => other.mint === mint) !== index) say('mint', 'named above already: one entry a mint')
      const known = listedToken(mint)
      const clash = tokenOf(symbol)?.mint ?? mintOf.get(symbol)
      if (clash !== undefined && clash !== mint) say('symbol', `${symbol} is the symbol of ${clash}: give this one another`)
      mintOf.set(symbol, mint)
      if (known === undefined) return
      if (symbol !== known.symbol) say('symbol', `the mint is the known token ${known.symbol}: call it that`)
      if (decimals !== undefined && decimals !== known.decimals) say('decimals', `${known.symbol} has ${known.decimals}: leave it out`)
      if (program !== undefined && program !== known.tokenProgram)
        say('program', `${known.symbol} is of ${known.tokenProgram}: leave it out`)
    })
  })

/** What the config alone says of its tokens: where nobody is asked, as in a backtest. Without decimals a token is not known there. */
export const statedTokens = (tokens: readonly TokenConfig[]): TokenFacts[] =>
  tokens.flatMap(({ mint, symbol, decimals, program = 'spl-token', maxTransferFeeBps, allowTransferHook }) => {
    const known = listedToken(mint)
    const [count, tokenProgram] = [decimals ?? known?.decimals, known?.tokenProgram ?? program]
    return count === undefined ? [] : [{ mint, symbol, decimals: count, tokenProgram, maxTransferFeeBps, allowTransferHook }]
  })
