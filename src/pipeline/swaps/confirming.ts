import { isOfAsker, isUnsigned, meaningOf } from '../../contract/refusals.ts'
import { unreachable } from '../../core/error.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Bankroll } from '../money/foldFigures.ts'
import type { Hindrance } from '../playable/hindrance.ts'
import type { PathFailure } from '../playable/swapPath.ts'
import type { SwapRecord } from '../protocol/input.ts'
import type { Landing } from '../protocol/swapper.ts'
import { after, sooner } from '../state/lifecycle.ts'
import { byBalances } from './byBalances.ts'
import { fillByQuote, fillOnChain } from './fillOf.ts'
import type { SwapMove } from './preparing.ts'
import { statusOf, type TransactionStatus } from './statusOf.ts'
import type { Confirming, HappeningOf, LandedBetween, Sending, Swap, SwapEffect, SwapSeen } from './swapState.ts'

// A swap that was sent, or may have been. The chain is asked what became of it, by signature or by the bytes of the message, and beside it the
// service, where the signature is known and the chain has had no word for a while. Without an RPC the service is asked alone, and then the
// wallet's own figures, once the transaction can no longer land. No look at the chain waits for the service, whose reads have a limit.

const LOOK_EVERY_MS = 700
/** While a chain that answers is asked alone: another contest may wait for the wallet. */
const CHAIN_EVERY_MS = 350
/** A chain that answers is asked alone for so long: by then most swaps have landed. */
const CHAIN_ALONE_MS = 3000
/** After figures that were too old to be compared. */
const COMPARE_AGAIN_MS = 2000
/**
 * Figures that say what became of a swap count once others, asked for so many time-outs later, say the same: by then a poll of the stream
 * that hangs was given up, with all its tries, and the stream is behind.
 */
const CONFIRM_TIMEOUTS = 5
/** Without an RPC: when a transaction that was sent can no longer land. 150 slots are about a minute; slow ones, two. */
const EXPIRY_MS = 120_000
/** With one: a transaction that is neither executed nor expired by then is one that the RPC has no sound word of. */
const PENDING_MS = 3 * EXPIRY_MS
/** How long a confirmed swap waits for the chain to say what it came to, before the quote has to do. */
const CHAIN_PATIENCE_MS = 30_000
/** Between lines of the log about a swap of which nobody can say what became. */
const SAY_EVERY_MS = 60_000

export const confirming = (swap: Swap, record: SwapRecord): Confirming => ({
  is: 'confirming',
  swap,
  record,
  isLost: false,
  refused: undefined,
  confirmedAt: undefined,
  isConfirmedAgain: false,
  balancesSaid: undefined,
  saidAt: undefined,
  pendingAt: undefined,
  unlandedAt: undefined,
  isAtChain: false,
  lookAt: undefined,
  compareAt: undefined,
})

/** The answer of the service to a swap, or its loss. */
export function onOutcome({ swap, record }: Sending, { outcome }: HappeningOf<'answered'>, seen: SwapSeen): SwapMove {
  const state = confirming(swap, record)
  switch (outcome.status) {
    case 'accepted': {
      const { signature, status } = (outcome.output ?? {}) as { signature?: unknown; status?: unknown }
      if (typeof signature !== 'string') return lose(state, 'the answer has no signature', seen)
      const signed = { ...record, signature }
      const told: readonly SwapEffect[] = [
        { type: 'signed', signature },
        { type: 'record', record: signed },
      ]
      return after(told, onWord({ ...state, record: signed }, statusOf({ status }), seen))
    }
    case 'rejected': {
      const { refusal } = outcome
      const reason = `${refusal.code}: ${refusal.message}`
      const told = isOfAsker(refusal) ? [hindered(`refused:${refusal.code}`, refusal.message)] : []
      if (meaningOf(refusal, 'swap') === 'marketMoved') return after(told, ended('reverted', reason))
      if (isUnsigned(refusal)) return after(told, ended('rejected', reason, isOfAsker(refusal) ? undefined : unsent(reason)))
      return after(told, lose({ ...state, refused: reason }, reason, seen))
    }
    case 'notSent':
      // It was not asked: no word on whether it sends swaps.
      return after([hindered('refused:NOT_SENT', outcome.reason)], ended('unfilled', outcome.reason))
    case 'unknown':
      return lose(state, outcome.reason, seen)
    default:
      return unreachable(outcome)
  }
}

/** It is time to ask again. */
export function onDue(state: Confirming, { task }: HappeningOf<'due'>, seen: SwapSeen): SwapMove {
  return task === 'swap' ? look({ ...state, lookAt: undefined }, seen) : compare({ ...state, compareAt: undefined }, seen)
}

/** A read comes to nothing: it is due again, no later than it was planned. */
export function onUnread(state: Confirming, { task, at }: HappeningOf<'unread'>): SwapMove {
  return stay(task === 'swap' ? { ...state, lookAt: sooner(state.lookAt, at) } : { ...state, compareAt: sooner(state.compareAt, at) })
}

/** Asks what became of it: the service, the chain, or the balances. */
function look(state: Confirming, seen: SwapSeen): SwapMove {
  const { record, confirmedAt } = state
  const { signature, sentAt } = record
  const asksService = signature !== undefined && confirmedAt === undefined && !isChainAlone(state, seen)
  const asked: readonly SwapEffect[] = asksService ? [{ type: 'readStatus', signature }] : []
  if (seen.hasChain) return after(asked, askChain(state))
  return stay(asksService ? state : compareLater(state, sentAt + EXPIRY_MS, seen), ...asked)
}

const isChainAlone = ({ record, pendingAt }: Confirming, { now }: SwapSeen): boolean =>
  pendingAt !== undefined && now < record.sentAt + CHAIN_ALONE_MS

function compare(state: Confirming, seen: SwapSeen): SwapMove {
  if (seen.caughtUp) return stay(state, { type: 'readBalances' })
  // The figures may have what the stream has not told of.
  const said = sayUnclear(state, 'the event stream cannot be read, so that the balances do not say', seen)
  return { ...said, state: compareLater(said.state, seen.now + COMPARE_AGAIN_MS, seen) }
}

export function onStatus(state: Confirming, { status }: HappeningOf<'status'>, seen: SwapSeen): SwapMove {
  return state.confirmedAt === undefined ? onWord(state, status, seen) : onSecondWord(state, status, seen)
}

function onWord(state: Confirming, status: TransactionStatus, seen: SwapSeen): SwapMove {
  const { now, hasChain } = seen
  const told = status === 'confirmed' ? { ...state, confirmedAt: now } : state
  // The chain says what exactly it came to, and whether one that is still missing can come at all.
  if (hasChain) return askChain(told)
  if (status === 'confirmed') return fillAsQuoted(told, seen)
  if (status === 'failed') return reverted(state.record, 'the service says that it failed')
  if (now < state.record.sentAt + EXPIRY_MS) return stay(lookLater(told, seen))
  // It can no longer land, and the service has not said in words known here whether it did.
  const said = sayUnclear({ ...told, isLost: true }, 'the service says neither that it was executed nor that it failed', seen)
  return { ...said, state: compareLater(said.state, now, seen) }
}

/** The service is asked once more about a swap that it had called confirmed. */
function onSecondWord(state: Confirming, status: TransactionStatus, seen: SwapSeen): SwapMove {
  if (status === 'failed')
    return reverted(state.record, 'the service says that it failed, after it had called it confirmed, and the chain does not show it')
  if (status === 'confirmed') return askChain({ ...state, isConfirmedAgain: true })
  const why = 'the chain does not show what the service had called confirmed, and the service does not say it again'
  const said = sayUnclear(state, why, seen)
  return { ...said, state: lookLater(compareLater(said.state, state.record.sentAt + EXPIRY_MS, seen), seen) }
}

export function onBalances(state: Confirming, { begunAt }: HappeningOf<'balances'>, seen: SwapSeen): SwapMove {
  const { swap, record } = state
  const { hasChain, now, timeoutMs } = seen
  const expiredAt = record.sentAt + EXPIRY_MS
  const figures = seen.caughtUp ? seen.figures() : undefined
  if (begunAt < expiredAt || figures === undefined) {
    const said = begunAt < expiredAt ? told(state) : sayUnclear(state, 'the balances cannot be read as they are now', seen)
    return { ...said, state: compareLater(said.state, Math.max(now + COMPARE_AGAIN_MS, expiredAt), seen) }
  }
  const verdict = byBalances({ action: swap.action, record, after: figures, unsure: seen.unsure(record) })
  const balancesSaid = state.balancesSaid?.verdict === verdict ? state.balancesSaid : { verdict, since: begunAt }
  const next = { ...state, balancesSaid }
  const countsFrom = balancesSaid.since + CONFIRM_TIMEOUTS * timeoutMs
  // The stream may yet tell of a contest that these have already.
  if (verdict !== 'undecided' && begunAt < countsFrom) return stay(compareLater(next, countsFrom, seen))
  if (verdict === 'landed') return fillAsQuoted(next, seen)
  if (verdict === 'notLanded') return ended('expired', 'the balances do not show it')
  const why = hasChain ? 'the balances do not say either' : 'the balances do not say; the chain would, with an rpcUrl in the config'
  const said = sayUnclear(next, why, seen)
  const looked = hasChain || record.signature !== undefined ? lookLater(said.state, seen) : said.state
  return { ...said, state: compareLater(looked, now + SAY_EVERY_MS, seen) }
}

/** The answer to a swap that was carried out where there is no chain. */
export const onPaperFill = (state: Sending, { result }: HappeningOf<'landing'>, seen: SwapSeen): SwapMove =>
  isOnChain(result) ? onChain(state, result, seen) : { state, effects: [] }

export function onLanding(before: Confirming, { result }: HappeningOf<'landing'>, seen: SwapSeen): SwapMove {
  const open = { ...before, isAtChain: false }
  const { record } = open
  const { now } = seen
  if (isOnChain(result)) return onChain(open, result, seen)
  switch (result.status) {
    case 'expired':
      // One node that does not have it does not outweigh the service, which says that it was executed.
      if (open.confirmedAt !== undefined) return waitForChain(open, seen)
      return ended('expired', 'its blockhash expired before it landed', open.refused === undefined ? undefined : unsent(open.refused))
    case 'unavailable': {
      const said = sayUnclear(open, `the chain cannot be asked (${result.reason})`, seen)
      const compared = now < record.sentAt + EXPIRY_MS ? said.state : compareLater(said.state, now, seen)
      return after(said.effects, waitForChain(compared, seen))
    }
    case 'pending': {
      // This look was begun after the answer to the one before.
      const pending = { ...open, pendingAt: now, unlandedAt: open.pendingAt }
      if (now < record.sentAt + PENDING_MS) return waitForChain(pending, seen)
      // A node that stands still, or a last block that lies years ahead: its word is none.
      const said = sayUnclear(pending, 'the chain shows it neither executed nor expired, minutes after it could last land', seen)
      return after(said.effects, waitForChain(compareLater(said.state, now, seen), seen))
    }
    default:
      return unreachable(result)
  }
}

type OnChain = Extract<Landing, { readonly status: 'landed' | 'reverted' }>
const isOnChain = (result: Landing): result is OnChain => result.status === 'landed' || result.status === 'reverted'

function onChain(state: Sending | Confirming, result: OnChain, { now }: SwapSeen): SwapMove {
  const { swap, record } = state
  if (result.status === 'reverted') return reverted(record, result.reason, result.bankroll)
  const fill = fillOnChain({ key: swap.key, action: swap.action, at: now }, result)
  const landed = landedBetween(state.is === 'confirming' ? state.unlandedAt : undefined, now, result.blockTime)
  return { state: undefined, effects: [{ type: 'filled', record, fill, bankroll: result.bankroll, landed }] }
}

/** The block's time is as true as the chain's clock: where the looks of this bot contradict it, they alone count. */
function landedBetween(unlandedAt: number | undefined, seenAt: number, blockTime: number | undefined): LandedBetween | undefined {
  if (blockTime === undefined) return unlandedAt === undefined ? undefined : { from: unlandedAt, until: seenAt }
  const from = Math.max(unlandedAt ?? 0, blockTime * 1000)
  const until = Math.min(seenAt, (blockTime + 1) * 1000)
  if (from < until) return { from, until }
  return unlandedAt === undefined ? undefined : { from: unlandedAt, until: seenAt }
}

/** A swap that the service has confirmed is executed, whether or not the chain says what exactly it came to. */
function waitForChain(state: Confirming, seen: SwapSeen): SwapMove {
  const { swap, record, confirmedAt, isConfirmedAgain } = state
  if (confirmedAt === undefined || seen.now - confirmedAt < CHAIN_PATIENCE_MS) return stay(lookLater(state, seen))
  const { signature } = record
  // It may have been confirmed on a fork, or in error: its word of now counts.
  if (signature !== undefined && !isConfirmedAgain) return stay(state, { type: 'readStatus', signature })
  const message = 'the chain does not show a swap that the service has confirmed: it is booked as it was quoted'
  const note: SwapEffect = { type: 'note', level: 'error', message, fields: { intent: swap.key, signature } }
  return after([note], fillAsQuoted(state, seen))
}

function lose(state: Confirming, reason: string, seen: SwapSeen): SwapMove {
  return after([{ type: 'lost', reason }], look({ ...state, isLost: true }, seen))
}

interface Told {
  readonly state: Confirming
  readonly effects: readonly SwapEffect[]
}

const told = (state: Confirming): Told => ({ state, effects: [] })

/** Reports a swap whose outcome is not known: at once, and then every minute. */
function sayUnclear(state: Confirming, why: string, { now }: SwapSeen): Told {
  if (state.saidAt !== undefined && now - state.saidAt < SAY_EVERY_MS) return told(state)
  const message = `what became of a swap is not known, and no other one is sent until it is: ${why}`
  const effects: readonly SwapEffect[] = [{ type: 'note', level: 'warn', message, fields: { intent: state.swap.key } }]
  return { state: { ...state, saidAt: now }, effects }
}

/** The figures from before a swap may have had what is told of only now: then it is none of what has moved since. */
export function onSettled<S extends Sending | Confirming>(state: S, { profit, at }: HappeningOf<'settled'>): SwapMove {
  const record = withSettled(state.record, profit, at)
  return record === undefined ? { state, effects: [] } : { state: { ...state, record }, effects: [{ type: 'record', record }] }
}

/** The record with a contest in its figures from before that was settled by then; undefined where it was not. */
export function withSettled(record: SwapRecord, profit: Usdc, at: number): SwapRecord | undefined {
  const { before } = record
  if (before?.readAt === undefined || at > before.readAt) return undefined
  return { ...record, before: { ...before, profit: before.profit + profit } }
}

const lookLater = (state: Confirming, seen: SwapSeen): Confirming => ({
  ...state,
  lookAt: seen.now + (isChainAlone(state, seen) ? CHAIN_EVERY_MS : LOOK_EVERY_MS),
})

/** Plans a read of the wallet's figures for then, unless one is planned or under way: each has its own time. */
const compareLater = (state: Confirming, at: number, { now, isReadingBalances }: SwapSeen): Confirming =>
  state.compareAt !== undefined || isReadingBalances(state.swap.key) ? state : { ...state, compareAt: Math.max(now, at) }

/** Asks the chain, one question at a time: its answer plans the next. */
function askChain(state: Confirming): SwapMove {
  if (state.isAtChain) return stay(state)
  const { swap, record } = state
  const { wallet, transaction, signature, lastValidBlockHeight } = record
  const sent = { wallet, transaction, signature, lastValidBlockHeight }
  return stay({ ...state, isAtChain: true }, { type: 'swapRequest', swapRequest: { kind: 'landing', key: swap.key, sent } })
}

/** The least that can have come back is counted, where nobody can say more. */
function fillAsQuoted({ swap, record }: Confirming, { now }: SwapSeen): SwapMove {
  const fill = fillByQuote({ key: swap.key, action: swap.action, at: now }, record)
  return { state: undefined, effects: [{ type: 'filled', record, fill, bankroll: undefined, landed: undefined }] }
}

const stay = (state: Confirming, ...effects: readonly SwapEffect[]): SwapMove => ({ state, effects })
const reverted = (record: SwapRecord, reason: string, bankroll?: Bankroll): SwapMove => ({
  ...{ state: undefined, effects: [{ type: 'reverted', record, reason, bankroll }] },
})
const ended = (status: (SwapEffect & { type: 'ended' })['status'], reason: string, failure?: PathFailure): SwapMove => ({
  ...{ state: undefined, effects: [{ type: 'ended', status, reason, failure }] },
})
const hindered = (hindrance: Hindrance, words: string): SwapEffect => ({ type: 'hindered', hindrance, words })
/** The service does not send it. */
const unsent = (reason: string): PathFailure => ({ part: 'service', reason, hadNoTurn: false })
