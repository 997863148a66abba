import type { Result } from '../../contract/enums.ts'
import type { ServiceEvent } from '../../contract/events.ts'
import { DAY_MS, dayOf } from '../../core/day.ts'
import { minUsdc, type Usdc } from '../../core/usdc.ts'
import { type ChainReading, ChainWitness } from './chainWitness.ts'
import { type Account, Days, isOf } from './days.ts'
import type { LedgerFacts } from './ledgerFacts.ts'
import { type EntryFact, OpenEntries, type SentEntry } from './openEntries.ts'
import { costOf, heldFor, withheldProfit } from './settlement.ts'
import { Staked } from './staked.ts'
import { SteadyTime } from './steadyTime.ts'
import { type Credit, type ToldCredit, Witness } from './witness.ts'

/** Results in a row that were lost, up to the newest. */
export interface Streak {
  readonly losses: number
  /** Steady milliseconds of the newest loss. */
  readonly lastAt: number
}

/** A contest that ended before this ledger began, or that this bot did not enter. */
export interface ForeignResult extends Account {
  /** Unix milliseconds, as told. */
  readonly at: number
  readonly profit: Usdc
  readonly result: Result
}

/** Contests that counted as lost and whose end is awaited. */
const MOST_SUPPOSED = 100

type SupposedLoss = EntryFact & { readonly contestId: string; readonly day: number }

interface ForeignCount {
  readonly by?: string | undefined
  /** The worse of what the event says and what follows from it. */
  readonly counted?: Usdc | undefined
}

type Settled = Extract<ServiceEvent, { type: 'contest.settled' }>

/**
 * What the bot staked, lost and expects to have, counted from its own acts. Words of the service count where they make it stricter, or once the
 * bankroll confirms them. Amounts in micro-USDC.
 */
export class GuardLedger {
  readonly #time = new SteadyTime()
  readonly #entries = new OpenEntries()
  readonly #own = new Days()
  readonly #foreign = new Days()
  readonly #staked = new Staked()
  readonly #witness = new Witness()
  readonly #chain = new ChainWitness()
  /** Entries that count as lost, though nobody told their end. */
  #supposed: readonly SupposedLoss[] = []
  #streak: Streak = { losses: 0, lastAt: 0 }
  #dayStartBankroll: Usdc | undefined
  #day = 0
  #isChanged = false

  /** @param at time of the input that is processed, Unix milliseconds */
  move(at: number): void {
    this.#time.move(at)
    const { day } = this.#time
    if (day === this.#day) return
    this.#day = day
    this.#own.forget(day)
    this.#foreign.forget(day)
    this.#dayStartBankroll = this.#staked.facts.available
  }

  skewed(skewMs: number): void {
    this.#time.skewed(skewMs)
  }

  restore(facts: LedgerFacts, at: number): void {
    this.#time.restore(facts.time, at)
    this.#day = facts.time.day
    this.#entries.restore(facts.entries)
    this.#own.restore(facts.own)
    this.#foreign.restore(facts.foreign)
    this.#staked.restore(facts.staked)
    this.#witness.restore(facts.witness)
    this.#chain.restore(facts.chain)
    this.#supposed = facts.supposed
    this.#streak = facts.streak
    this.#dayStartBankroll = facts.dayStartBankroll
  }

  /** The service has answered since the start: its clock is known. */
  serviceKnown(at: number): void {
    this.#time.serviceKnown(at)
  }

  /** Record for the journal, if it changed since this was last asked. */
  takeFacts(): LedgerFacts | undefined {
    if (!this.#isChanged) return undefined
    this.#isChanged = false
    return {
      version: 1,
      time: this.#time.facts,
      entries: this.#entries.facts,
      own: this.#own.facts,
      foreign: this.#foreign.facts,
      supposed: this.#supposed,
      streak: this.#streak,
      staked: this.#staked.facts,
      ...(this.#dayStartBankroll === undefined ? {} : { dayStartBankroll: this.#dayStartBankroll }),
      witness: this.#witness.facts,
      chain: this.#chain.facts,
    }
  }

  // Acts of the bot.

  /** The guard let an entry out. */
  sent(entry: SentEntry): void {
    this.#isChanged = true
    this.#entries.add(entry, 'sent')
    this.#staked.sent(entry.stake, this.#time.nowMs)
    this.#witness.debit(entry.stake)
  }

  /**
   * The service took the entry.
   *
   * @param id of the ticket or contest
   * @returns a contradiction, in words
   */
  accepted(key: string, id: string | undefined): string | undefined {
    this.#isChanged = true
    const { contradiction, missed } = this.#entries.accept(key, id)
    for (const event of missed) this.onEvent(event)
    return contradiction
  }

  /** The entry has an outcome without a seat. @param left whether it left this process: then its stake may be gone all the same */
  refused(key: string, left: boolean): void {
    const entry = this.#entries.end(key)
    if (entry === undefined) return
    this.#isChanged = true
    if (left) this.#returned(entry, entry.ids.at(-1))
    else this.#witness.undo(entry.stake)
  }

  /** The bot gave a ticket or a seat back, or the service shows it no more. Its stake counts until the bankroll shows it. */
  gaveBack(id: string): void {
    const entry = this.#entries.endOldest(id)
    if (entry === undefined) return
    this.#isChanged = true
    this.#returned(entry, id)
  }

  /** The end of a contest was not told: it counts as lost. */
  supposedLost(contestId: string): void {
    const { day } = this.#time
    for (const entry of this.#entries.endAll(contestId)) {
      this.#supposed = [...this.#supposed.slice(1 - MOST_SUPPOSED), { ...entry, contestId, day }]
      this.#lost(entry, entry.stake, day)
    }
  }

  /** Takes over a ticket or seat that the bot did not send, or that a journal of before has. */
  adopt(entry: SentEntry, ids: readonly string[]): void {
    this.#isChanged = true
    this.#entries.add(entry, 'open', ids)
    this.#staked.adopted(entry.stake, this.#time.nowMs)
    this.#witness.debit(entry.stake)
  }

  /** True where an entry has the ticket or contest, or had it and counts as lost. */
  knows(id: string): boolean {
    return this.#entries.has(id) || this.#supposed.some(({ ids }) => ids.includes(id))
  }

  /** Mode under which an open entry was sent or adopted, by the id of its ticket or contest. */
  modeOf(id: string): string | undefined {
    return this.#entries.modeOf(id)
  }

  /** A swap moved USDC. */
  swapped({ paid, received }: { readonly paid: Usdc; readonly received: Usdc }): void {
    this.#isChanged = true
    this.#witness.debit(paid)
    this.#staked.swapped(received - paid)
    if (received > 0n) this.#expect({ of: undefined, amount: received, stake: 0n, profit: 0n })
  }

  /** The operator says that so much of an unexplained fall is accounted for. */
  acknowledge(amount: Usdc): void {
    this.#isChanged = true
    this.#witness.acknowledge(amount)
    this.#chain.acknowledge()
  }

  /** The operator says that an entry is over, and its stake lost. @returns whether it was open */
  close(key: string): boolean {
    const entry = this.#entries.end(key)
    if (entry !== undefined) this.#lost(entry, entry.stake, this.#time.day)
    return entry !== undefined
  }

  // Words of the service.

  /** @param foreign of a contest that this ledger did not enter: its strategy, if known, and what it counts for */
  onEvent(event: ServiceEvent, foreign: ForeignCount = {}): void {
    switch (event.type) {
      case 'match.found': {
        const { ticketId, contestId, stake } = event.data
        if (!this.seated(ticketId, { contestId, stake })) this.#entries.miss(ticketId, event)
        return
      }
      case 'ticket.expired':
      case 'ticket.failed': {
        const { ticketId } = event.data
        if (this.#entries.has(ticketId)) this.gaveBack(ticketId)
        else this.#entries.miss(ticketId, event)
        return
      }
      case 'contest.cancelled': {
        const { contestId } = event.data
        if (!this.#entries.has(contestId)) this.#entries.miss(contestId, event)
        while (this.#entries.has(contestId)) this.gaveBack(contestId)
        return
      }
      case 'contest.settled':
        this.#settled(event, foreign)
        return
      case 'contest.joined':
      case 'contest.live':
        return
    }
  }

  /** The service has seated a ticket. @returns whether an entry has it */
  seated(ticketId: string, { contestId, stake = 0n }: { readonly contestId: string; readonly stake: Usdc | undefined }): boolean {
    const raised = this.#entries.seat(ticketId, { contestId, stake })
    if (raised === undefined) return false
    this.#isChanged = true
    this.#witness.debit(raised)
    return true
  }

  /** A settlement that was counted is told again, and worse. */
  worsened(contestId: string, { at, mode, by, amount }: Account & { readonly at: number; readonly amount: Usdc }): void {
    this.#isChanged = true
    const entry = this.#entries.endedIn(contestId)
    if (entry === undefined) this.#foreign.add({ day: dayOf(at), mode, by, profit: -amount })
    else this.#lost(entry, amount, this.#time.day)
  }

  /** Facts of an older journal, which has no ledger. */
  remember(results: readonly ForeignResult[], streak: { readonly losses: number; readonly lastAt: number }): void {
    for (const result of results) this.foreign(result)
    this.#streak = { losses: streak.losses, lastAt: Math.min(this.#time.of(streak.lastAt), this.#time.nowMs) }
  }

  /** A contest that this bot did not enter counts by its date, and offsets no loss of its own. */
  foreign({ at, profit, result, mode, by }: ForeignResult): void {
    this.#isChanged = true
    this.#foreign.add({ day: dayOf(at), mode, by, profit })
    this.#countResult(result, Math.min(this.#time.of(at), this.#time.nowMs))
  }

  /** The bankroll was read. @param begunAt input time at which the request left */
  bankrollRead({ available, begunAt, swapsInFlight }: { available: Usdc; begunAt: number; swapsInFlight: Usdc }): void {
    const now = this.#time.nowMs
    this.#staked.read(available, now)
    this.#dayStartBankroll ??= available
    this.#witness.read({ available, begunAt: this.#time.of(begunAt), now, inFlight: swapsInFlight, open: this.#entries.stake() })
  }

  /** The wallet was read on the chain, with no action under way. Counts where nothing is open. */
  chainRead(reading: ChainReading): void {
    const isOpen = this.#entries.size > 0 || this.#witness.credits.some(({ isRead, missing }) => !isRead || missing > 0n)
    if (!isOpen && this.#chain.read(reading)) this.#isChanged = true
  }

  // Questions of the rules.

  /** Stakes of accepted entries, and of those whose return no bankroll shows. */
  open(of: Account = {}): Usdc {
    let sum = this.#entries.openStake(of)
    for (const credit of this.#creditsOf(of)) sum += heldFor(credit)
    return sum
  }

  get openCount(): number {
    return this.#entries.openCount
  }

  /** Net loss of the day, never negative. */
  lost(of: Account = {}): Usdc {
    return this.worstOfDay((startMs) => this.#lostOn(dayOf(startMs), of))
  }

  /** The shortfall of the bankroll that nothing sent or told explains. */
  get unexplained(): Usdc {
    return this.#witness.unexplained
  }

  /** Payouts and refunds that were told and that the bankroll does not show within the grace. */
  get latePayouts(): readonly Credit[] {
    return this.#witness.credits.filter(({ isLate, missing }) => isLate && missing > 0n)
  }

  /** USDC of the bankroll missing on the chain, once the two have agreed. */
  get missingOnChain(): Usdc {
    return this.#chain.missing
  }

  get smallestStake(): Usdc | undefined {
    return this.#staked.smallest
  }

  get stakedNet(): Usdc {
    return this.#staked.net(this.#time.nowMs)
  }

  get entriesInMinute(): number {
    return this.#staked.entriesInMinute(this.#time.nowMs)
  }

  get dayStartBankroll(): Usdc | undefined {
    return this.#dayStartBankroll
  }

  /** The larger loss of the day, and of the day before for some seconds after midnight. @param lostSince takes a UTC midnight, Unix milliseconds */
  worstOfDay(lostSince: (dayStartMs: number) => Usdc): Usdc {
    const { day, dayBefore } = this.#time
    const today = lostSince(day * DAY_MS)
    const before = dayBefore === undefined ? today : lostSince(dayBefore * DAY_MS)
    return today > before ? today : before
  }

  /** `lastAt` in input time, Unix milliseconds. */
  get streak(): Streak {
    return { losses: this.#streak.losses, lastAt: this.#time.inputTimeOf(this.#streak.lastAt) }
  }

  /** In the sum of all modes and strategies a late credit counts as unexplained. */
  *#creditsOf(of: Account): Iterable<Credit> {
    const isTotal = of.mode === undefined && of.by === undefined
    for (const credit of this.#witness.credits) if (isOf(credit, of) && !(isTotal && credit.isLate)) yield credit
  }

  #lostOn(day: number, of: Account): Usdc {
    let own = this.#own.profit(day, of)
    for (const credit of this.#creditsOf(of)) if (credit.day === day) own -= withheldProfit(credit)
    const foreign = this.#foreign.profit(day, of)
    return (own < 0n ? -own : 0n) + (foreign < 0n ? -foreign : 0n)
  }

  #settled(event: Settled, { by, counted: foreignProfit }: ForeignCount): void {
    const { data } = event
    const { contestId, mode, result } = data
    const entries = [...this.#entries.endAll(contestId), ...this.#takeSupposed(contestId)]
    const [first] = entries
    if (first === undefined) {
      const toForeign = foreignProfit ?? data.profit
      this.#entries.miss(contestId, event)
      // A contest that was called off in words may be settled all the same: its loss is this bot's own.
      const ended = this.#entries.endedIn(contestId)
      if (ended === undefined) this.foreign({ at: event.createdAt, profit: toForeign, result, mode, by })
      else if (toForeign < 0n) this.#lost(ended, data.stake > ended.stake ? data.stake : ended.stake, dayOf(event.createdAt))
      return
    }
    this.#isChanged = true
    const held = entries.reduce((sum, { stake }) => sum + stake, 0n)
    const { stake, credit } = costOf(data, held)
    this.#witness.debit(stake - held)
    const counted = minUsdc(result === 'LOSS' ? -stake : data.profit, credit - stake)
    const learntOn = this.#time.day
    const datedOn = dayOf(event.createdAt)
    this.#countResult(result, this.#time.nowMs)
    if (counted < 0n) this.#lost(first, -counted, datedOn)
    const isOffset = counted > 0n && datedOn === learntOn
    if (isOffset) this.#own.add({ day: learntOn, mode: first.mode, by: first.by, profit: counted })
    const open = counted < 0n ? stake + counted : stake
    const { mode: entered, by: strategy } = first
    const profit = isOffset ? counted : 0n
    if (credit > 0n) this.#credit({ of: contestId, amount: credit, stake: open > 0n ? open : 0n, profit, mode: entered, by: strategy })
  }

  /** The end of a contest that counted as lost is told after all. */
  #takeSupposed(contestId: string): readonly SupposedLoss[] {
    const told = this.#supposed.filter((each) => each.contestId === contestId)
    if (told.length === 0) return told
    this.#supposed = this.#supposed.filter((each) => each.contestId !== contestId)
    for (const { day, mode, by, stake } of told) this.#own.add({ day, mode, by, profit: stake })
    return told
  }

  #returned({ mode, by, stake }: EntryFact, of: string | undefined): void {
    this.#credit({ of, amount: stake, stake, profit: 0n, mode, by })
  }

  #credit(credit: Omit<ToldCredit, 'at' | 'day'>): void {
    this.#staked.told(credit.amount)
    this.#expect(credit)
  }

  #expect(credit: Omit<ToldCredit, 'at' | 'day'>): void {
    this.#witness.credit({ ...credit, at: this.#time.nowMs, day: this.#time.day })
  }

  /** A loss counts on the day on which it was learnt, and on the day of its date. */
  #lost({ mode, by }: Account, amount: Usdc, datedOn: number): void {
    this.#isChanged = true
    const learntOn = this.#time.day
    this.#own.add({ day: learntOn, mode, by, profit: -amount })
    if (datedOn !== learntOn && datedOn >= learntOn - 1 && datedOn <= learntOn + 2)
      this.#own.add({ day: datedOn, mode, by, profit: -amount })
  }

  /** A refund says nothing about who plays better: it neither ends a streak nor makes it longer. */
  #countResult(result: Result, at: number): void {
    if (result === 'REFUND') return
    const { losses, lastAt } = this.#streak
    this.#streak = result === 'LOSS' ? { losses: losses + 1, lastAt: Math.max(at, lastAt) } : { losses: 0, lastAt }
  }
}
