import { z } from 'zod'
import { type Mint, USDC_MINT } from '../../core/tokens.ts'
import { type Usdc, usdc } from '../../core/usdc.ts'
import type { HouseMode, HousePlan, HouseSeat, Swap } from './houseMode.ts'
import { positionsOf } from './positions.ts'
import type { SkillName } from './skills.ts'

/** How restless a trader is. Shares of contests, 0 to 1. */
interface Temper {
  /** It looks again half way, and changes to what it now likes better. */
  readonly looksAgain: number
  /** It sells before the end, for all that selling costs. */
  readonly sells: number
}

interface SwapStyle {
  /** The tokens to choose from. */
  tokens(seat: HouseSeat): readonly Mint[]
  /** Where the mode is no matter of the agent's own temper. */
  readonly temper?: Temper
}

/** Every change costs the DEX's fee and spread: the better the player, the fewer it makes. */
const TEMPERS: Readonly<Record<SkillName, Temper>> = {
  momentum: { looksAgain: 0.2, sells: 0.2 },
  noisy: { looksAgain: 0.5, sells: 0.5 },
  random: { looksAgain: 0.8, sells: 0.8 },
}

/**
 * Whole USDC of the first purchase. Not a share of the house's wallet, which depends on its other contests and
 * is a hundred times a new agent's: where the size counts, an agent can match it.
 */
const LEAST_SPENT = 100
const MOST_SPENT = 500

/** When, as shares of the window. `last_bag_standing` wants its bag within the first quarter. */
const BUYS = { from: 0.02, until: 0.2 }
const LOOKS_AGAIN = { from: 0.35, until: 0.6 }
const SELLS = { from: 0.75, until: 0.95 }

const viewSchema = z.object({ traders: z.array(z.object({ entryId: z.string(), fills: z.number() })) })

/**
 * Plays a mode of swaps: buys one token soon after the start, perhaps changes it for another or for USDC
 * once, perhaps sells it, else holds it to the end.
 *
 * A look that leaves things as they are leaves no trace in the state. It is computed again, from the prices of
 * its own instant, whenever the rest is planned.
 */
export function swapMode({ tokens, temper }: SwapStyle): HouseMode {
  const wishAt = (seat: HouseSeat, atMs: number, others: readonly Mint[]) => bestOf(seat, atMs, [...tokens(seat), ...others])

  function plan(seat: HouseSeat): HousePlan | null {
    const { now } = seat
    const { buyAt, lookAt, sellAt } = agendaOf(seat, temper ?? TEMPERS[seat.skill])
    const fills = fillsOf(seat)
    if (fills === 0) return { atMs: Math.max(buyAt, now), decide: () => buy(wishAt(seat, buyAt, []), spentBy(seat)) }
    const [position] = positionsOf(seat.view)
    if (position === undefined) return null
    const [held, amount] = position
    const change = (to: Mint | undefined): Swap | null =>
      to === undefined || to === held ? null : { type: 'swap', from: held, to, amount }

    const look = lookAt === null || fills > 1 ? null : { atMs: lookAt, decide: () => change(wishAt(seat, lookAt, [USDC_MINT])) }
    if (look !== null && look.atMs > now) return look
    const found = look?.decide() ?? null
    if (found !== null) return { atMs: now, decide: () => found }
    return sellAt === null ? null : { atMs: Math.max(sellAt, now), decide: () => change(USDC_MINT) }
  }

  return {
    openings: [null],
    plan(seat) {
      const next = plan(seat)
      return next === null || next.atMs >= endOf(seat) ? null : next
    },
  }
}

const buy = (token: Mint | undefined, amount: Usdc): Swap | null =>
  token === undefined ? null : { type: 'swap', from: USDC_MINT, to: token, amount }

interface Agenda {
  readonly buyAt: number
  readonly lookAt: number | null
  readonly sellAt: number | null
}

function agendaOf(seat: HouseSeat, { looksAgain, sells }: Temper): Agenda {
  const windowMs = seat.contest.durationSec * 1000
  const startsAt = endOf(seat) - windowMs
  const random = seat.random('agenda')
  const within = ({ from, until }: typeof BUYS) => startsAt + Math.floor((from + (until - from) * random.next()) * windowMs)
  const [buyAt, lookAt, sellAt] = [within(BUYS), within(LOOKS_AGAIN), within(SELLS)]
  return { buyAt, lookAt: random.next() < looksAgain ? lookAt : null, sellAt: random.next() < sells ? sellAt : null }
}

/** When the window closes: set, since the contest is live. */
const endOf = ({ contest: { endsAt } }: HouseSeat): number => endsAt ?? Number.NEGATIVE_INFINITY

function fillsOf({ view, entryId }: HouseSeat): number {
  return viewSchema.parse(view).traders.find((trader) => trader.entryId === entryId)?.fills ?? 0
}

const spentBy = ({ random }: HouseSeat): Usdc => usdc(String(random('spend').integer(LEAST_SPENT, MOST_SPENT)))

/** The token the agent's skill expects most of until the end; undefined where none has a price. USDC is expected to stay. */
function bestOf(seat: HouseSeat, atMs: number, tokens: readonly Mint[]): Mint | undefined {
  const aheadSec = (endOf(seat) - atMs) / 1000
  const random = seat.random(`hope ${atMs}`)
  const hopeOf = (mint: Mint) => (mint === USDC_MINT ? 0 : seat.expect({ mint, atMs, aheadSec, random }))
  const byHope = tokens.map((mint) => ({ mint, hope: hopeOf(mint) })).toSorted((a, b) => b.hope - a.hope)
  // Asked of the best alone as a rule: a price of an instant between two of the feed has to be worked out.
  return byHope.find(({ mint }) => mint === USDC_MINT || seat.priceAt(mint, atMs) !== null)?.mint
}
