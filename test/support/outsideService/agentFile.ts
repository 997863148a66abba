/** A player of the service: an agent with a key, or one of the house. `userId` is who it is in contests; the events and webhooks go to `agentId`. */
export interface Player {
  readonly agentId: string
  readonly userId: string
  readonly handle: string
  readonly kind: 'AGENT' | 'HUMAN'
  readonly isHouse: boolean
}

export type Result = 'WIN' | 'LOSS' | 'DRAW' | 'REFUND'
export type Versus = 'AGENT' | 'HUMAN' | 'MIXED'
export type MoveType = 'side' | 'commit' | 'reveal' | 'pick' | 'swap'

/** A move that the service accepted. */
export interface Move {
  readonly at: number
  readonly contestId: string
  readonly mode: string
  readonly type: MoveType
}

/** How a settled contest ended for the agent. */
export interface Outcome {
  readonly at: number
  readonly contestId: string
  readonly mode: string
  readonly versus: Versus
  readonly result: Result
  readonly stake: bigint
  readonly payout: bigint
  /** The move without which nobody can win: a reveal, a pick, a swap that landed; null where there is none. */
  readonly needs: MoveType | null
  readonly moves: readonly MoveType[]
}

const DAY_MS = 86_400_000

/** What the service keeps of a player. */
export class AgentFile {
  readonly player: Player
  readonly maxStake: bigint
  readonly dailyLossCap: bigint
  readonly moves: Move[] = []
  readonly outcomes: Outcome[] = []
  inPlay = 0n
  points = 1000
  #lost = { day: 0, amount: 0n }

  constructor(player: Player, caps: { maxStake: bigint; dailyLossCap: bigint }) {
    this.player = player
    this.maxStake = caps.maxStake
    this.dailyLossCap = caps.dailyLossCap
  }

  note(move: Move): void {
    this.moves.push(move)
  }

  close(outcome: Outcome): void {
    this.outcomes.push(outcome)
    const loss = outcome.stake - outcome.payout
    if (loss > 0n) this.#lost = { day: dayOf(outcome.at), amount: this.lostOn(outcome.at) + loss }
  }

  /** Of the UTC day; what was won is not set against it. */
  lostOn(atMs: number): bigint {
    return this.#lost.day === dayOf(atMs) ? this.#lost.amount : 0n
  }

  remaining(atMs: number): bigint {
    const left = this.dailyLossCap - this.lostOn(atMs) - this.inPlay
    return left > 0n ? left : 0n
  }

  /** Settled contests that asked for a move and got none of that kind from this agent. */
  withoutMove(): Outcome[] {
    return this.outcomes.filter(({ needs, moves }) => needs !== null && !moves.includes(needs))
  }
}

const dayOf = (atMs: number) => Math.floor(atMs / DAY_MS)
export const nextDayAt = (atMs: number) => (dayOf(atMs) + 1) * DAY_MS
