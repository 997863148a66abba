import type { AgentFile, Player } from './agentFile.ts'
import { type Contest, drafterOf, freeBets, isOver, laneOf, type Seat, seatOf } from './contest.ts'
import { isTaken } from './contests.ts'
import type { Pace } from './pace.ts'
import { windowsOf } from './predictions.ts'
import type { Ticket } from './queue.ts'
import { HAS_COIN, isTrading, standingOf } from './scores.ts'

// What records look like on the wire. The specification shows none of this, so all of it is this service's own; shapes.ts says it in words.

export interface View {
  readonly nowMs: number
  readonly pace: Pace
  readonly pool: readonly string[]
  readonly price: (mint: string) => number | undefined
  /** Who asks. */
  readonly player: Player
}

type Json = Readonly<Record<string, unknown>>

const unix = (ms: number | null) => (ms === null ? null : Math.floor(ms / 1000))
const left = (untilMs: number | null, { nowMs }: View) => (untilMs === null ? null : Math.max(0, untilMs - nowMs))

/** In hidden contests nobody learns who the others are, nor which side they took. */
const isSecret = (contest: Contest, seat: Seat, { player }: View) => contest.isHidden && seat.player.userId !== player.userId

/** A ticket. `stake` and the like have the names they were asked by. */
export const ticketAnswer = (ticket: Ticket, view: View): Json => ({
  ref: ticket.ref,
  standing: ticket.state,
  wants: {
    ...{ mode: ticket.mode, stake: ticket.stake.toString(), durationSec: ticket.durationSec },
    ...{ opponents: ticket.opponents, chain: ticket.chain },
  },
  seatedIn: ticket.contestId,
  lapsesInMs: ticket.state === 'WAITING' ? left(ticket.lapsesAtMs, view) : null,
  trouble: ticket.trouble,
})

/** A contest, with the asker's own seat beside it. */
export function contestAnswer(contest: Contest, view: View): Json {
  const own = seatOf(contest, view.player.userId)
  return {
    contest: {
      ...{
        uid: contest.uid,
        stage: contest.stage,
        mode: contest.mode,
        chain: contest.chain,
        format: contest.format,
        lane: laneOf(contest),
      },
      ...{ opponents: contest.opponents, stake: contest.stake.toString(), durationSec: contest.durationSec },
      places: { taken: contest.seats.length, of: contest.capacity },
      isHidden: contest.isHidden,
      about: { coin: contest.coin },
      openBets: freeBets(contest),
      joinableForMs: contest.stage === 'open' ? left(contest.joinUntilMs, view) : null,
      runs: { fromUnix: unix(contest.startsAtMs), toUnix: unix(contest.endsAtMs) },
      roster: contest.seats.map((seat) => {
        const secret = isSecret(contest, seat, view)
        return {
          player: secret ? null : seat.player.userId,
          handle: secret ? null : seat.player.handle,
          kind: seat.player.kind,
          bet: secret ? null : seat.bet,
          isReady: seat.isReady,
          paid: seat.paid?.toString() ?? null,
        }
      }),
    },
    seat: own === undefined ? null : { slip: own.slip, bet: own.bet, isReady: own.isReady, paid: own.paid?.toString() ?? null },
  }
}

/** STAKING, SEALING or PICKING, RACING, OPENING, CLOSED: what is to be done in a contest now. */
function actOf(contest: Contest, { nowMs, pace }: View): string {
  if (isOver(contest)) return 'CLOSED'
  if (contest.stage === 'drafting') return 'PICKING'
  if (contest.mode !== 'price_prediction') return contest.stage === 'live' ? 'RACING' : contest.stage === 'weighing' ? 'CLOSED' : 'STAKING'
  if (contest.stage === 'open' && contest.seats.length < contest.capacity) return 'STAKING'
  const { sealUntilMs, openFromMs } = windowsOf(contest, pace)
  if (sealUntilMs === null || openFromMs === null || nowMs <= sealUntilMs) return 'SEALING'
  return nowMs < openFromMs ? 'RACING' : 'OPENING'
}

/** The answer of `agent.modes.state`, for players and onlookers alike: rows by `who`, and in the asker's own its slip. */
export function boardAnswer(contest: Contest, view: View): Json {
  const { mode } = contest
  const seats = contest.seats.map((seat) => {
    const isOwn = seat.player.userId === view.player.userId
    return {
      who: isSecret(contest, seat, view) ? null : seat.player.userId,
      ...(isOwn ? { slip: seat.slip } : {}),
      ...(mode === 'price_prediction' ? { sealed: seat.commitment !== null, opened: seat.guess !== null, guess: seat.guess } : {}),
      ...(mode === 'draft_basket' ? { basket: seat.basket } : {}),
      ...(mode === 'up_down' ? { bet: isSecret(contest, seat, view) ? null : seat.bet } : {}),
      ...(isTrading(mode) ? { swaps: seat.fills.length, ahead: standingOf(contest, seat, view.price) } : {}),
    }
  })
  const base = {
    act: actOf(contest, view),
    game: mode,
    ...(HAS_COIN.has(mode) ? { coin: contest.coin } : {}),
    finish: { unix: unix(contest.endsAtMs) },
  }
  if (mode === 'price_prediction') return { board: { ...base, ...sealing(contest, view), seats } }
  if (mode === 'draft_basket') return { board: { ...base, ...drafting(contest, view), seats } }
  return { board: { ...base, seats } }
}

/** The one deadline is told by what is left of it, the other by its time. */
function sealing(contest: Contest, view: View): Json {
  const { sealUntilMs, openFromMs, openUntilMs } = windowsOf(contest, view.pace)
  return { sealing: { msLeft: left(sealUntilMs, view) }, opening: { fromUnix: unix(openFromMs), untilUnix: unix(openUntilMs) } }
}

function drafting(contest: Contest, view: View): Json {
  const drafter = drafterOf(contest)
  return {
    lap: contest.draft?.lap ?? 0,
    drafter: drafter === undefined || isSecret(contest, drafter, view) ? null : drafter.player.userId,
    hourglassMs: drafter === undefined ? null : left(contest.draft?.untilMs ?? null, view),
    coins: Object.fromEntries(view.pool.map((mint) => [mint, { free: !isTaken(contest, mint) }])),
  }
}

/** Of `agent.history`: its `items` are in the specification, and nothing of them. */
export function historyAnswer(
  file: AgentFile,
  asked: { readonly versus: string | undefined; readonly start: number; readonly limit: number },
): Json {
  const all = file.outcomes.filter(({ versus }) => asked.versus === undefined || versus === asked.versus).toReversed()
  const page = all.slice(asked.start, asked.start + asked.limit)
  const end = asked.start + page.length
  return {
    items: page.map(({ at, contestId, mode, versus, result, stake, payout }) => ({
      ...{ of: contestId, mode, versus, outcome: result, staked: stake.toString(), got: payout.toString(), closed: unix(at) },
    })),
    nextCursor: end < all.length ? `h${end}` : null,
  }
}

/** Won, lost and shared, by whom it was played against. */
export function statsAnswer(file: AgentFile): Json {
  const record = (versus: string | null) => {
    const own = file.outcomes.filter((outcome) => versus === null || outcome.versus === versus)
    const count = (result: string) => own.filter((outcome) => outcome.result === result).length
    return { won: count('WIN'), lost: count('LOSS'), shared: count('DRAW'), returned: count('REFUND') }
  }
  return { overall: record(null), agents: record('AGENT'), humans: record('HUMAN'), mixed: record('MIXED') }
}
