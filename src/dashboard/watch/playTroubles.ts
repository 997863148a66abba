import { isTradingMode } from '../../contract/modes.ts'
import { formatAmount, SOL_MINT, symbolOf, tokenOfMint, USDC_MINT } from '../../core/tokens.ts'
import { tokenValue } from '../../core/tokenValue.ts'
import { formatUsdc } from '../../core/usdc.ts'
import { type BotStatus, type ModeStatus, type PathPart, pathTrouble, unnamedText } from '../../pipeline/index.ts'
import { isClosed, isPlayed, isUnreadable } from './modeRows.ts'
import type { TroubleFacts } from './troubleFacts.ts'
import type { Trouble } from './views.ts'

/** A stake that was lost to chance is worth a look for so long. */
const UNPLAYED_MS = 10 * 60_000

/** What keeps a bot from playing what it has staked on, or may stake on. */
export function* playTroubles(facts: TroubleFacts): Iterable<Trouble> {
  yield* swapPathDown(facts)
  yield* unsold(facts)
  yield* unnamed(facts)
  yield* modesClosed(facts)
  yield* unplayed(facts)
  yield* pricesStale(facts)
}

function* swapPathDown({ status }: TroubleFacts): Iterable<Trouble> {
  const path = status?.path
  if (status === undefined || path?.isDown !== true) return
  const { part, reason = 'nothing more is known' } = pathTrouble(path) ?? path
  const [who, remedy] = PARTIES[part ?? 'dex']
  yield {
    kind: 'swapPathDown',
    severity: 'alarm',
    message: `swaps do not come through, by ${who}: ${reason}. No contest of swaps is entered, and waiting tickets of them are cancelled. ${atRisk(status)}. ${remedy}`,
  }
}

/** Names of the parties in the way of swaps, and remedies for an owner. */
const PARTIES: Readonly<Record<PathPart, readonly [who: string, remedy: string]>> = {
  dex: ['the DEX', 'Run cornerman doctor; if the DEX refuses for the number of requests, set market.apiKey or market.requestsPerMinute'],
  rpc: ['the RPC', 'Run cornerman doctor, and set another market.rpcUrl if it stays so'],
  inspection: ['the inspection of the transaction', 'Run cornerman doctor, and look its code up in docs/errors.md'],
  service: ['the service', 'Ask whoever runs the service why it does not send swaps'],
  wallet: ['a swap without an outcome', 'Wait until the chain shows it: nothing else is sent from this wallet meanwhile'],
  prices: ['the price feed', 'Run cornerman doctor, and see whether market.url gives new prices'],
}

/** Stakes of live contests of swaps that have had none yet. */
function atRisk({ books, portfolios }: BotStatus): string {
  const owed = [...books.seats.values()].filter(
    ({ contestId, mode, phase }) =>
      phase === 'live' && mode !== undefined && isTradingMode(mode) && (portfolios.get(contestId)?.fills ?? 0) === 0,
  )
  if (owed.length === 0) return 'No stake is lost by it so far'
  const stakes = owed.reduce((sum, { stake = 0n }) => sum + stake, 0n)
  const named = owed.map(({ mode, contestId }) => `${mode} ${contestId}`).join(', ')
  return `${formatUsdc(stakes)} USDC are lost unless a swap comes through before the end of ${named}`
}

/** Each token of each contest by itself: one may find a buyer while another does not. */
function* unsold({ status, book }: TroubleFacts): Iterable<Trouble> {
  for (const { contestId, mint, amount, tries, nextAt } of status?.unsold ?? []) {
    const [token, price] = [tokenOfMint(mint), book.latestText(mint, book.tick)?.price]
    const value = token === undefined || price === undefined ? undefined : tokenValue(token, amount, price)
    const worth = value === undefined ? 'no price of it is known' : `${formatUsdc(value)} USDC at the newest price`
    const next = nextAt === undefined ? '' : `, and not before ${new Date(nextAt).toISOString()}`
    yield {
      kind: 'unsold',
      about: `${symbolOf(mint)} of contest ${contestId}`,
      severity: 'warn',
      message: `${formatAmount(amount, mint)} that contest ${contestId} left could not be sold in ${tries} tries (${worth}): it is tried again once swaps come through${next}; it can be sold by hand as well`,
    }
  }
}

function* unnamed({ status }: TroubleFacts): Iterable<Trouble> {
  for (const entry of status?.unnamedEntries ?? [])
    yield { kind: 'contestUnnamed', about: entry.id, severity: 'alarm', message: unnamedText(entry) }
}

/**
 * Each closed mode that a strategy plays; of a service that nobody knows they are one. Once none of these is open, the one that closed last is an alarm. A path of swaps that is not known
 * yet closes nothing here; one that is down is told of by itself.
 */
function* modesClosed({ bot, status }: TroubleFacts): Iterable<Trouble> {
  const played = status?.modes?.filter(({ mode }) => isPlayed(mode, bot.config.strategies)) ?? []
  const unprobed = played.find(({ code }) => code === 'SERVICE_UNPROBED')
  if (unprobed !== undefined) {
    yield { kind: 'modeClosed', about: 'every mode', severity: 'alarm', message: `nothing is entered: ${unprobed.why}` }
    return
  }
  const isShut = (mode: ModeStatus): boolean => mode.since !== undefined || isUnreadable(mode)
  const closed = played.filter(isShut).toSorted((a, b) => (b.since ?? 0) - (a.since ?? 0))
  const isAnyOpen = played.some((mode) => !isClosed(mode, status?.path))
  for (const [index, mode] of closed.entries()) {
    const isLast = index === 0 && !isAnyOpen
    const message = `${isLast ? 'no mode is open any more: ' : ''}${closedText(mode)}`
    yield { kind: 'modeClosed', about: mode.mode, severity: isLast ? 'alarm' : 'warn', message }
  }
}

function closedText(status: ModeStatus): string {
  const { mode, why, unplayed, trialAt } = status
  if (isUnreadable(status)) return `${mode} is closed: ${why}`
  const { count, staked } = unplayed
  const lost = count === 0 ? '' : ` (${formatUsdc(staked)} USDC were staked on ${count} of it without a valid move so far)`
  const next = trialAt === undefined ? `it is opened` : `it is opened, or tried again from ${new Date(trialAt).toISOString()} on`
  return `${mode} is closed${why === undefined ? '' : `: ${why}`}${lost}; it is not entered until ${next}`
}

function* unplayed({ unplayed: told, now }: TroubleFacts): Iterable<Trouble> {
  for (const { at, contestId, message } of told)
    if (now - at < UNPLAYED_MS) yield { kind: 'unplayed', about: contestId, severity: 'alarm', message }
}

/** Before the first price of a token its age counts from the start of the bot. */
function* pricesStale({ bot, status, book, stream: { startedAt }, now }: TroubleFacts): Iterable<Trouble> {
  const mints = status === undefined ? [] : [...inPlay(status)]
  const { maxPriceAgeMs } = bot.config.guard
  const isStale = (mint: string): boolean => now - (book.latestText(mint, book.tick)?.at ?? startedAt) > maxPriceAgeMs
  if (mints.length === 0 || !mints.every(isStale)) return
  const age = `${maxPriceAgeMs / 1000} s (guard.maxPriceAgeMs)`
  const what = mints.map((mint) => symbolOf(mint)).join(', ')
  yield {
    kind: 'pricesStale',
    severity: 'warn',
    message: `no price of ${what} is younger than ${age}: nothing is swapped until the feed gives one`,
  }
}

/** Tokens that an open seat is about or a portfolio holds. A USDC is a dollar, whatever the feed says. */
function inPlay({ books, portfolios }: BotStatus): ReadonlySet<string> {
  const mints = new Set<string>()
  for (const seat of books.seats.values()) {
    if (seat.token !== undefined) mints.add(seat.token)
    else if (seat.phase === 'live' && seat.mode !== undefined && isTradingMode(seat.mode)) mints.add(SOL_MINT)
  }
  for (const { holdings } of portfolios.values()) for (const [mint, amount] of holdings) if (amount > 0n) mints.add(mint)
  mints.delete(USDC_MINT)
  return mints
}
