import { backoffMs } from '../../core/backoff.ts'
import { afterTransferFee } from '../../core/tokenFacts.ts'
import { approvePaperSwap, approveTransaction, checkQuote, type PaperVerdict, type TransactionVerdict } from '../../guard/index.ts'
import { failureIn } from '../playable/pathWatch.ts'
import type { PathFailure } from '../playable/swapPath.ts'
import type { SwapRecord } from '../protocol/input.ts'
import type { SwapTrouble } from '../protocol/swapper.ts'
import type { Move } from '../state/lifecycle.ts'
import type { Building, HappeningOf, Quoted, Quoting, SwapEffect, SwapSeen, SwapState, Waiting } from './swapState.ts'

// A swap before it is sent: guard ─► quote ─► guard ─► build ─► inspection ─► sent. Without a chain it is sent as it was quoted.

/** A slot, and a little: the next blockhash is there by then. */
const NEWER_BLOCKHASH_MS = 500
/** A DEX or an RPC that was asked too often is no reason to give a swap up before that. */
const PATIENCE_MS = 30_000
/** It is asked again after so long, and after twice as long each time. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 8000
/** Sent twice, one transaction is executed once, and answered twice as if each had been. */
const SPENT = 'an equal swap was sent under the same blockhash, and no newer one came while the quote held'
/** Why a swap came to nothing that nobody could have looked up, had its answer been lost. */
export const NO_FIGURES = 'the figures of the wallet are not fresh, and there is no RPC to look it up with'
const NO_WALLET = 'agent.bankroll does not say the address of the wallet'

export type SwapMove = Move<SwapState, SwapEffect>
type Preparing = Quoting | Building | Waiting
type Approval = Pick<Preparing, 'swap' | 'approved' | 'heldBack'>

/** Asks for a quote: at first, and after a pause where the one before could not be built in its time. */
export function quote({ swap, approved, heldBack }: Approval, { policy, wallet, owesSwap }: SwapSeen): SwapMove {
  const { from, to, amount, maxSlippageBps: slippageBps = policy.maxSlippageBps } = approved
  const urgency = owesSwap(approved.contestId) ? ({ isUrgent: true } as const) : {}
  const request = { from, to, amount, slippageBps, ...(wallet === undefined ? {} : { wallet }), ...urgency }
  return {
    state: { is: 'quoting', swap, approved, heldBack },
    effects: [{ type: 'swapRequest', swapRequest: { kind: 'quote', key: swap.key, request } }],
  }
}

export function onQuoted(state: Quoting, { result }: HappeningOf<'quoted'>, seen: SwapSeen): SwapMove {
  const { swap, approved } = state
  if (!result.ok)
    return result.isHeldBack === true
      ? quoteLater(state, 'no quote', result, seen)
      : unfilled(`no quote: ${result.reason}`, failureIn(result))
  const { quote, raw } = result
  if (raw === undefined) {
    const verdict = approvePaperSwap(swap.key, { action: approved, quote }, seen.guard(swap.by))
    return send(state, { quoted: { quote, raw }, verdict, lastValidBlockHeight: 0 }, seen)
  }
  const verdict = checkQuote(approved, quote, seen.guard(swap.by))
  return verdict.ok ? build(state, { quote, raw }, seen) : over({ type: 'refused', refusal: verdict.refusal })
}

export function onBuilt(state: Building, { result }: HappeningOf<'built'>, seen: SwapSeen): SwapMove {
  const { swap, approved: action, quoted } = state
  if (!result.ok) {
    if (result.isSpent === true) return buildLater(state, { quoted, orElse: SPENT }, seen)
    if (result.isHeldBack === true) return quoteLater(state, 'no transaction', result, seen)
    if (result.refusal !== undefined) return over({ type: 'refused', refusal: result.refusal })
    return unfilled(`no transaction: ${result.reason}`, result.isOfMarket === true ? undefined : failureIn(result))
  }
  const { wallet } = seen
  if (wallet === undefined) return unfilled(NO_WALLET)
  const { built } = result
  const verdict = approveTransaction(swap.key, { action, quote: quoted.quote, built, wallet }, seen.guard(swap.by))
  return send(state, { quoted, verdict, lastValidBlockHeight: built.lastValidBlockHeight }, seen)
}

/** Builds it anew; not yet, where it could not be sent either. What is quoted anew is built later. */
export function buildAgain(state: Waiting, _: HappeningOf<'due'>, seen: SwapSeen): SwapMove {
  const { quoted } = state
  if (quoted === undefined) return quote(state, seen)
  return isMissed(seen.promptFigures(), seen) ? waitForFigures(state, quoted, seen) : build(state, quoted, seen)
}

function build({ swap, approved, heldBack }: Approval, quoted: Quoted, { policy, wallet }: SwapSeen): SwapMove {
  if (wallet === undefined) return unfilled(NO_WALLET)
  const { quote, raw } = quoted
  const by = quote.askedAt + policy.maxQuoteAgeMs
  const effects: readonly SwapEffect[] = [{ type: 'swapRequest', swapRequest: { kind: 'build', key: swap.key, raw, wallet, by } }]
  return { state: { is: 'building', swap, approved, heldBack, quoted }, effects }
}

/** True where nobody could say afterwards what became of a swap whose answer is lost: there is no RPC, and no figures are known from before it. */
const isMissed = (before: SwapRecord['before'], { hasChain }: SwapSeen): boolean => before === undefined && !hasChain

function waitForFigures(state: Approval, quoted: Quoted, seen: SwapSeen): SwapMove {
  const { state: next, effects } = buildLater(state, { quoted, orElse: NO_FIGURES }, seen)
  return { state: next, effects: [...(seen.figuresAreRead ? [{ type: 'readFigures' } as const] : []), ...effects] }
}

/** Every request that is made once more has a pause before it, and a last time. */
function quoteLater({ swap, approved, heldBack }: Approval, what: string, trouble: SwapTrouble, { now }: SwapSeen): SwapMove {
  const failure = failureIn(trouble)
  const buildAt = now + backoffMs(heldBack, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
  if (buildAt > swap.at + PATIENCE_MS) return unfilled(`${what}: ${trouble.reason}`, failure)
  const state: Waiting = { is: 'waiting', swap, approved, heldBack: heldBack + 1, quoted: undefined, buildAt }
  return { state, effects: [{ type: 'heldBack', failure }] }
}

function buildLater(
  { swap, approved, heldBack }: Approval,
  { quoted, orElse }: { quoted: Quoted; orElse: string },
  seen: SwapSeen,
): SwapMove {
  const buildAt = seen.now + NEWER_BLOCKHASH_MS
  if (buildAt > quoted.quote.askedAt + seen.policy.maxQuoteAgeMs) return unfilled(orElse)
  return { state: { is: 'waiting', swap, approved, heldBack, quoted, buildAt }, effects: [] }
}

interface ToSend {
  readonly quoted: Quoted
  readonly verdict: TransactionVerdict | PaperVerdict
  readonly lastValidBlockHeight: number
}

/** Orders what the guard has let out in the end. */
function send(state: Approval, { quoted, verdict, lastValidBlockHeight }: ToSend, seen: SwapSeen): SwapMove {
  const { wallet } = seen
  if (!verdict.ok) return over({ type: 'refused', refusal: verdict.refusal })
  if (wallet === undefined) return unfilled(NO_WALLET)
  const { action } = verdict
  const transaction = action.type === 'sendSwap' ? action.transaction : undefined
  // The answer to a paper swap says what became of it: nobody has to look at the figures from before.
  const before = transaction === undefined ? undefined : seen.promptFigures()
  if (transaction !== undefined && isMissed(before, seen)) return waitForFigures(state, quoted, seen)
  if (transaction !== undefined && seen.wasSent(transaction)) return buildLater(state, { quoted, orElse: SPENT }, seen)
  const { swap } = state
  const { inAmount: given, outAmount, minOut, to } = quoted.quote
  const transferFee = seen.token(to)?.transferFee
  const record: SwapRecord = {
    key: swap.key,
    wallet,
    given,
    quotedOut: afterTransferFee(outAmount, transferFee),
    minOut: afterTransferFee(minOut, transferFee),
    transaction: transaction ?? '',
    lastValidBlockHeight,
    sentAt: seen.now,
    signature: undefined,
    before,
  }
  return { state: { is: 'sending', swap, record }, effects: [{ type: 'send', record, action }] }
}

const over = (effect: SwapEffect): SwapMove => ({ state: undefined, effects: [effect] })
const unfilled = (reason: string, failure?: PathFailure): SwapMove => over({ type: 'ended', status: 'unfilled', reason, failure })
