import type { ServiceEvent } from '../../contract/events.ts'
import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import { acknowledgeText, dailyStakedCap, type GuardLedger } from '../../guard/index.ts'
import type { Attribution } from '../books/attribution.ts'
import type { Books } from '../books/books.ts'
import type { InputOf } from '../protocol/input.ts'
import { isRecorded } from '../seat/seats.ts'
import type { Present } from '../state/present.ts'
import type { Figures } from './figures.ts'

/** Money that should be there and is not. Entries stop while there is any. */
export interface MissingMoney {
  readonly where: 'bankroll' | 'chain'
  readonly amount: Usdc
  /** Says what may be the cause, and what to do. */
  readonly message: string
}

const CODES = { bankroll: 'UNEXPLAINED_FALL', chain: 'CHAIN_SHORT' } as const

interface KeeperOptions {
  readonly figures: Pick<Figures, 'ledger' | 'reservations'>
  readonly attribution: Attribution
  /** An action without an outcome may have made a ticket or seat that the books show. */
  mayHaveMade(): boolean
}

/** Tells the guard's ledger what happens to the bot, and the owner what the ledger finds missing. */
export class LedgerKeeper {
  readonly #present: Present
  readonly #ledger: GuardLedger
  readonly #options: KeeperOptions
  /** A journal of before has no ledger: its events are counted instead. */
  #hasKept = false
  #isStakedNear = false
  #missing: readonly MissingMoney[] = []

  constructor(present: Present, options: KeeperOptions) {
    this.#present = present
    this.#ledger = options.figures.ledger
    this.#options = options
  }

  get missing(): readonly MissingMoney[] {
    return this.#missing
  }

  start({ ledger: kept, facts }: InputOf<'started'>): void {
    this.#hasKept = kept !== undefined
    if (kept !== undefined) this.#ledger.restore(kept, this.#present.now)
    else if (facts !== undefined) {
      const results = facts.realised.map(({ counted, strategy, result = 'LOSS', ...rest }) => ({
        ...{ at: rest.at, mode: rest.mode, by: strategy, profit: counted, result },
      }))
      this.#ledger.remember(results, facts.streak)
    }
  }

  onEvent(event: ServiceEvent, { isRepeated, recorded, before }: { isRepeated: boolean; recorded: boolean; before: Books }): void {
    if (recorded && this.#hasKept) return
    if (event.type !== 'contest.settled') {
      if (!isRepeated) this.#ledger.onEvent(event)
      return
    }
    const { contestId, mode } = event.data
    const by = this.#options.attribution.of(contestId)
    const { realised, doubted } = this.#present.books
    const { at, counted } = realised.find((item) => item.contestId === contestId) ?? { at: event.createdAt, counted: undefined }
    if (!isRepeated) this.#ledger.onEvent(event, { by, counted })
    else if (doubted > before.doubted) this.#ledger.worsened(contestId, { at, mode, by, amount: doubted - before.doubted })
  }

  /** While an action is under way the chain may show more or less than the bankroll. */
  onChain({ usdc: onChain }: InputOf<'chainBalance'>): void {
    const { bankroll } = this.#present.books
    if (bankroll === undefined || this.#options.figures.reservations.pendingCount > 0) return
    const { available, wallet } = bankroll.value
    this.#ledger.chainRead({ onChain, available, wallet })
  }

  /** Takes over what the bot has and did not send, says what is missing, and keeps what has changed. */
  tend(before: Books): void {
    const { step, books } = this.#present
    const isOther = books.seats !== before.seats || books.tickets !== before.tickets || books.caughtUp !== before.caughtUp
    if (books.caughtUp && (isOther || step.hasOutcomes) && !this.#options.mayHaveMade()) this.#adoptAll(books)
    if (step.hasIntents) this.#warnOfStaked()
    this.#sayMissing()
    const facts = this.#ledger.takeFacts()
    if (facts !== undefined && !isRecorded(this.#present)) step.ledger = facts
  }

  #adoptAll(books: Books): void {
    for (const { ticketId, mode, stake } of books.tickets.values()) this.#adopt([ticketId], { mode, stake })
    for (const { contestId, ticketId, mode, stake } of books.seats.values()) {
      const isOfTicket = ticketId !== undefined && this.#ledger.knows(ticketId) && !this.#ledger.knows(contestId)
      if (isOfTicket) this.#ledger.seated(ticketId, { contestId, stake })
      else this.#adopt([contestId, ...(ticketId === undefined ? [] : [ticketId])], { mode, stake })
    }
  }

  #adopt(ids: readonly string[], { mode, stake }: { readonly mode: string | undefined; readonly stake: Usdc | undefined }): void {
    const [id] = ids
    if (id === undefined || stake === undefined || ids.some((each) => this.#ledger.knows(each))) return
    this.#ledger.adopt({ key: `adopted:${id}`, stake, mode, by: this.#options.attribution.of(id) }, ids)
  }

  /** Says once that most of what may be staked in a day is. */
  #warnOfStaked(): void {
    const staked = this.#ledger.stakedNet
    const cap = dailyStakedCap(this.#present.options.config.guard, this.#ledger.dayStartBankroll)
    const isNear = staked * 5n >= cap * 4n
    if (isNear && !this.#isStakedNear) {
      const message = `${formatUsdc(staked)} USDC of guard.dailyStaked, ${formatUsdc(cap)} USDC, are staked and not seen to return`
      this.#present.step.note('warn', message, { code: 'DAILY_STAKED' })
    }
    this.#isStakedNear = isNear
  }

  /** Says a fall when it begins, when another stake is gone, and when it is over. */
  #sayMissing(): void {
    const { unexplained, missingOnChain, smallestStake = 0n } = this.#ledger
    const fall = unexplained > smallestStake ? unexplained : 0n
    const amounts = { bankroll: fall, chain: missingOnChain }
    const { step } = this.#present
    for (const where of ['bankroll', 'chain'] as const) {
      const amount = amounts[where]
      const said = this.#missing.find((each) => each.where === where)
      if (amount === (said?.amount ?? 0n)) continue
      const others = this.#missing.filter((each) => each.where !== where)
      if (amount === 0n) {
        this.#missing = others
        step.note('info', `no USDC is missing from the ${where} any more`, { code: CODES[where] })
        continue
      }
      const missing = { where, amount, message: where === 'bankroll' ? this.#fallText(amount) : this.#shortText(amount) }
      this.#missing = [...others, missing]
      if (said === undefined || amount > said.amount + smallestStake)
        step.note('error', missing.message, { code: CODES[where], missing: amount })
    }
  }

  #fallText(amount: Usdc): string {
    const late = this.#ledger.latePayouts.map(({ missing, of }) => `${formatUsdc(missing)} USDC of ${of ?? 'a swap'}`)
    return [
      `The bankroll lacks ${formatUsdc(amount)} USDC that no stake, swap or payout of this bot explains. New entries have stopped.`,
      ...(late.length === 0 ? [] : [`Announced and not paid: ${late.slice(0, 5).join(', ')}${late.length > 5 ? ' and more' : ''}.`]),
      'Check for a withdrawal, a second machine with this key, a late payout, or a service that takes money.',
      this.#acknowledgeText(amount),
    ].join(' ')
  }

  #shortText(amount: Usdc): string {
    return [
      `The wallet has ${formatUsdc(amount)} USDC less on the chain than the service says. New entries have stopped.`,
      'Check for a withdrawal, a move to the vault, or a service that takes money.',
      this.#acknowledgeText(amount),
    ].join(' ')
  }

  #acknowledgeText(amount: Usdc): string {
    return `${acknowledgeText(amount)} --bot ${this.#present.options.config.name}`
  }
}
