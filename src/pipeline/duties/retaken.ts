import type { ServiceEvent } from '../../contract/events.ts'
import { idOf } from '../../contract/paths.ts'
import type { Contest } from '../../contract/records.ts'
import { itemsOf } from '../books/foldAnswer.ts'
import type { Bot } from '../bot.ts'
import type { InputOf } from '../input.ts'
import type { Reads } from '../reads.ts'

const isOpen = ({ status }: Contest): boolean => status === 'open' || status === 'live'

/**
 * Seats that were given back and may be this bot's again: a later ticket was matched into the same contest, or a person took the seat.
 * The stream tells of contests that the agent is in alone, but it may tell late of the seat that was given back: whether
 * there is another one stands in `agent.contests.mine`, read after what was heard.
 */
export class Retaken {
  readonly #bot: Bot
  readonly #reads: Reads
  /** By contest, when it was last heard of; what the journal holds was heard before any read. */
  readonly #heard = new Map<string, number>()

  constructor(bot: Bot, reads: Reads) {
    this.#bot = bot
    this.#reads = reads
  }

  onEvent({ type, data }: ServiceEvent, { recorded }: { readonly recorded: boolean }): void {
    if (type !== 'match.found' && type !== 'contest.joined' && type !== 'contest.live') return
    const { contestId } = data
    if (!this.#bot.ended.has(contestId)) return
    this.#heard.set(contestId, recorded ? Number.NEGATIVE_INFINITY : this.#bot.now)
    // At the start they are read as it is.
    if (!recorded) this.#reads.ask('seats', 'agent.contests.mine', null)
  }

  /** Before the books take the answer in: a seat that it shows is none that was given back. */
  onAnswer({ request, result, begunAt }: InputOf<'answer'>): void {
    if (this.#heard.size === 0 || request.procedure !== 'agent.contests.mine' || !result.ok) return
    const { ended, options, step } = this.#bot
    const listed = itemsOf(result.output as Contest[] | { items: Contest[] })
    const shown = new Set(listed.filter(isOpen).map((contest) => idOf(contest, 'contestId', options.paths)))
    for (const [contestId, at] of this.#heard) {
      if (begunAt < at) continue
      this.#heard.delete(contestId)
      if (!shown.has(contestId) || !ended.delete(contestId)) continue
      step.note('warn', 'the bot has a seat again that it had given back: it is played', { contestId })
    }
  }
}
