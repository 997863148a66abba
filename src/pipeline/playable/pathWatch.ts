import { TRADING_MODES } from '../../contract/modes.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { inspectTransaction, type Refusal } from '../../guard/index.ts'
import type { Strategy } from '../../strategy/define.ts'
import type { GuardConfig } from '../../strategy/guardConfig.ts'
import type { InputOf } from '../protocol/input.ts'
import type { PathCheck, SwapBudget, SwapTrouble } from '../protocol/swapper.ts'
import type { Present } from '../state/present.ts'
import type { Portfolios } from '../swaps/portfolios.ts'
import type { Hindrance } from './hindrance.ts'
import type { Modes } from './modes.ts'
import {
  blockedUntil,
  judged,
  type PathFailure,
  pathBlocked,
  pathFailed,
  pathFreed,
  pathTrouble,
  pathWorked,
  type SwapPath,
  type UnseenPart,
  unseenPath,
} from './swapPath.ts'

const EVERY_MS = 60_000
/** A first failure is looked into at once. */
const CONFIRM_MS = 500
const DOWN_EVERY_MS = 30_000
/** So much is asked of the DEX that there was no room for a look: there may be soon. */
const HELD_EVERY_MS = 10_000
/** An answer later than that is a failure: at the start, when nothing was seen yet; once swaps have come through; and of a look into a failure. */
const PATIENCE_MS = { first: 3000, later: 5000, confirming: 3500 }
/** Looks of bots of one process do for each other, where they are not much older than that. */
const SHARED_MS = 50_000
const SHARED_DOWN_MS = 20_000
const AMOUNT = usdc('1')
/** Swaps in a row that the service did not send, and its modes are closed: no look can see that. */
const MOST_UNSENT = 2
/** Hindrances, beside failures of a swap, that a path that is down explains: nobody could move, or it was in vain to try. */
const OF_PATH: ReadonlySet<Hindrance> = new Set([
  'guard:SWAP_UNRESOLVED',
  'guard:PRICE_STALE',
  'guard:SWAP_QUEUE_FULL',
  'abstained',
  'unasked',
])

interface PathWatchOptions {
  readonly modes: Modes
  readonly portfolios: Portfolios
  readonly strategies: readonly Strategy[]
  /** When the newest prices came, in Unix milliseconds; undefined: there were none. */
  readonly pricedAt: () => number | undefined
  /** Told where modes may have opened or closed. */
  readonly onChange: () => void
}

/** Watches the way of a swap, and tries it where no swap has: nothing is entered that is played by swaps while it is down. */
export class PathWatch {
  readonly #present: Present
  readonly #options: PathWatchOptions
  #isWatched = false
  #isAsked = false
  #unsent = 0
  #path: SwapPath = unseenPath
  #budget: SwapBudget | undefined
  /** Why the price feed says that it fails or stands still. */
  #feedTrouble: string | undefined

  constructor(present: Present, options: PathWatchOptions) {
    this.#present = present
    this.#options = options
  }

  start({ modes, triesPath = false }: InputOf<'started'>): void {
    this.#isWatched = modes !== undefined && triesPath
    // The feed may have failed before the bot began.
    if (this.#feedTrouble !== undefined) this.#block('prices', this.#feedTrouble)
  }

  /** Undefined in a world in which it cannot break. */
  get path(): SwapPath | undefined {
    return this.#isWatched ? this.#path : undefined
  }

  /** As the newest look has it; undefined where no limit is known. */
  get budget(): SwapBudget | undefined {
    return this.#budget
  }

  /** Whether a contest of swaps may be wanted, and nothing is known of the path yet: to ask for one would be in vain. */
  get isUnseen(): boolean {
    const { okAt, failedInRow, heldSince } = this.#path
    return this.#isWatched && okAt === undefined && failedInRow === 0 && heldSince === undefined && this.#isWanted()
  }

  /** True while swaps do not come through: waiting tickets of contests of swaps are to be cancelled. */
  get isDown(): boolean {
    return this.#isWatched && this.#path.isDown
  }

  tend(): void {
    const { deadlines, now } = this.#present
    if (!this.#isWatched) return
    this.#become(judged(this.#path, now))
    if (!deadlines.has('path') && this.#isWanted()) deadlines.set('path', now)
  }

  onDue(): void {
    const { now } = this.#present
    if (this.#isAsked) {
      this.#onOverdue()
      return
    }
    if (!this.#isWanted()) return
    const { failedInRow, okAt } = this.#path
    // A swap has come through meanwhile.
    if (failedInRow === 0 && okAt !== undefined && now < okAt + EVERY_MS) this.#again(okAt + EVERY_MS)
    else this.#ask(failedInRow === 0 ? SHARED_MS : this.#path.isDown ? SHARED_DOWN_MS : 0)
  }

  onChecked({ check }: InputOf<'pathChecked'>): void {
    const { now, options } = this.#present
    this.#isAsked = false
    this.#budget = check.budget
    const failure = pathFailureOf(check, options.config.guard)
    if (failure === undefined) this.#become(pathWorked(this.#path, check.at, now))
    else this.#failed(failure)
    const { failedInRow, heldSince, isDown } = this.#path
    if (heldSince !== undefined) this.#again(now + HELD_EVERY_MS)
    else if (failedInRow === 0) this.#again(check.at + EVERY_MS)
    else this.#again(now + (isDown ? DOWN_EVERY_MS : CONFIRM_MS))
  }

  /** The requests that are left, as an answer of the DEX has them. */
  onBudget(budget: SwapBudget | undefined): void {
    if (budget !== undefined) this.#budget = budget
  }

  /** A swap was executed. */
  onFilled(): void {
    this.#unsent = 0
    if (this.#isWatched) this.#become(pathWorked(this.#path, this.#present.now))
  }

  /** A swap came to nothing, and it was not the market. */
  onFailed(failure: PathFailure): void {
    if (!this.#isWatched) return
    if (failure.part === 'service') {
      this.#unsent += 1
      if (this.#unsent >= MOST_UNSENT) this.#closeAll()
      return
    }
    this.#failed(failure)
    if (!this.#isAsked) this.#ask(0)
    else this.#present.deadlines.soon('path', this.#present.now + PATIENCE_MS.confirming)
  }

  /** A swap has gone without an answer for too long: until it has one, its wallet makes no other. */
  onWalletBusy(reason: string): void {
    this.#block('wallet', reason)
  }

  /** The wallet is free again. */
  onWalletFree(): void {
    this.#free('wallet')
  }

  /** @param trouble why the price feed gives no price to swap at; undefined: it does */
  onFeed(trouble: string | undefined): void {
    this.#feedTrouble = trouble
    if (trouble === undefined) this.#free('prices')
    else this.#block('prices', trouble)
  }

  /** New prices have come: a feed that was only slow is well again. */
  onPrices(): void {
    if (this.#feedTrouble === undefined && this.#path.blocks.prices !== undefined) this.#free('prices')
  }

  /** The guard has kept a swap back. Stale prices are the feed's fault where it has given no price at all for so long. */
  onRefused({ code, message }: Refusal): void {
    const { now, options } = this.#present
    const pricedAt = this.#options.pricedAt() ?? Number.NEGATIVE_INFINITY
    if (code === 'PRICE_STALE' && now - pricedAt > options.config.guard.maxPriceAgeMs) this.#block('prices', message)
  }

  /** True where a contest that began then went without a move because swaps did not come through. */
  explains(hindrance: Hindrance, beganAt: number): boolean {
    const { isDown, downAt } = this.#path
    const wasDown = isDown || (downAt !== undefined && downAt >= beganAt)
    return wasDown && (hindrance.startsWith('swap:') || OF_PATH.has(hindrance))
  }

  /** A contest of swaps may be entered: somebody enters, and somebody plays it. */
  #isWanted(): boolean {
    const { books, ended, options } = this.#present
    const { modes, portfolios, strategies } = this.#options
    if (books.wallet === undefined || books.runMode !== 'running' || books.stopped !== 'nothing') return false
    // What contests have left is sold once swaps come through again.
    if (this.#path.isDown && portfolios.open.keys().some((contestId) => ended.has(contestId))) return true
    if (!strategies.some(({ kind }) => kind === 'queue' || kind === 'custom')) return false
    const { modes: allowed } = options.config.guard
    return TRADING_MODES.some((mode) => allowed.includes(mode) && modes.unplayedBy(mode) === undefined)
  }

  #ask(maxAgeMs: number): void {
    const { deadlines, books, step } = this.#present
    const { wallet, bankroll } = books
    if (wallet === undefined) return
    deadlines.set('path', this.#present.now + this.#patienceMs)
    this.#isAsked = true
    const available = bankroll?.value.available ?? 0n
    const amount = available > 0n && available < AMOUNT ? available : AMOUNT
    const { maxSlippageBps: slippageBps } = this.#present.options.config.guard
    step.swapRequests.push({ kind: 'path', wallet, request: { from: USDC_MINT, to: SOL_MINT, amount, slippageBps }, maxAgeMs })
  }

  /** Whoever is asked does not answer: that is as good as a no, until there is an answer. */
  #onOverdue(): void {
    const { deadlines, now } = this.#present
    const patienceMs = this.#patienceMs
    if (!this.#path.isDown) this.#failed({ part: 'dex', reason: `there was no answer within ${patienceMs} ms`, hadNoTurn: false })
    deadlines.set('path', now + (this.#path.isDown ? DOWN_EVERY_MS : this.#patienceMs))
  }

  get #patienceMs(): number {
    const { failedInRow, okAt } = this.#path
    if (failedInRow > 0) return PATIENCE_MS.confirming
    return okAt === undefined ? PATIENCE_MS.first : PATIENCE_MS.later
  }

  #again(at: number): void {
    this.#present.deadlines.set('path', Math.max(at, this.#present.now))
  }

  #block(part: UnseenPart, reason: string): void {
    if (!this.#isWatched) return
    const { now, step } = this.#present
    if (this.#path.blocks[part] === undefined) step.note('warn', `no contest of swaps is entered now: ${reason}`, { part })
    this.#become(pathBlocked(this.#path, part, reason, now))
    const until = blockedUntil(this.#path)
    // A step looks after it then, whatever else happens.
    if (until !== undefined) this.#present.deadlines.soon('tend', until)
  }

  #free(part: UnseenPart): void {
    if (this.#isWatched) this.#become(pathFreed(this.#path, part, this.#present.now))
  }

  #failed(failure: PathFailure): void {
    const { now, step } = this.#present
    this.#become(pathFailed(this.#path, failure, now))
    if (!this.#path.isDown) step.note('warn', `a swap could not be made now: ${failure.reason}`, { part: failure.part })
  }

  /** Says that the path is down, or open again, and has policies asked anew. */
  #become(path: SwapPath): void {
    const before = this.#path
    this.#path = path
    if (path === before || standingOf(path) === standingOf(before)) return
    const { step } = this.#present
    const { part, reason } = pathTrouble(path) ?? path
    if (path.isDown && !before.isDown)
      step.note(
        'error',
        `swaps do not come through, and no contest of swaps is entered until they do: ${reason}${remedyOf(reason ?? '')}`,
        {
          ...{ code: 'SWAP_PATH_LOST', part, reason, failedInRow: path.failedInRow },
        },
      )
    if (before.isDown && !path.isDown)
      step.note('info', 'swaps come through again: contests of swaps may be entered', { code: 'SWAP_PATH_BACK' })
    this.#options.onChange()
  }

  #closeAll(): void {
    this.#unsent = 0
    const { options, step } = this.#present
    const { modes } = this.#options
    for (const mode of TRADING_MODES)
      if (options.config.guard.modes.includes(mode) && modes.closed(mode) === undefined)
        modes.happened(mode, { type: 'swapsRefused' }, step)
    this.#options.onChange()
  }
}

/** The standing of a path: when it changes, policies are asked anew. */
const standingOf = (path: SwapPath): string =>
  [path.isDown, pathTrouble(path) === undefined, path.okAt === undefined, path.heldSince === undefined].join()

/** A route that goes through lookup tables can be looked into with an RPC alone. */
const remedyOf = (reason: string): string => (reason.startsWith('TX_TABLE_UNRESOLVED') ? ': set market.rpcUrl' : '')

/** Why no swap could have been made; undefined where one could, as far as it is not the market or the wallet that was in its way. */
export function pathFailureOf({ quoted, built, wallet, request }: PathCheck, policy: GuardConfig): PathFailure | undefined {
  if (!quoted.ok) return failureIn(quoted)
  if (built === undefined) return undefined
  if (!built.ok && built.refusal !== undefined) return refusedBy(built.refusal)
  if (!built.ok) return built.isSpent === true || built.isOfMarket === true ? undefined : failureIn(built)
  const { from, to } = request
  const judged = inspectTransaction({ action: { from, to }, quote: quoted.quote, built: built.built, wallet }, policy)
  if (judged.ok || judged.refusal.code === 'SIMULATION_FAILED') return undefined
  return refusedBy(judged.refusal)
}

const refusedBy = ({ code, message }: Refusal): PathFailure => ({ part: 'inspection', reason: `${code}: ${message}`, hadNoTurn: false })

export const failureIn = ({ reason, part, hadNoTurn }: SwapTrouble): PathFailure => ({
  part: part ?? 'dex',
  reason,
  hadNoTurn: hadNoTurn === true,
})
