import { Agent, fetch } from 'undici'
import { z } from 'zod'
import { TOKENS, USDC_MINT } from '../../../src/core/tokens.ts'
import type { Fill, Market } from './market.ts'
import { Refusal } from './refusal.ts'

/** A sandbox in a process of its own, as the line says that it printed. */
export interface SandboxAddress {
  readonly url: string
  readonly agents: readonly { readonly name: string; readonly agentId: string; readonly key: string; readonly wallet: string }[]
}

const PRICES_EVERY_MS = 500
const TIMEOUT_MS = 10_000

const pricesSchema = z.record(z.string(), z.object({ usdPrice: z.number() }))
const submissionSchema = z.looseObject({
  signature: z.string(),
  status: z.enum(['confirmed', 'submitted']),
  programs: z.array(z.string()).default([]),
})
const answerSchema = z.object({
  result: z.object({ data: z.object({ json: z.unknown() }) }).optional(),
  error: z.object({ json: z.object({ message: z.string(), data: z.object({ appCode: z.string(), details: z.unknown() }) }) }).optional(),
})
const balanceSchema = z.object({ mint: z.string(), owner: z.string().optional(), uiTokenAmount: z.object({ uiAmountString: z.string() }) })
const transactionSchema = z.object({
  result: z
    .object({
      meta: z.object({
        err: z.unknown(),
        preTokenBalances: z.array(balanceSchema).nullish(),
        postTokenBalances: z.array(balanceSchema).nullish(),
        preBalances: z.array(z.number()).optional(),
        postBalances: z.array(z.number()).optional(),
      }),
    })
    .nullable(),
})

/** Prices, wallets and the chain of a sandbox, by HTTP alone. It is closed by the service that uses it. */
export async function openSandboxMarket(sandbox: SandboxAddress): Promise<Market> {
  const dispatcher = new Agent({ connections: 16 })
  const mints = TOKENS.map(({ mint }) => mint).filter((mint) => mint !== USDC_MINT)
  let prices: Readonly<Record<string, { readonly usdPrice: number }>> = {}
  const ownerOf = (agentId: string) => {
    const agent = sandbox.agents.find((candidate) => candidate.agentId === agentId)
    if (agent === undefined) throw new Refusal('NO_WALLET', 'that agent has no wallet')
    return agent
  }

  async function json(path: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}): Promise<unknown> {
    const response = await fetch(`${sandbox.url}/${path}`, { ...init, dispatcher, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return response.json()
  }

  /** A procedure of the sandbox itself; what it refuses is refused here, with its reason in the details. */
  async function call(agentId: string, procedure: string, input: unknown, isAction: boolean): Promise<unknown> {
    const body = JSON.stringify({ json: input })
    const headers = { 'x-agent-key': ownerOf(agentId).key, 'content-type': 'application/json' }
    const asked = isAction
      ? json(procedure, { method: 'POST', headers, body })
      : json(`${procedure}?input=${encodeURIComponent(body)}`, { headers })
    const { result, error } = answerSchema.parse(await asked)
    if (error === undefined) return result?.data.json
    const { message, data } = error.json
    throw new Refusal('SWAP_REFUSED', message, { because: data.appCode, details: data.details })
  }

  const rpc = (method: string, params: readonly unknown[]) =>
    json('rpc', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })

  async function readPrices(): Promise<void> {
    prices = pricesSchema.parse(await json(`jup/price/v3?ids=${mints.join(',')}`))
  }
  await readPrices()
  // An answer that does not come leaves the prices of before.
  const polling = setInterval(() => void readPrices().catch(() => {}), PRICES_EVERY_MS)

  return {
    mints,
    price: (mint) => prices[mint]?.usdPrice,
    signAndSend: async (agentId, transaction) =>
      submissionSchema.parse(await call(agentId, 'agent.trade.signAndSend', { transaction }, true)),
    async status(agentId, signature) {
      try {
        return z.record(z.string(), z.unknown()).parse(await call(agentId, 'agent.tx.status', { signature }, false))
      } catch (error) {
        if (error instanceof Refusal) return undefined
        throw error
      }
    },
    async fill(agentId, signature) {
      const { result } = transactionSchema.parse(
        await rpc('getTransaction', [signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }]),
      )
      if (result === null) return undefined
      return result.meta.err === null ? fillOf(result.meta, ownerOf(agentId).wallet) : null
    },
    wallet: (agentId) => ownerOf(agentId).wallet,
    async funds(agentId) {
      const { wallet, gasLamports } = fundsSchema.parse(await call(agentId, 'agent.bankroll', null, false))
      return { usdc: BigInt(wallet), lamports: BigInt(gasLamports) }
    },
    close() {
      clearInterval(polling)
      void dispatcher.destroy()
    },
  }
}

const fundsSchema = z.looseObject({ wallet: z.string(), gasLamports: z.string() })

type Meta = NonNullable<z.output<typeof transactionSchema>['result']>['meta']

/** What the accounts of the wallet have more or less after it. SOL that was unwrapped is seen in the payer's own balance, fee included. */
function fillOf({ preTokenBalances, postTokenBalances, preBalances, postBalances }: Meta, wallet: string): Fill {
  const fill: Record<string, number> = {}
  const add = (mint: string, amount: number) => {
    fill[mint] = (fill[mint] ?? 0) + amount
  }
  for (const { mint, uiTokenAmount } of (preTokenBalances ?? []).filter(({ owner }) => owner === wallet))
    add(mint, -Number(uiTokenAmount.uiAmountString))
  for (const { mint, uiTokenAmount } of (postTokenBalances ?? []).filter(({ owner }) => owner === wallet))
    add(mint, Number(uiTokenAmount.uiAmountString))
  const lamports = (postBalances?.[0] ?? 0) - (preBalances?.[0] ?? 0)
  const moved = Object.fromEntries(Object.entries(fill).filter(([, amount]) => amount !== 0))
  // One side alone is seen in token accounts: the other is SOL itself, a little less for the fee and the rent.
  return Object.keys(moved).length === 1 && moved[SOL] === undefined ? { ...moved, [SOL]: lamports / 1e9 } : moved
}

const SOL = TOKENS.find(({ symbol }) => symbol === 'SOL')?.mint ?? ''
