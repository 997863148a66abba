import { type Action, type ActionOf, isMove, isSwap } from '../../strategy/action.ts'
import { joinableOf } from '../books/views.ts'
import type { Proposal } from '../flow/proposal.ts'
import { isSided } from '../guardView.ts'
import type { Present } from '../state/present.ts'
import type { Calls } from './calls.ts'
import type { Moves } from './moves.ts'

interface EntranceOptions {
  readonly present: Present
  readonly calls: Calls
  readonly moves: Moves
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
    const { tell } = this.#options.present
    if (isMove(action)) tell({ type: 'moveAnswered', contestId: action.contestId, isMove: true })
    if (action.type === 'joinContest') this.#join(action, by)
    else if (isSwap(action)) tell({ type: 'swapWished', action, by, how: 'queued' })
    else tell({ type: 'wished', action, by })
  }

  /** Joins the first of the contests named in which the side is free, after asking for the side where one is needed. */
  #join(action: ActionOf<'joinContest'>, by: string): void {
    const { present, calls, moves } = this.#options
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
    present.tell({ type: 'wished', action: free ?? first, by })
  }

  #isFree(contestId: string, side: string | undefined): boolean {
    const listed = joinableOf(this.#options.present.books, contestId)
    return listed !== undefined && (side === undefined || !listed.sidesTaken.includes(side))
  }
}
