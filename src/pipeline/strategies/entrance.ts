import { type Action, type ActionOf, isMove, isSwap } from '../../strategy/action.ts'
import type { Intents } from '../actions/intents.ts'
import { joinableOf } from '../books/views.ts'
import type { Proposal } from '../flow/proposal.ts'
import { isSided } from '../guardView.ts'
import type { Plays } from '../playable/plays.ts'
import type { Present } from '../state/present.ts'
import type { Swaps } from '../swaps/swaps.ts'
import type { Calls } from './calls.ts'
import type { Moves } from './moves.ts'

interface EntranceOptions {
  readonly present: Present
  readonly calls: Calls
  readonly intents: Intents
  readonly moves: Moves
  readonly plays: Plays
  readonly swaps: Swaps
}

/** The one way from what strategies want to the guard. */
export class Entrance {
  readonly #options: EntranceOptions

  constructor(options: EntranceOptions) {
    this.#options = options
  }

  /** Puts what is proposed before the guard, in its order. */
  enter({ by, actions }: Proposal): void {
    for (const action of actions) this.#enter(action, by)
  }

  #enter(action: Action, by: string): void {
    const { intents, plays, swaps } = this.#options
    if (isMove(action)) plays.answered(action.contestId, true)
    if (action.type === 'joinContest') this.#join(action, by)
    else if (isSwap(action)) swaps.submit(action, by)
    else intents.submit(action, by)
  }

  /** Joins the first of the contests named in which the side is free, after asking for the side where one is needed. */
  #join(action: ActionOf<'joinContest'>, by: string): void {
    const { present, calls, intents, moves } = this.#options
    const listed = joinableOf(present.books, action.contestId)
    if (action.side === undefined && listed !== undefined && isSided(listed.mode)) {
      const strategy = moves.predictorFor(listed.mode)
      if (strategy !== undefined) {
        const { contestId } = action
        for (const proposal of calls.call({ kind: 'predict', strategy, contestId, join: action })) this.enter(proposal)
        return
      }
    }
    const { orElse = [], ...first } = action
    const candidates = [first, ...orElse.map((contestId) => ({ ...first, contestId }))]
    const free = candidates.find(({ contestId, side }) => this.#isFree(contestId, side))
    intents.submit(free ?? first, by)
  }

  #isFree(contestId: string, side: string | undefined): boolean {
    const listed = joinableOf(this.#options.present.books, contestId)
    return listed !== undefined && (side === undefined || !listed.sidesTaken.includes(side))
  }
}
