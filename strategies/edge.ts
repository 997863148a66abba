import {
  confidenceBound,
  defineQueuePolicy,
  enqueue,
  kellyFraction,
  MODES,
  type Mode,
  shareOf,
  type TermsRecord,
  type Usdc,
  usdc,
} from 'cornerman'
import { z } from 'zod'

/** `up_down` has sides, which a queue ticket cannot choose. */
const QUEUED = MODES.filter((mode) => mode !== 'up_down')
/** Contests that a choice starts with, half of them won: with one lucky win nobody is a champion. */
const PRIOR = 4

interface Arm {
  readonly mode: Mode
  readonly opponents: 'HUMAN' | 'AGENT'
  readonly durationSec: number
  readonly stake: Usdc
}

/**
 * Goes where it wins: of all modes, opponents, durations and stakes it enters the one that may bring most per USDC after fees,
 * by its own history and an upper confidence bound, so that what was seldom tried is tried; by chance, a third of the time each,
 * the one that has won most or any in its place. It never stakes more than a fraction of Kelly's share of the bankroll, and
 * stays out where nothing may be worth it any more.
 */
export default defineQueuePolicy({
  name: 'edge',
  params: z.object({
    modes: z.array(z.enum(QUEUED)).min(1).default(QUEUED).describe('the modes it chooses from'),
    opponents: z
      .array(z.enum(['HUMAN', 'AGENT']))
      .min(1)
      .default(['HUMAN', 'AGENT'])
      .describe('whom it may play'),
    durationsSec: z.array(z.number().int().min(15).max(86_400)).min(1).default([20]).describe('seconds that a contest may last'),
    stakes: z
      .array(z.bigint().positive())
      .min(1)
      .default([usdc('0.5'), usdc('1')])
      .describe('USDC that it may stake; the smallest is for finding out'),
    odds: z.number().min(0.1).max(10).default(0.9).describe('what a win brings per USDC staked, until one has shown it'),
    exploration: z
      .number()
      .min(0)
      .max(2)
      .default(0.3)
      .describe('how much of the confidence bound is hoped for: 0 goes by what was seen alone'),
    kelly: z.number().min(0.01).max(1).default(0.25).describe("the part of Kelly's share that is staked at most"),
    atOnce: z.number().int().min(1).max(20).default(2).describe('contests and tickets at once'),
  }),

  decide({ params, tickets, contests, bankroll, stats, random }) {
    const { kelly, atOnce } = params
    if (tickets.length + contests.length >= atOnce || bankroll === undefined) return []
    const busy = new Set([...tickets, ...contests].map(({ mode }) => mode))
    const odds = oddsOf(stats.byTerms) ?? params.odds
    const total = stats.byTerms.reduce((sum, record) => sum + decided(record), 0)
    const worthIt = armsOf(params)
      .filter(({ mode }) => !busy.has(mode))
      .map((arm) => ({ arm, ...believed(arm, stats.byTerms, { total, exploration: params.exploration }) }))
      // A bolder stake has to be earned.
      .map(({ arm, seen, hoped }) => ({ arm, seen, hoped, share: arm.stake === smallest(params.stakes) ? hoped : seen }))
      .filter(({ arm, share }) => arm.stake <= shareOf(bankroll.available, kelly * kellyFraction(share, odds)))
    const mostBy = (figure: 'hoped' | 'seen') => worthIt.toSorted((a, b) => b[figure] - a[figure])[0]
    // What is refused, or matched with nobody, stays the most hoped for: nothing else would ever be entered.
    const best = random.pick([mostBy('hoped'), mostBy('seen'), random.pick(worthIt)])
    if (best === undefined) return []
    const { mode, opponents, durationSec, stake } = best.arm
    return [enqueue({ mode, opponents, durationSec, stake, waitSec: 30 })]
  },
})

type Params = Readonly<{
  modes: readonly Mode[]
  opponents: readonly Arm['opponents'][]
  durationsSec: readonly number[]
  stakes: readonly Usdc[]
}>

const armsOf = ({ modes, opponents, durationsSec, stakes }: Params): Arm[] =>
  modes.flatMap((mode) =>
    opponents.flatMap((one) =>
      durationsSec.flatMap((durationSec) => stakes.map((stake) => ({ mode, opponents: one, durationSec, stake }))),
    ),
  )

/** The share of wins, as it was seen and as it may be. What was seen in the mode against such opponents on other terms counts for half. */
function believed(
  arm: Arm,
  byTerms: readonly TermsRecord[],
  { total, exploration }: { readonly total: number; readonly exploration: number },
): { readonly seen: number; readonly hoped: number } {
  let [wins, tries] = [PRIOR / 2, PRIOR]
  for (const record of byTerms) {
    if (record.mode !== arm.mode || record.versus !== arm.opponents) continue
    const weight = record.stake === arm.stake && record.durationSec === arm.durationSec ? 1 : 0.5
    wins += weight * (record.WIN + record.DRAW / 2)
    tries += weight * decided(record)
  }
  const seen = wins / tries
  return { seen, hoped: Math.min(1, seen + exploration * confidenceBound(tries, total + PRIOR)) }
}

/** What a win has brought per unit staked, fees and all. Undefined before the first of them. */
function oddsOf(byTerms: readonly TermsRecord[]): number | undefined {
  let [gained, staked] = [0n, 0n]
  for (const { versus, WIN, LOSS, stake, profit } of byTerms) {
    // A lobby pays by places: it says nothing of a duel.
    if (versus === 'MIXED') continue
    gained += profit + BigInt(LOSS) * stake
    staked += BigInt(WIN) * stake
  }
  return staked > 0n && gained > 0n ? Number((gained * 10_000n) / staked) / 10_000 : undefined
}

const decided = ({ WIN, LOSS, DRAW }: TermsRecord): number => WIN + LOSS + DRAW
const smallest = (stakes: readonly Usdc[]): Usdc | undefined => stakes.toSorted((a, b) => (a < b ? -1 : 1))[0]
