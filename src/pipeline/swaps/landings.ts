import { isOfAsker, isUnsigned, meaningOf } from '../../contract/refusals.ts'
import { unreachable } from '../../core/error.ts'
import type { Bot } from '../bot.ts'
import type { PathFailure } from '../playable/swapPath.ts'
import type { InputOf, SwapRecord } from '../protocol/input.ts'
import type { Outcome } from '../protocol/outcome.ts'
import type { PurposeOwnedBy } from '../protocol/purpose.ts'
import type { Reads } from '../reads.ts'
import { byBalances } from './byBalances.ts'
import { fillByQuote, fillOnChain } from './fillOf.ts'
import type { OpenSwap } from './openSwap.ts'
import { statusOf, type TransactionStatus } from './statusOf.ts'
import type { Wallet } from './wallet.ts'

/** The service does not send it. */
const unsent = (reason: string): PathFailure => ({ part: 'service', reason, isHeldBack: false })

const LOOK_EVERY_MS = 700
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

/**
 * What became of a swap that was sent, or may have been. Asked are, in this order: the service, where the signature
 * is known; the chain, by signature or by the bytes of the message; and where there is no RPC, the wallet's own
 * figures once the transaction can no longer land. Until one of them has said so the swap is open, and nothing is
 * sent again.
 */
export class Landings {
  readonly #bot: Bot
  readonly #reads: Reads
  readonly #wallet: Wallet

  constructor(bot: Bot, reads: Reads, wallet: Wallet) {
    this.#bot = bot
    this.#reads = reads
    this.#wallet = wallet
  }

  /** Looks for a swap of an earlier run. */
  resume(open: OpenSwap): void {
    const { agenda, now, step } = this.#bot
    agenda.set(`swap:${open.intent.key}`, now)
    step.note('warn', 'a swap may have been sent before the last stop: looking it up', { intent: open.intent.key })
  }

  /** The service's answer to a swap, or its loss. */
  onOrderOutcome(open: OpenSwap, outcome: Outcome): void {
    open.stage = 'landing'
    switch (outcome.status) {
      case 'accepted': {
        const { signature, status } = (outcome.output ?? {}) as { signature?: unknown; status?: unknown }
        if (typeof signature !== 'string' || open.record === undefined) {
          this.#lose(open, 'the answer has no signature')
          return
        }
        open.record = { ...open.record, signature }
        this.#bot.signatures.add(signature)
        this.#bot.step.swaps.push(open.record)
        this.#onStatus(open, open.record, statusOf({ status }))
        return
      }
      case 'rejected': {
        const { refusal } = outcome
        const reason = `${refusal.code}: ${refusal.message}`
        if (isOfAsker(refusal)) this.#wallet.hindered(open.intent.action.contestId, `refused:${refusal.code}`)
        if (meaningOf(refusal, 'swap') === 'marketMoved') this.#wallet.close(open, 'reverted', reason)
        else if (isUnsigned(refusal)) this.#wallet.close(open, 'rejected', reason, isOfAsker(refusal) ? undefined : unsent(reason))
        else {
          open.refused = reason
          this.#lose(open, reason)
        }
        return
      }
      case 'notSent':
        // It was not asked: no word on whether it sends swaps.
        this.#wallet.hindered(open.intent.action.contestId, 'refused:NOT_SENT')
        this.#wallet.close(open, 'unfilled', outcome.reason)
        return
      case 'unknown':
        this.#lose(open, outcome.reason)
        return
      default:
        unreachable(outcome)
    }
  }

  /** It is time to look again. A time that was planned for a swap that is over finds nothing to do. */
  onDue(purpose: PurposeOwnedBy<'swaps'>): void {
    const { open } = this.#wallet
    if (open?.record === undefined) return
    if (purpose === `swap:${open.intent.key}`) this.#look(open, open.record)
    if (purpose === `swapBalances:${open.intent.key}`) this.#askBalances(open)
  }

  #askBalances(open: OpenSwap): void {
    if (this.#bot.books.caughtUp) this.#reads.ask(`swapBalances:${open.intent.key}`, 'agent.bankroll', null)
    else {
      // What the stream has not told of, the figures may have.
      this.#sayUnclear(open, 'the event stream cannot be read, so that the balances do not say')
      this.#compareBalances(open, this.#bot.now + COMPARE_AGAIN_MS)
    }
  }

  onAnswer({ request, result, begunAt }: InputOf<'answer'>): void {
    const { open } = this.#wallet
    if (open?.record === undefined) return
    if (request.purpose === `swap:${open.intent.key}`) this.#onStatus(open, open.record, result.ok ? statusOf(result.output) : 'unclear')
    if (request.purpose === `swapBalances:${open.intent.key}` && result.ok) this.#onBalances(open, open.record, begunAt)
  }

  onLanding({ key, result }: InputOf<'landing'>): void {
    // One that was carried out where there is no chain has landed with its answer.
    const open = this.#wallet.openAt(key, 'landing') ?? this.#wallet.openAt(key, 'sending')
    if (open?.record === undefined) return
    const { now } = this.#bot
    switch (result.status) {
      case 'landed':
        this.#wallet.fill(open, fillOnChain({ key, action: open.intent.action, at: now }, result), result.bankroll)
        return
      case 'reverted':
        this.#wallet.revert(open, result.reason)
        if (result.bankroll !== undefined) this.#wallet.take(result.bankroll)
        return
      case 'expired':
        // One node that does not have it does not outweigh the service, which says that it was executed.
        if (open.confirmedAt === undefined)
          this.#wallet.close(
            open,
            'expired',
            'its blockhash expired before it landed',
            open.refused === undefined ? undefined : unsent(open.refused),
          )
        else this.#waitForChain(open, open.record, open.confirmedAt)
        return
      case 'unavailable':
        this.#sayUnclear(open, `the chain cannot be asked (${result.reason})`)
        if (now >= open.record.sentAt + EXPIRY_MS) this.#compareBalances(open, now)
        this.#waitForChain(open, open.record, open.confirmedAt)
        return
      case 'pending':
        // A node that stands still, or a last block that lies years ahead: what the chain says of it then is no word.
        if (now >= open.record.sentAt + PENDING_MS) {
          this.#sayUnclear(open, 'the chain shows it neither executed nor expired, minutes after it could last land')
          this.#compareBalances(open, now)
        }
        this.#waitForChain(open, open.record, open.confirmedAt)
        return
      default:
        unreachable(result)
    }
  }

  /** What the service has confirmed is executed, whether or not the chain says what exactly it came to. */
  #waitForChain(open: OpenSwap, record: SwapRecord, confirmedAt: number | undefined): void {
    if (confirmedAt === undefined || this.#bot.now - confirmedAt < CHAIN_PATIENCE_MS) {
      this.#lookLater(open)
      return
    }
    const { signature } = record
    if (signature !== undefined && !open.isConfirmedAgain) {
      // It may have been confirmed on a fork, or in error: what it says now counts.
      this.#reads.ask(`swap:${open.intent.key}`, 'agent.tx.status', { signature })
      return
    }
    this.#bot.step.note('error', 'the chain does not show a swap that the service has confirmed: it is booked as it was quoted', {
      intent: open.intent.key,
      signature: record.signature,
    })
    this.#fillByQuote(open, record)
  }

  /** Reports a swap whose outcome is not known: at once, and then every minute. */
  #sayUnclear(open: OpenSwap, why: string): void {
    const { now, step } = this.#bot
    if (open.saidAt !== undefined && now - open.saidAt < SAY_EVERY_MS) return
    open.saidAt = now
    step.note('warn', `what became of a swap is not known, and no other one is sent until it is: ${why}`, { intent: open.intent.key })
  }

  #lose(open: OpenSwap, reason: string): void {
    const { step } = this.#bot
    const { key } = open.intent
    open.isLost = true
    step.outcomes.push({ key, status: 'unknown', detail: reason })
    step.note('warn', `swap: no answer (${reason}); it counts as sent until the chain shows otherwise`, { intent: key })
    if (open.record !== undefined) this.#look(open, open.record)
  }

  #look(open: OpenSwap, record: SwapRecord): void {
    const { signature, sentAt } = record
    if (signature !== undefined && open.confirmedAt === undefined) {
      this.#reads.ask(`swap:${open.intent.key}`, 'agent.tx.status', { signature })
    } else if (this.#bot.hasChain) this.#askChain(open, record)
    else this.#compareBalances(open, sentAt + EXPIRY_MS)
  }

  /** Plans a read of the wallet's figures for then, unless one is planned or under way: each has its own time. */
  #compareBalances({ intent }: OpenSwap, at: number): void {
    const { agenda, now } = this.#bot
    const purpose = `swapBalances:${intent.key}` as const
    if (!agenda.has(purpose) && !this.#reads.isUnderWay(purpose)) agenda.set(purpose, Math.max(now, at))
  }

  #lookLater(open: OpenSwap): void {
    const { agenda, now } = this.#bot
    agenda.set(`swap:${open.intent.key}`, now + LOOK_EVERY_MS)
  }

  #askChain(open: OpenSwap, { wallet, transaction, signature, lastValidBlockHeight }: SwapRecord): void {
    const sent = { wallet, transaction, signature, lastValidBlockHeight }
    this.#bot.step.errands.push({ kind: 'landing', key: open.intent.key, sent })
  }

  #onStatus(open: OpenSwap, record: SwapRecord, status: TransactionStatus): void {
    const { hasChain, now } = this.#bot
    if (open.confirmedAt !== undefined) {
      this.#onStatusAgain(open, record, status)
      return
    }
    if (status === 'confirmed') open.confirmedAt = now
    // The chain says what exactly it came to, and whether one that is still missing can come at all.
    if (hasChain) this.#askChain(open, record)
    else if (status === 'confirmed') this.#fillByQuote(open, record)
    else if (status === 'failed') this.#wallet.revert(open, 'the service says that it failed')
    else if (now < record.sentAt + EXPIRY_MS) this.#lookLater(open)
    else {
      // It can no longer land, and the service has not said in words known here whether it did.
      open.isLost = true
      this.#sayUnclear(open, 'the service says neither that it was executed nor that it failed')
      this.#compareBalances(open, now)
    }
  }

  /** What the service says once more of what it had called confirmed. */
  #onStatusAgain(open: OpenSwap, record: SwapRecord, status: TransactionStatus): void {
    if (status === 'failed') {
      this.#wallet.revert(open, 'the service says that it failed, after it had called it confirmed, and the chain does not show it')
    } else if (status === 'confirmed') {
      open.isConfirmedAgain = true
      this.#askChain(open, record)
    } else {
      this.#sayUnclear(open, 'the chain does not show what the service had called confirmed, and the service does not say it again')
      this.#compareBalances(open, record.sentAt + EXPIRY_MS)
      this.#lookLater(open)
    }
  }

  #onBalances(open: OpenSwap, record: SwapRecord, begunAt: number): void {
    const { books, now, options } = this.#bot
    const after = books.caughtUp ? this.#wallet.figures() : undefined
    if (begunAt < record.sentAt + EXPIRY_MS || after === undefined) {
      if (begunAt >= record.sentAt + EXPIRY_MS) this.#sayUnclear(open, 'the balances cannot be read as they are now')
      this.#compareBalances(open, Math.max(now + COMPARE_AGAIN_MS, record.sentAt + EXPIRY_MS))
      return
    }
    const verdict = byBalances({ action: open.intent.action, record, after, unsure: this.#wallet.unsure(record) })
    if (open.balancesSaid?.verdict !== verdict) open.balancesSaid = { verdict, since: begunAt }
    const countsFrom = open.balancesSaid.since + CONFIRM_TIMEOUTS * options.timeoutMs
    // The stream may yet tell of a contest that these have already.
    if (verdict !== 'undecided' && begunAt < countsFrom) this.#compareBalances(open, countsFrom)
    else if (verdict === 'landed') this.#fillByQuote(open, record)
    else if (verdict === 'notLanded') this.#wallet.close(open, 'expired', 'the balances do not show it')
    else {
      this.#sayUnclear(
        open,
        this.#bot.hasChain ? 'the balances do not say either' : 'the balances do not say; the chain would, with an rpcUrl in the config',
      )
      if (this.#bot.hasChain || record.signature !== undefined) this.#lookLater(open)
      this.#compareBalances(open, now + SAY_EVERY_MS)
    }
  }

  #fillByQuote(open: OpenSwap, record: SwapRecord): void {
    const { action, key } = open.intent
    this.#wallet.fill(open, fillByQuote({ key, action, at: this.#bot.now }, record))
  }
}
