import { invariant } from '../core/error.ts'
import { type Action, isSwap, type SwapAction } from '../strategy/action.ts'
import { holdOf } from './hold.ts'
import { identityOf } from './identity.ts'
import { firstRefusal } from './rule.ts'
import { entryAndMoveRules } from './rules/index.ts'
import { quoteRules } from './rules/quotes/index.ts'
import { swapRules } from './rules/swaps/index.ts'
import type { SwapQuote } from './swapQuote.ts'
import { judge, type Proposed } from './transaction.ts'
import type { Approved, PaperSwap, PaperVerdict, QuoteVerdict, Sendable, SendSwap, TransactionVerdict, Verdict } from './verdict.ts'
import type { GuardView } from './view.ts'

/** Returns what it is given, so that a class derived from it marks that very object. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the object that is marked
    return object
  }
}

/**
 * The mark of an approval: on the object that was let out, and on no copy of it. It is a private field, so nobody outside this class can
 * set it, see it or take it off.
 */
class Approval extends Given {
  readonly #isGiven = true

  /** Marks an object, and closes it to changes. */
  static give(object: object): void {
    new Approval(object)
    Object.freeze(object)
  }

  static isGivenTo(object: object): boolean {
    return #isGiven in object
  }
}

/**
 * Decides whether an action is sent, and reserves what it may cost in the same step. A swap that passes may be quoted:
 * its quote and its transaction are judged in turn.
 *
 * @param key the intent's key: its reservation is placed or released under it
 */
export function check<A extends Action>(key: string, action: A, view: GuardView): Verdict<A> {
  // What was checked is what is sent: the rules see a copy that nobody else holds, and none of them writes to it.
  const candidate = copyOf(action)
  const refusal = refusalOf(candidate, view)
  if (refusal !== undefined) return { ok: false, refusal }
  const hold = holdOf(candidate, view)
  invariant(hold !== undefined, 'what could cost an unknown amount is refused by the rules', { key })
  view.reservations.reserve({ ...hold, key, identity: identityOf(candidate) })
  Approval.give(candidate)
  return { ok: true, action: candidate as Approved<A>, hold }
}

const refusalOf = (action: Action, view: GuardView) =>
  isSwap(action) ? firstRefusal(swapRules, action, view) : firstRefusal(entryAndMoveRules, action, view)

/** Judges what the DEX offers for a swap that was let out. */
export function checkQuote(action: Approved<SwapAction>, quote: SwapQuote, view: GuardView): QuoteVerdict {
  const refusal = firstRefusal(quoteRules, { action, quote }, view)
  return refusal === undefined ? { ok: true } : { ok: false, refusal }
}

/** A swap as `check` let it out, with the quote and the transaction that were made for it. */
export interface Proposal extends Proposed {
  readonly action: Approved<SwapAction>
}

/**
 * Decides whether a transaction goes to the service for signing: the quote once more, then the transaction itself and,
 * where there is one, its simulation. The only maker of an approved `SendSwap`.
 *
 * @param key the swap intent's key
 */
export function approveTransaction(key: string, proposal: Proposal, view: GuardView): TransactionVerdict {
  const { action } = proposal
  invariant(isApproved(action) && view.reservations.isPending(key), 'a transaction is of a swap that was let out', { key })
  const refusal = firstRefusal(quoteRules, proposal, view)
  if (refusal !== undefined) return { ok: false, refusal }
  const judged = judge({ ...proposal, transferFee: view.token(action.to)?.transferFee }, view.config)
  if (!judged.ok) return judged
  const order: SendSwap = {
    type: 'sendSwap',
    contestId: contestOf(action),
    transaction: judged.transaction,
  }
  Approval.give(order)
  return { ok: true, action: order as Approved<SendSwap>, facts: judged.facts }
}

/**
 * Decides whether a swap that is on paper, and not built, is executed: the quote once more, then the paper against
 * the quote. In a world without a chain there is nothing else to look at.
 *
 * @param key the swap intent's key
 */
export function approvePaperSwap(
  key: string,
  { action, quote }: { readonly action: Approved<SwapAction>; readonly quote: SwapQuote },
  view: GuardView,
): PaperVerdict {
  invariant(isApproved(action) && view.reservations.isPending(key), 'a paper swap is of one that was let out', { key })
  const refusal = firstRefusal(quoteRules, { action, quote }, view)
  if (refusal !== undefined) return { ok: false, refusal }
  const { from, to, inAmount: given, minOut } = quote
  const paper: PaperSwap = { type: 'paperSwap', contestId: contestOf(action), from, to, given, minOut }
  Approval.give(paper)
  return { ok: true, action: paper as Approved<PaperSwap> }
}

/** The contest a swap counts for; a sweep counts for none. */
const contestOf = (action: SwapAction): string | undefined => (action.type === 'swap' ? action.contestId : undefined)

/** A copy of an action; what is inside it cannot be changed. */
function copyOf<A extends Action>(action: A): A {
  const copy: A = { ...action }
  // A swap has nothing inside.
  if (isSwap(action)) return copy
  const fields = copy as Record<string, unknown>
  for (const key of Object.keys(fields)) if (typeof fields[key] === 'object') fields[key] = frozenCopy(fields[key])
  return copy
}

/** A copy of plain data that cannot be changed. */
function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) }
  for (const key of Object.keys(copy)) if (typeof copy[key] === 'object') copy[key] = frozenCopy(copy[key])
  return Object.freeze(copy) as T
}

/** Whether this very object came out of the functions above: the executor asks before it sends. */
export function isApproved<A extends Sendable>(action: A): action is Approved<A> {
  return Approval.isGivenTo(action)
}
