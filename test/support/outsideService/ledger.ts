/** Accounts of micro-USDC. Money comes in by `issue` alone, and nothing but `move` changes where it is. */
export class Ledger {
  readonly #accounts = new Map<string, bigint>()
  #issued = 0n

  issue(account: string, amount: bigint): void {
    this.#issued += amount
    this.#accounts.set(account, this.of(account) + amount)
  }

  of(account: string): bigint {
    return this.#accounts.get(account) ?? 0n
  }

  /** @throws RangeError of what is not there: callers ask first. */
  move(from: string, to: string, amount: bigint): void {
    const left = this.of(from) - amount
    if (amount < 0n || left < 0n) throw new RangeError(`${from} has ${this.of(from)} and cannot give ${amount} to ${to}`)
    this.#accounts.set(from, left)
    this.#accounts.set(to, this.of(to) + amount)
  }

  /** All of it. Returns how much that was. */
  empty(from: string, to: string): bigint {
    const amount = this.of(from)
    this.move(from, to, amount)
    return amount
  }

  /** What was issued, and what all accounts of a kind (`wallet`, `ticket`, `pot`, `rake`) hold. */
  sums(): { readonly issued: bigint; readonly byKind: Readonly<Record<string, bigint>> } {
    const byKind: Record<string, bigint> = {}
    for (const [account, amount] of this.#accounts) {
      const [kind = ''] = account.split(':')
      byKind[kind] = (byKind[kind] ?? 0n) + amount
    }
    return { issued: this.#issued, byKind }
  }

  /** Accounts of that kind with money in them, by what stands after the colon. */
  filled(kind: string): string[] {
    return [...this.#accounts].flatMap(([account, amount]) =>
      account.startsWith(`${kind}:`) && amount > 0n ? [account.slice(kind.length + 1)] : [],
    )
  }
}

export const walletOf = (agentId: string) => `wallet:${agentId}`
export const ticketAccount = (ref: string) => `ticket:${ref}`
export const potOf = (uid: string) => `pot:${uid}`
export const RAKE = 'rake:service'
