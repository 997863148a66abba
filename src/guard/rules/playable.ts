import { isTradingMode } from '../../contract/enums.ts'
import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'
import type { Refusal } from '../verdict.ts'
import type { GuardView } from '../view.ts'
import { minuteShort, swapBudgetShort } from './swapBudget.ts'

/** No stake without a way to move: a mode is entered only where a move can be made in it. */
export const playable = entryRule(({ action, mode }, view) => {
  const standing = view.playable
  if (standing === undefined) return undefined
  return (
    unreadable(mode, view) ??
    notPlayed(mode, view) ??
    (isTradingMode(mode) ? (pathDown(mode, view) ?? budgetShort(mode, view)) : undefined) ??
    closed(mode, view) ??
    onTrial(mode, view) ??
    (action.type === 'joinContest' ? unpriced(action.contestId, mode, view) : undefined)
  )
})

function unreadable(mode: string, { playable: standing }: GuardView): Refusal | undefined {
  const found = standing?.unreadable(mode)
  if (found === undefined) return undefined
  const { code, pieces, why, remedy } = found
  const numbers = { mode, ...(code === 'MODE_UNREADABLE' ? { pieces: pieces.join(', '), missing: pieces.length } : {}) }
  return { code, message: `${mode} is not entered, since ${why}: ${remedy}`, numbers }
}

function notPlayed(mode: string, { now, playable: standing }: GuardView): Refusal | undefined {
  const by = standing?.unplayedBy(mode)
  if (by === undefined) return undefined
  const { strategy, untilMs } = by
  if (strategy === undefined)
    return { code: 'MODE_NOT_PLAYED', message: `no strategy of this bot plays ${mode}: a stake in it would be lost`, numbers: { mode } }
  const numbers = { mode, strategy, ...(untilMs === undefined ? {} : { untilMs }) }
  const seconds = untilMs === undefined ? undefined : Math.ceil((untilMs - now) / 1000)
  const until = seconds === undefined ? '' : ` for ${seconds} s`
  return { code: 'MODE_NOT_PLAYED', message: `${strategy}, which plays ${mode}, is left alone${until} after its faults`, numbers }
}

function pathDown(mode: string, { playable: standing }: GuardView): Refusal | undefined {
  const path = standing?.path
  if (path === undefined || path.isUp) return undefined
  const { part, failedInRow, okAgoMs, reason } = path
  const numbers = { mode, failedInRow, ...(part === undefined ? {} : { part }), ...(okAgoMs === undefined ? {} : { okAgoMs }) }
  const why = reason ?? 'no swap has come through, and none was tried, for too long'
  return { code: 'SWAP_PATH_DOWN', message: `${mode} is played by swaps, and they do not come through now: ${why}`, numbers }
}

function budgetShort(mode: string, view: GuardView): Refusal | undefined {
  const budget = view.playable?.swapBudget
  if (budget === undefined) return undefined
  return swapBudgetShort(mode, budget, view.reservations.pendingEntries) ?? minuteShort(mode, budget, view.unswapped())
}

function closed(mode: string, { playable: standing }: GuardView): Refusal | undefined {
  const found = standing?.closed(mode)
  if (found === undefined) return undefined
  const { unplayed, stakes, closedAt, trialAt, why } = found
  const until = trialAt === undefined ? 'until it is opened' : `until a trial, from ${new Date(trialAt).toISOString()} on`
  const lost = unplayed === 0 ? '' : `; ${unplayed} contests, ${formatUsdc(stakes)} USDC, ended without a valid move`
  const numbers = { mode, unplayed, stakes, closedAt, ...(trialAt === undefined ? {} : { trialAt }) }
  return { code: 'MODE_CLOSED', message: `${mode} is closed ${until}: ${why}${lost}`, numbers }
}

/** Until a first valid move shows that moves come through, a second stake would be lost for the same reason. */
function onTrial(mode: string, { playable: standing }: GuardView): Refusal | undefined {
  const out = standing?.trialOut(mode)
  if (out === undefined) return undefined
  const { seats, tickets } = out
  const message = `${mode} is on trial, and one of it is out: there is one at a time until a valid move was made`
  return { code: 'MODE_ON_TRIAL', message, numbers: { mode, seats, tickets } }
}

/** A contest about a token is played by its price. */
function unpriced(contestId: string, mode: string, view: GuardView): Refusal | undefined {
  const mint = view.joinable(contestId)?.token
  if (mint === undefined) return undefined
  const { maxPriceAgeMs } = view.config
  const ageMs = view.price(mint)?.ageMs
  if (ageMs !== undefined && ageMs <= maxPriceAgeMs) return undefined
  const age = ageMs === undefined ? 'it has none' : `its newest is ${ageMs} ms old`
  const numbers = { mode, mint, maxAgeMs: maxPriceAgeMs, ...(ageMs === undefined ? {} : { ageMs }) }
  return { code: 'PRICE_UNKNOWN', message: `the contest is about ${mint}, of which the feed has no fresh price: ${age}`, numbers }
}
