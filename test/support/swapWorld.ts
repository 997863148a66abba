import { readFileSync } from 'node:fs'
import { VirtualClock } from '../../src/core/clock.ts'
import { SOL_MINT, USDC_MINT } from '../../src/core/tokens.ts'
import { JupiterV1 } from '../../src/live/index.ts'
import type { QuoteRequest } from '../../src/pipeline/index.ts'
import { type RawCall, type RawServer, startRawServer } from './rawServer.ts'

// For tests: a Jupiter and an RPC that answer as the test says.

const dataFile = (path: string): string => readFileSync(new URL(`../data/${path}`, import.meta.url), 'utf8')

interface RealSwap {
  readonly base64: string
  readonly feePayer: string
  readonly recentBlockhash: string
  readonly lookupTables: readonly string[]
  readonly bytes: number
}

export const REAL_SWAPS = dataFile('transactions/swaps.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as RealSwap)
export const REAL_QUOTES = (JSON.parse(dataFile('jupiter/quotes.json')) as { quotes: Record<string, Record<string, unknown>> }).quotes
export const SIMULATION_ERROR: unknown = JSON.parse(dataFile('jupiter/swap-response-with-simulation-error.json'))

export const [QUOTE = {}] = Object.values(REAL_QUOTES)
export const ASKED: QuoteRequest = { from: SOL_MINT, to: USDC_MINT, amount: 1_000_000_000n, slippageBps: 50 }
/** Time enough on any machine. */
const TIMEOUT_MS = 60_000
/** For answers that do not come. */
export const SHORT_MS = 250
export const START_MS = 1_753_099_200_000

/** What the RPC says of a method; undefined: it does not know it. */
export type Methods = Readonly<Record<string, ((params: readonly unknown[]) => unknown) | undefined>>

/** Thrown by a method, it is the RPC's error. */
export class RpcRefusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export function answerMethods(methods: Methods): (call: RawCall) => void {
  return (call) => {
    const { id, method, params } = JSON.parse(call.body) as { id: number; method: string; params: readonly unknown[] }
    try {
      call.json(200, { jsonrpc: '2.0', id, result: methods[method]?.(params) })
    } catch (thrown) {
      const code = thrown instanceof RpcRefusal ? thrown.code : -32603
      call.json(200, { jsonrpc: '2.0', id, error: { code, message: String((thrown as Error).message) } })
    }
  }
}

export interface SwapWorld extends AsyncDisposable {
  readonly jupiter: RawServer
  readonly rpc: RawServer
  readonly clock: VirtualClock
  readonly swapper: JupiterV1
  /** Methods the RPC was asked for. */
  asked(): string[]
}

export interface SwapWorldOptions {
  readonly jupiter?: (call: RawCall) => void
  /** Without it no RPC is configured. */
  readonly methods?: Methods
  readonly timeoutMs?: number | undefined
}

export const FEES = { priorityLevel: 'high', maxPriorityFeeLamports: 250_000n } as const
export const API_KEY = 'jupiter-key-81c2'
/** As providers have it: the key is part of the address. */
const RPC_PATH = '/v2/rpc-path-key-0f3e?api-key=rpc-query-key'
export const SECRETS = [API_KEY, 'rpc-path-key-0f3e', 'rpc-query-key']

export async function openSwapWorld({ jupiter, methods, timeoutMs = TIMEOUT_MS }: SwapWorldOptions = {}): Promise<SwapWorld> {
  const [dex, rpc] = [await startRawServer(jupiter), await startRawServer(methods && answerMethods(methods))]
  const clock = new VirtualClock(START_MS)
  const swapper = new JupiterV1({
    swapUrl: `${dex.url}/swap/v1/`,
    apiKey: API_KEY,
    rpcUrl: methods === undefined ? undefined : rpc.url + RPC_PATH,
    timeoutMs,
    clock,
  })
  return {
    jupiter: dex,
    rpc,
    clock,
    swapper,
    asked: () => rpc.calls.map(({ body }) => (JSON.parse(body) as { method: string }).method),
    async [Symbol.asyncDispose]() {
      await swapper.close()
      await dex[Symbol.asyncDispose]()
      await rpc[Symbol.asyncDispose]()
    },
  }
}
