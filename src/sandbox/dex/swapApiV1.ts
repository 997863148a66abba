import type { Quote, SwapMode } from '../../contests/index.ts'
import { SOL_MINT, tokenOfMint } from '../../core/tokens.ts'
import { bytesOfBase58 } from '../chain/base58.ts'
import { wordsOf } from '../chain/transactionError.ts'
import type { SandboxService } from '../sandboxService.ts'
import { computeBudget } from './buildSwap.ts'
import { DEX_LABEL, type Dex, poolOf } from './dex.ts'
import { MOST_U64, missing, readInteger, readMint } from './dexQuery.ts'
import type { DexRoutes } from './dexRoutes.ts'
import { instructionBody, tablesBody } from './instructionBody.ts'
import { DexRefusal } from './jupiterErrors.ts'
import { type SwapRequest, swapRequestSchema } from './swapRequest.ts'

const DEFAULT_SLIPPAGE_BPS = 50

/** The Swap API v1 as Jupiter's openapi has it, by path. */
export const SWAP_V1: DexRoutes = {
  'swap/v1/quote': ['GET', ({ dex, chain }, { query }, service) => quoteBody(dex, query, { slot: chain.slot(), service })],
  'swap/v1/swap': ['POST', ({ dex }, { body }) => swapBody(dex, readSwapRequest(body))],
  'swap/v1/swap-instructions': ['POST', ({ dex }, { body }) => instructionsBody(dex, readSwapRequest(body))],
  'swap/v1/program-id-to-label': ['GET', ({ dex }) => ({ [dex.address]: DEX_LABEL })],
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
  return { ...bodyOf(quote, dex.hopOf(quote)), contextSlot: slot, timeTaken: 0.001, swapUsdValue: usdValueOf(quote, service) }
}

function bodyOf(quote: Quote, hop: bigint | undefined) {
  const { inputMint, outputMint, swapMode, slippageBps, priceImpactPct, feeMint } = quote
  const [inAmount, outAmount] = [quote.inAmount.toString(), quote.outAmount.toString()]
  const step = (from: string, to: string, [paid, given]: readonly [string, string]) => ({
    swapInfo: {
      ammKey: poolOf(from, to),
      label: DEX_LABEL,
      inputMint: from,
      outputMint: to,
      inAmount: paid,
      outAmount: given,
      feeAmount: from === inputMint ? quote.feeAmount.toString() : '0',
      feeMint,
    },
    percent: 100,
    bps: 10_000,
  })
  const steps =
    hop === undefined
      ? [step(inputMint, outputMint, [inAmount, outAmount])]
      : [step(inputMint, SOL_MINT, [inAmount, hop.toString()]), step(SOL_MINT, outputMint, [hop.toString(), outAmount])]
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
    routePlan: steps,
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
    addressesByLookupTableAddress: tablesBody(dex.tablesOf(request)),
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
    addressLookupTableAddresses: dex.tablesOf(request).map(({ key }) => key.toBase58()),
    prioritizationFeeLamports: fee.prioritizationFeeLamports,
    computeUnitLimit: fee.computeUnitLimit,
    blockhashWithMetadata: { blockhash: [...(bytesOfBase58(blockhash, 32) ?? [])], lastValidBlockHeight },
    simulationError: null,
  }
}

function readSwapRequest(body: unknown): SwapRequest {
  const read = swapRequestSchema.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new DexRefusal(`Failed to deserialize the JSON body into the target type: ${issue?.path.join('.')}: ${issue?.message}`)
}

function readMode(query: URLSearchParams): SwapMode {
  const mode = query.get('swapMode') ?? 'ExactIn'
  if (mode === 'ExactIn' || mode === 'ExactOut') return mode
  throw new DexRefusal(`Query parameter swapMode cannot be parsed: ${mode} is neither ExactIn nor ExactOut`)
}
