import type { TransactionInstruction } from '@solana/web3.js'
import type { Quote, SwapMode } from '../../contests/index.ts'
import { tokenOfMint } from '../../core/tokens.ts'
import { bytesOfBase58 } from '../chain/base58.ts'
import type { Trading } from '../chain/openTrading.ts'
import { wordsOf } from '../chain/transactionError.ts'
import type { SandboxService } from '../sandboxService.ts'
import type { JsonAnswer } from '../server/jsonAnswer.ts'
import { computeBudget } from './buildSwap.ts'
import { DEX_LABEL, type Dex, poolOf } from './dex.ts'
import { DexRefusal } from './jupiterErrors.ts'
import { type SwapRequest, swapRequestSchema } from './swapRequest.ts'

const MOST_U64 = 2n ** 64n - 1n
const DEFAULT_SLIPPAGE_BPS = 50

export interface DexRequest {
  readonly method: string
  /** Below `/jup/`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

type Route = (trading: Trading, request: DexRequest, service: SandboxService) => unknown

const ROUTES: Readonly<Record<string, readonly [method: 'GET' | 'POST', answer: Route]>> = {
  'swap/v1/quote': ['GET', ({ dex, chain }, { query }, service) => quoteBody(dex, query, { slot: chain.slot(), service })],
  'swap/v1/swap': ['POST', ({ dex }, { body }) => swapBody(dex, readSwapRequest(body))],
  'swap/v1/swap-instructions': ['POST', ({ dex }, { body }) => instructionsBody(dex, readSwapRequest(body))],
  'swap/v1/program-id-to-label': ['GET', ({ dex }) => ({ [dex.address]: DEX_LABEL })],
}

/** The Swap API v1 as Jupiter's openapi has it; undefined for a path it does not have. */
export function answerDex(trading: Trading, request: DexRequest, service: SandboxService): JsonAnswer | undefined {
  const route = Object.hasOwn(ROUTES, request.path) ? ROUTES[request.path] : undefined
  if (route === undefined) return undefined
  const [method, answer] = route
  if (request.method !== method) return { status: 405, body: { error: `${request.path} is asked by ${method}` } }
  try {
    return { status: 200, body: answer(trading, request, service) }
  } catch (thrown) {
    if (thrown instanceof DexRefusal) return thrown.answer
    throw thrown
  }
}

function quoteBody(dex: Dex, query: URLSearchParams, { slot, service }: { slot: number; service: SandboxService }): unknown {
  const [inputMint, outputMint] = [readMint(query, 'inputMint'), readMint(query, 'outputMint')]
  const amount = readInteger(query, 'amount', MOST_U64)
  if (amount === undefined) throw missing('amount')
  const slippageBps = Number(readInteger(query, 'slippageBps', 65_535n) ?? DEFAULT_SLIPPAGE_BPS)
  const swapMode = readMode(query)
  if ((readInteger(query, 'platformFeeBps', 65_535n) ?? 0n) > 0n)
    throw new DexRefusal('platformFeeBps is not supported: this DEX takes no platform fees')
  for (const mint of [inputMint, outputMint]) {
    if (tokenOfMint(mint) === undefined) throw new DexRefusal(`The token ${mint} is not tradable`, 'TOKEN_NOT_TRADABLE')
  }
  const isExcluded = query.get('excludeDexes')?.split(',').includes(DEX_LABEL) === true
  const isLeftOut = query.has('dexes') && query.get('dexes')?.split(',').includes(DEX_LABEL) === false
  if (isExcluded || isLeftOut) throw new DexRefusal('No routes found', 'NO_ROUTES_FOUND')
  const quote = dex.quote({ inputMint, outputMint, amount, swapMode, slippageBps }, slot)
  return { ...bodyOf(quote), contextSlot: slot, timeTaken: 0.001, swapUsdValue: usdValueOf(quote, service) }
}

function bodyOf(quote: Quote) {
  const { inputMint, outputMint, swapMode, slippageBps, priceImpactPct, feeMint } = quote
  const [inAmount, outAmount] = [quote.inAmount.toString(), quote.outAmount.toString()]
  const swapInfo = {
    ammKey: poolOf(inputMint, outputMint),
    label: DEX_LABEL,
    inputMint,
    outputMint,
    inAmount,
    outAmount,
    feeAmount: quote.feeAmount.toString(),
    feeMint,
  }
  return {
    inputMint,
    inAmount,
    outputMint,
    outAmount,
    otherAmountThreshold: quote.otherAmountThreshold.toString(),
    swapMode,
    slippageBps,
    platformFee: null,
    priceImpactPct,
    routePlan: [{ swapInfo, percent: 100, bps: 10_000 }],
    simplerRouteUsed: false,
    mostReliableAmmsQuoteReport: { info: { [poolOf(inputMint, outputMint)]: outAmount } },
    useIncurredSlippageForQuoting: null,
    otherRoutePlans: null,
    loadedLongtailToken: false,
    instructionVersion: null,
  }
}

/** What goes in, in USD: for people to read, and so a rounded number. */
function usdValueOf({ inputMint, inAmount }: Quote, service: SandboxService): string {
  const price = Number(service.priceAt(inputMint, service.now()) ?? 0)
  return String((Number(inAmount) / 10 ** (tokenOfMint(inputMint)?.decimals ?? 0)) * price)
}

function swapBody(dex: Dex, request: SwapRequest): unknown {
  const { transaction, lastValidBlockHeight, prioritizationFeeLamports, computeUnitLimit, microLamports, simulationError } =
    dex.swap(request)
  return {
    swapTransaction: Buffer.from(transaction).toString('base64'),
    lastValidBlockHeight,
    prioritizationFeeLamports,
    computeUnitLimit,
    prioritizationType: { computeBudget: { microLamports, estimatedMicroLamports: microLamports } },
    simulationSlot: null,
    dynamicSlippageReport: null,
    simulationError: simulationError && { errorCode: simulationError.errorCode, error: wordsOf(simulationError.error) },
    addressesByLookupTableAddress: null,
  }
}

function instructionsBody(dex: Dex, request: SwapRequest): unknown {
  const { setup, swap, cleanup, fee, blockhash, lastValidBlockHeight } = dex.swapInstructions(request)
  return {
    computeBudgetInstructions: computeBudget(fee.computeUnitLimit, fee.microLamports).map(instructionBody),
    setupInstructions: setup.map(instructionBody),
    swapInstruction: instructionBody(swap),
    cleanupInstruction: cleanup && instructionBody(cleanup),
    otherInstructions: [],
    tokenLedgerInstruction: null,
    addressLookupTableAddresses: [],
    prioritizationFeeLamports: fee.prioritizationFeeLamports,
    computeUnitLimit: fee.computeUnitLimit,
    blockhashWithMetadata: { blockhash: [...(bytesOfBase58(blockhash, 32) ?? [])], lastValidBlockHeight },
    simulationError: null,
  }
}

function instructionBody({ programId, keys, data }: TransactionInstruction) {
  return {
    programId: programId.toBase58(),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({ pubkey: pubkey.toBase58(), isSigner, isWritable })),
    data: Buffer.from(data).toString('base64'),
  }
}

function readSwapRequest(body: unknown): SwapRequest {
  const read = swapRequestSchema.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new DexRefusal(`Failed to deserialize the JSON body into the target type: ${issue?.path.join('.')}: ${issue?.message}`)
}

function readMint(query: URLSearchParams, name: string): string {
  const mint = query.get(name)
  if (mint === null) throw missing(name)
  if (bytesOfBase58(mint, 32) === undefined) throw new DexRefusal(`Query parameter ${name} cannot be parsed: Invalid`)
  return mint
}

/** A whole number in the words of Rust's parser, which Jupiter passes on. */
function readInteger(query: URLSearchParams, name: string, most: bigint): bigint | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const kind = text === '' ? 'Empty' : /^\+?\d+$/.test(text) ? 'PosOverflow' : 'InvalidDigit'
  const value = kind === 'PosOverflow' && text.length <= 40 ? BigInt(text.replace('+', '')) : most + 1n
  if (value > most) throw new DexRefusal(`Query parameter ${name} cannot be parsed: ParseIntError { kind: ${kind} }`)
  return value
}

function readMode(query: URLSearchParams): SwapMode {
  const mode = query.get('swapMode') ?? 'ExactIn'
  if (mode === 'ExactIn' || mode === 'ExactOut') return mode
  throw new DexRefusal(`Query parameter swapMode cannot be parsed: ${mode} is neither ExactIn nor ExactOut`)
}

const missing = (name: string): DexRefusal => new DexRefusal(`Failed to deserialize query string: missing field \`${name}\``)
