import { ComputeBudgetProgram } from '@solana/web3.js'
import { tokenOfMint } from '../../core/tokens.ts'
import { bytesOfBase58 } from '../chain/base58.ts'
import type { Trading } from '../chain/openTrading.ts'
import { DEX_LABEL, poolOf } from './dex.ts'
import { MOST_U64, missing, readAddress, readInteger, readMint } from './dexQuery.ts'
import type { DexRoutes } from './dexRoutes.ts'
import { instructionBody, tablesBody } from './instructionBody.ts'
import { DexRefusal } from './jupiterErrors.ts'
import { routeSwap } from './routeSwap.ts'
import { type SwapRequest, swapRequestSchema } from './swapRequest.ts'

const DEFAULT_SLIPPAGE_BPS = 50
const MOST_BPS = 10_000n
/** Of a route of this DEX. One that may have fewer there is none of. */
const ROUTE_ACCOUNTS = 13n
const MOST_ACCOUNTS = 64n
const MOST_SLOTS_TO_EXPIRY = 300n
/** Micro-lamports a unit, by how many of the others' are lower. */
const PRICES = { medium: 700, high: 3_500, veryHigh: 14_000 } as const
/** The percentile that `high` is, in basis points. */
const HIGH_BPS = 5_000

/** The Swap API v2 as Jupiter's openapi has it, as far as it leaves the transaction to the caller. */
export const SWAP_V2: DexRoutes = {
  'swap/v2/build': ['GET', (trading, { query }) => withoutCodes(() => buildBody(trading, query))],
}

/** Errors of this version have words alone. */
function withoutCodes<T>(answer: () => T): T {
  try {
    return answer()
  } catch (thrown) {
    throw thrown instanceof DexRefusal ? new DexRefusal(thrown.message) : thrown
  }
}

function buildBody({ dex, chain }: Trading, query: URLSearchParams): unknown {
  const request = readBuildRequest(query)
  const { inputMint, outputMint, slippageBps } = request
  const slot = chain.slot()
  const quote = dex.quote({ inputMint, outputMint, slippageBps, amount: request.amount, swapMode: 'ExactIn' }, slot)
  const quoteResponse = { ...quote, swapMode: 'ExactIn', contextSlot: slot } as const
  const swapRequest: SwapRequest = {
    ...swapRequestSchema.omit({ quoteResponse: true }).parse(request.swap),
    quoteResponse,
  }
  const { setup, swap, cleanup, blockhash, lastValidBlockHeight } = dex.swapInstructions(swapRequest, routeSwap)
  const [inAmount, outAmount] = [quote.inAmount.toString(), quote.outAmount.toString()]
  const swapInfo = { ammKey: poolOf(inputMint, outputMint), label: DEX_LABEL, inputMint, outputMint, inAmount, outAmount }
  const atMs = chain.slotStartMs(slot)
  return {
    ...{ inputMint, outputMint, inAmount, outAmount, otherAmountThreshold: quote.otherAmountThreshold.toString() },
    ...{ swapMode: 'ExactIn', slippageBps, priceImpactPct: quote.priceImpactPct },
    routePlan: [{ swapInfo, percent: 100, bps: 10_000 }],
    computeBudgetInstructions: [instructionBody(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: request.microLamports }))],
    setupInstructions: setup.map(instructionBody),
    swapInstruction: instructionBody(swap),
    cleanupInstruction: cleanup && instructionBody(cleanup),
    otherInstructions: [],
    tipInstruction: null,
    addressesByLookupTableAddress: tablesBody(dex.tablesOf({ asLegacyTransaction: false })),
    blockhashWithMetadata: {
      blockhash: [...(bytesOfBase58(blockhash, 32) ?? [])],
      lastValidBlockHeight,
      fetchedAt: { secs_since_epoch: Math.floor(atMs / 1000), nanos_since_epoch: (atMs % 1000) * 1_000_000 },
    },
  }
}

/** Every parameter that the openapi file has, by its rules. */
function readBuildRequest(query: URLSearchParams) {
  const [inputMint, outputMint] = [readMint(query, 'inputMint'), readMint(query, 'outputMint')]
  const amount = readInteger(query, 'amount', MOST_U64)
  if (amount === undefined) throw missing('amount')
  const taker = readMint(query, 'taker')
  expectOneOf(query, 'dexes', 'excludeDexes')
  expectOneOf(query, 'destinationTokenAccount', 'nativeDestinationAccount')
  expectNoFees(query)
  readChoice(query, 'mode', ['fast'])
  readBoolean(query, 'forJitoBundle')
  const slotsToExpiry = readInteger(query, 'blockhashSlotsToExpiry', MOST_SLOTS_TO_EXPIRY)
  if (slotsToExpiry === 0n) throw outOfRange('blockhashSlotsToExpiry', 1n, MOST_SLOTS_TO_EXPIRY)
  const maxAccounts = readInteger(query, 'maxAccounts', MOST_ACCOUNTS) ?? MOST_ACCOUNTS
  if (maxAccounts === 0n) throw outOfRange('maxAccounts', 1n, MOST_ACCOUNTS)
  for (const mint of [inputMint, outputMint]) {
    if (tokenOfMint(mint) === undefined) throw new DexRefusal(`The token ${mint} is not tradable`)
  }
  const isExcluded = query.get('excludeDexes')?.split(',').includes(DEX_LABEL) === true
  const isLeftOut = query.has('dexes') && query.get('dexes')?.split(',').includes(DEX_LABEL) === false
  if (isExcluded || isLeftOut || maxAccounts < ROUTE_ACCOUNTS) throw new DexRefusal('No routes found')
  return {
    ...{ inputMint, outputMint, amount, slippageBps: readSlippage(query), microLamports: readPrice(query) },
    swap: {
      userPublicKey: taker,
      payer: readAddress(query, 'payer'),
      wrapAndUnwrapSol: readBoolean(query, 'wrapAndUnwrapSol') ?? true,
      destinationTokenAccount: readAddress(query, 'destinationTokenAccount'),
      nativeDestinationAccount: readAddress(query, 'nativeDestinationAccount'),
    },
  }
}

function readSlippage(query: URLSearchParams): number {
  // It is Jupiter's to find out how much a trade may slip; this market is always as wide.
  if (query.get('slippageBps') === 'rtse') return DEFAULT_SLIPPAGE_BPS
  return Number(readInteger(query, 'slippageBps', MOST_BPS) ?? DEFAULT_SLIPPAGE_BPS)
}

/** What a unit is said to cost, in micro-lamports. */
function readPrice(query: URLSearchParams): number {
  const text = query.get('computeUnitPricePercentile') ?? 'medium'
  if (text in PRICES) return PRICES[text as keyof typeof PRICES]
  const bps = Number(readInteger(query, 'computeUnitPricePercentile', MOST_BPS))
  return Math.floor((PRICES.high * bps) / HIGH_BPS)
}

function expectNoFees(query: URLSearchParams): void {
  const feeBps = readInteger(query, 'platformFeeBps', MOST_BPS) ?? 0n
  if (feeBps > 0n && readAddress(query, 'feeAccount') === undefined) throw new DexRefusal('feeAccount is required with platformFeeBps')
  if (feeBps > 0n) throw new DexRefusal('platformFeeBps is not supported: this DEX takes no platform fees')
  if ((readInteger(query, 'tipAmount', MOST_U64) ?? 0n) > 0n)
    throw new DexRefusal('tipAmount is not supported: there is nobody to be tipped on this chain')
}

function expectOneOf(query: URLSearchParams, one: string, other: string): void {
  if (query.has(one) && query.has(other)) throw new DexRefusal(`${one} and ${other} are mutually exclusive`)
}

function readBoolean(query: URLSearchParams, name: string): boolean | undefined {
  const text = readChoice(query, name, ['true', 'false'])
  return text === undefined ? undefined : text === 'true'
}

function readChoice(query: URLSearchParams, name: string, choices: readonly string[]): string | undefined {
  const text = query.get(name)
  if (text === null || choices.includes(text)) return text ?? undefined
  throw new DexRefusal(`Query parameter ${name} cannot be parsed: ${text} is none of ${choices.join(', ')}`)
}

const outOfRange = (name: string, least: bigint, most: bigint): DexRefusal =>
  new DexRefusal(`Query parameter ${name} must be from ${least} to ${most}`)
