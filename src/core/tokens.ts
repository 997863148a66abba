import { formatUnits } from './formatUnits.ts'

/** A token mint: the base58 address of a token on Solana. */
export type Mint = string

/**
 * Power of an issuer over tokens that somebody else holds: freeze an account, pause all transfers, take tokens out of any account, change
 * the transfer fee, change the program that transfers call.
 */
export type TokenPower = 'freeze' | 'pause' | 'seize' | 'changeFee' | 'changeHook'

/** A token of the table: its names, its address, and what its base units are. */
export interface Token {
  /** The short name, such as `SOL`. */
  readonly symbol: string
  /** The name in full, such as `Wrapped SOL`. */
  readonly name: string
  /** The address of its mint. */
  readonly mint: Mint
  /** Base units in one token, as a power of ten. */
  readonly decimals: number
  /** The program that keeps its accounts. */
  readonly tokenProgram: 'spl-token' | 'token-2022'
  /** The mint keeps a fee back of each transfer; how much, its account on the chain says. */
  readonly hasTransferFee?: true
  /** Powers that its issuer is known to have. Default: none. */
  readonly powers?: readonly TokenPower[]
}

/**
 * Tokens the sandbox has prices for. Mints and decimals as published by their issuers.
 *
 * @example TOKENS.map(({ symbol }) => symbol) // ['SOL', 'USDC', 'JUP', …]
 */
export const TOKENS: readonly Token[] = [
  { symbol: 'SOL', name: 'Wrapped SOL', mint: 'So11111111111111111111111111111111111111112', decimals: 9, tokenProgram: 'spl-token' },
  {
    symbol: 'USDC',
    name: 'USD Coin',
    mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    decimals: 6,
    tokenProgram: 'spl-token',
    powers: ['freeze'],
  },
  { symbol: 'JUP', name: 'Jupiter', mint: 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', decimals: 6, tokenProgram: 'spl-token' },
  { symbol: 'BONK', name: 'Bonk', mint: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', decimals: 5, tokenProgram: 'spl-token' },
  { symbol: 'WIF', name: 'dogwifhat', mint: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm', decimals: 6, tokenProgram: 'spl-token' },
  { symbol: 'JTO', name: 'Jito', mint: 'jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL', decimals: 9, tokenProgram: 'spl-token' },
  { symbol: 'PYTH', name: 'Pyth Network', mint: 'HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3', decimals: 6, tokenProgram: 'spl-token' },
  { symbol: 'RENDER', name: 'Render Token', mint: 'rndrizKT3MK1iimdxRdWabcF7Zg7AR5T4nud4EkHBof', decimals: 8, tokenProgram: 'spl-token' },
  { symbol: 'TNSR', name: 'Tensor', mint: 'TNSRxcUxoT9xBG3de7PiJyTDYu7kskLqcpddxnEJAS6', decimals: 9, tokenProgram: 'spl-token' },
  { symbol: 'W', name: 'Wormhole Token', mint: '85VBFQZC9TZkfaptBWjvUw7YbZjy52A6mjtPGjstQAmQ', decimals: 6, tokenProgram: 'spl-token' },
  { symbol: 'IO', name: 'io.net', mint: 'BZLbGTNCSFfoth2GYDtwr7e4imWzpR5jqcUuGEwr646K', decimals: 8, tokenProgram: 'spl-token' },
  { symbol: 'POPCAT', name: 'Popcat', mint: '7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYmW2hr', decimals: 9, tokenProgram: 'spl-token' },
  {
    symbol: 'MEW',
    name: 'cat in a dogs world',
    mint: 'MEW1gQWJ3nEXg2qgERiKu7FAFj79PHvQVREQUzScPP5',
    decimals: 5,
    tokenProgram: 'spl-token',
  },
  {
    symbol: 'PNUT',
    name: 'Peanut the Squirrel',
    mint: '2qEHjDLDLbuBgRYvsxhc5D6uDWAivNFZGan56P1tpump',
    decimals: 6,
    tokenProgram: 'spl-token',
  },
  {
    symbol: 'GOAT',
    name: 'Goatseus Maximus',
    mint: 'CzLSujWBLFsSjncfkh59rUFqvafWcY5tzedWJSuypump',
    decimals: 6,
    tokenProgram: 'spl-token',
  },
  { symbol: 'MOODENG', name: 'Moo Deng', mint: 'ED5nyyWEzpPPiWimP8vYm7sD7TD3LAt3Q3gRTWHzPJBY', decimals: 6, tokenProgram: 'spl-token' },
  { symbol: 'BOME', name: 'BOOK OF MEME', mint: 'ukHH6c7mMyiWCf1b9pnWe25TSpkDDt3H5pQZgZ74J82', decimals: 6, tokenProgram: 'spl-token' },
  {
    symbol: 'CHILLGUY',
    name: 'Just a chill guy',
    mint: 'Df6yfrKC8kZE3KNkrHERKzAetSxbrWeniQfyJY4Jpump',
    decimals: 6,
    tokenProgram: 'spl-token',
  },
  { symbol: 'FARTCOIN', name: 'Fartcoin', mint: '9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump', decimals: 6, tokenProgram: 'spl-token' },
  { symbol: 'PENGU', name: 'Pudgy Penguins', mint: '2zMMhcVQEXDtdE6vsFS7S7D5oUodfJHE8vd1gnBouauv', decimals: 6, tokenProgram: 'spl-token' },
  { symbol: 'TRUMP', name: 'OFFICIAL TRUMP', mint: '6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN', decimals: 6, tokenProgram: 'spl-token' },
  { symbol: 'MELANIA', name: 'Melania Meme', mint: 'FUAfBo2jgks6gB4Z4LfZkqSZgzNucisEHqnNebaRxM1P', decimals: 6, tokenProgram: 'spl-token' },
  { symbol: 'PUMP', name: 'Pump', mint: 'pumpCmXqMfrsAkQ5r49WcJnRayYRqmXz6ae8H7H9Dfn', decimals: 6, tokenProgram: 'token-2022' },
  { symbol: 'ME', name: 'Magic Eden', mint: 'MEFNBXixkEbait3xn9bkm8WsJzXtVsaJEn4c8Sam21u', decimals: 6, tokenProgram: 'spl-token' },
  { symbol: 'GRASS', name: 'Grass', mint: 'Grass7B4RdKfBCjTKgSqnXkqjwiGvQyFbuSCUJr3XXjs', decimals: 9, tokenProgram: 'spl-token' },
  {
    symbol: 'LAUNCHCOIN',
    name: 'Launch Coin on Believe',
    mint: 'Ey59PH7Z4BFU4HjyKnyMdWt5GGN76KazTAwQihoUXRnk',
    decimals: 9,
    tokenProgram: 'token-2022',
    hasTransferFee: true,
  },
  { symbol: 'ZEREBRO', name: 'zerebro', mint: '8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn', decimals: 6, tokenProgram: 'spl-token' },
  {
    symbol: 'GRIFFAIN',
    name: 'test griffain.com',
    mint: 'KENJSUYLASHUMfHyy5o4Hp2FdNqZg1AsUPhfH2kYvEP',
    decimals: 6,
    tokenProgram: 'spl-token',
  },
  { symbol: 'AI16Z', name: 'ai16z', mint: 'HeLp6NuQkmYB4pYWo2zYs22mESHXPQYzXbB8n4V98jwC', decimals: 9, tokenProgram: 'token-2022' },
  { symbol: 'VINE', name: 'Vine Coin', mint: '6AJcP7wuLwmRYLBNbi825wgguaPsWzPBEHcHndpRpump', decimals: 6, tokenProgram: 'spl-token' },
  {
    symbol: 'CBBTC',
    name: 'Coinbase Wrapped BTC',
    mint: 'cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij',
    decimals: 8,
    tokenProgram: 'spl-token',
    powers: ['freeze'],
  },
  {
    symbol: 'ETH',
    name: 'Ether (Portal/Wormhole)',
    mint: '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs',
    decimals: 8,
    tokenProgram: 'spl-token',
  },
]

// The guard counts by their decimals, and a strategy can import them.
for (const token of TOKENS) Object.freeze(Object.freeze(token).powers)
Object.freeze(TOKENS)

const bySymbol = new Map(TOKENS.map((token) => [token.symbol, token]))
const byMint = new Map(TOKENS.map((token) => [token.mint, token]))
/** Decimals and program of a mint never change: what was learnt once stays true for every run of the process. */
const learnt = new Map<Mint, Token>()

/**
 * Takes up a token beside the table.
 *
 * @returns what is known of the mint already, where that has another number of decimals or another program
 */
export function takeUp(token: Token): Token | undefined {
  const known = tokenOfMint(token.mint)
  if (known === undefined) learnt.set(token.mint, Object.freeze({ ...token }))
  else if (known.decimals !== token.decimals || known.tokenProgram !== token.tokenProgram) return known
  return undefined
}

/**
 * The dollar of the contests: stakes and prices are in it.
 *
 * @example swap({ from: SOL_MINT, to: USDC_MINT, amount: 1_000_000_000n }) // sells one SOL
 */
export const USDC_MINT: Mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

/**
 * Wrapped SOL: a token account of it holds lamports, one for one.
 *
 * @example prices.now(SOL_MINT) // in USD, such as 187.25
 */
export const SOL_MINT: Mint = 'So11111111111111111111111111111111111111112'

/**
 * The token with this symbol; `undefined` when it is not in the table.
 *
 * @example tokenOf('JUP')?.mint // 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'
 */
export function tokenOf(symbol: string): Token | undefined {
  return bySymbol.get(symbol)
}

/**
 * The token of this mint; `undefined` when it is neither in the table nor one that the config, or the log, brought.
 *
 * @example tokenOfMint(SOL_MINT)?.decimals // 9: a SOL is 10⁹ base units
 */
export function tokenOfMint(mint: Mint): Token | undefined {
  return byMint.get(mint) ?? learnt.get(mint)
}

/** The same of the table alone, which is the same in every process. */
export const listedToken = (mint: Mint): Token | undefined => byMint.get(mint)

/** An amount of base units as people write it, exact: `0.0052 SOL`, `10.00 USDC`; of a token that is not known the base units. */
export function formatAmount(units: bigint, mint: Mint): string {
  const decimals = tokenOfMint(mint)?.decimals
  if (decimals === undefined) return `${units} base units of ${symbolOf(mint)}`
  // Cents are written out.
  return `${formatUnits(units, decimals, mint === USDC_MINT ? 2 : 0)} ${symbolOf(mint)}`
}

/**
 * A short name for a log line: the symbol where it is known, else the mint's first characters.
 *
 * @example symbolOf(SOL_MINT) // 'SOL'
 */
export function symbolOf(mint: Mint): string {
  return tokenOfMint(mint)?.symbol ?? `${mint.slice(0, 4)}…`
}
