/** What a swap did to the wallet: whole tokens by mint, below zero what went out. */
export type Fill = Readonly<Record<string, number>>

export interface Submission {
  readonly signature: string
  readonly status: 'confirmed' | 'submitted'
  readonly programs: readonly string[]
}

/** Prices, the chain and the signer: what the service has from elsewhere. */
export interface Market {
  /** Tokens that contests may be about. */
  readonly mints: readonly string[]
  /** In USD, at this moment. */
  price(mint: string): number | undefined
  /** @throws Refusal where it is not sent */
  signAndSend(agentId: string, transaction: string): Promise<Submission>
  /** As the chain tells it; undefined of what it never saw. */
  status(agentId: string, signature: string): Promise<Readonly<Record<string, unknown>> | undefined>
  /** Undefined while it has not landed, null once it failed. */
  fill(agentId: string, signature: string): Promise<Fill | null | undefined>
  wallet(agentId: string): string
  /** Micro-USDC that the wallet has on the chain, and lamports. */
  funds(agentId: string): Promise<{ readonly usdc: bigint; readonly lamports: bigint }>
  close(): void
}
