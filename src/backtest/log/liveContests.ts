import { type Mode, modeSchema, type Result } from '../../contract/enums.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Input } from '../../pipeline/index.ts'
import type { HeaderLine } from '../../recording/index.ts'

/** What a contest really came to for the bot that was recorded. */
export interface LiveContest {
  readonly contestId: string
  readonly mode: Mode
  readonly result: Result
  readonly profit: Usdc
  /** Unix milliseconds; null where the log does not say. */
  readonly startsAt: number | null
  /** Unix milliseconds at which the bot was told. */
  readonly toldAt: number
}

/** What the recorded bots' contests came to, as the service told each of them. */
export class LiveContests {
  readonly #byBot = new Map<string, LiveContest[]>()
  readonly #startsAt = new Map<string, number>()
  readonly #seen = new Set<string>()
  #bot = ''

  onHeader({ bot }: Pick<HeaderLine, 'bot'>): void {
    this.#bot = bot
  }

  onInput(input: Input): void {
    if (input.type !== 'event' || !input.read.ok) return
    const { event } = input.read
    if (event.type === 'contest.live') this.#startsAt.set(event.data.contestId, event.data.startsAt)
    if (event.type !== 'contest.settled') return
    const { contestId, result, profit } = event.data
    const mode = modeSchema.safeParse(event.data.mode)
    const key = `${this.#bot} ${contestId}`
    // A recording may be named twice, and a restart tells again what it was told.
    if (!mode.success || this.#seen.has(key)) return
    this.#seen.add(key)
    const own = this.#byBot.get(this.#bot) ?? []
    this.#byBot.set(this.#bot, own)
    own.push({ contestId, mode: mode.data, result, profit, startsAt: this.#startsAt.get(contestId) ?? null, toldAt: input.at })
  }

  /** By bot, in the order in which it was told. */
  all(): ReadonlyMap<string, readonly LiveContest[]> {
    return this.#byBot
  }
}
