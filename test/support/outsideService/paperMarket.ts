import type { Fill, Market, Submission } from './market.ts'
import { Refusal } from './refusal.ts'

/** A market in memory for tests: prices stand until they are set, and a transaction is the base64 of what it does. */
export interface PaperMarket extends Market {
  set(mint: string, price: number): void
}

const MINTS = Array.from({ length: 12 }, (_, index) => `Paper${String.fromCharCode(65 + index).repeat(38)}`)

/** What `signAndSend` takes on it. */
export const paperTransaction = (fill: Fill): string => Buffer.from(JSON.stringify(fill)).toString('base64')

export function paperMarket(): PaperMarket {
  const prices = new Map(MINTS.map((mint, index) => [mint, 10 * (index + 1)]))
  const fills = new Map<string, Fill>()
  return {
    mints: MINTS,
    price: (mint) => prices.get(mint),
    set: (mint, price) => prices.set(mint, price),
    async signAndSend(_agentId, transaction): Promise<Submission> {
      const text = Buffer.from(transaction, 'base64').toString()
      if (!text.startsWith('{')) throw new Refusal('SWAP_REFUSED', 'that is no transaction')
      const signature = `paper${fills.size + 1}`
      fills.set(signature, JSON.parse(text) as Fill)
      return { signature, status: 'submitted', programs: [] }
    },
    status: async (_agentId, signature) => (fills.has(signature) ? { signature, status: 'confirmed' } : undefined),
    fill: async (_agentId, signature) => fills.get(signature),
    wallet: (agentId) => `wallet of ${agentId}`,
    funds: async () => ({ usdc: 1_000_000_000n, lamports: 1_000_000_000n }),
    close() {},
  }
}
