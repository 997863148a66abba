// `npm exec -- node bench/guard.ts`: how long a decision of the guard takes with 10,000 reservations open. Entries, swaps,
// picks and quotes in turn, let out and refused by their last rule, each call timed by itself.

import { usdc } from '../src/core/usdc.ts'
import { check, checkQuote, type GuardView, Reservations } from '../src/guard/index.ts'
import { type Action, draftPick } from '../src/strategy/action.ts'
import { buy, guardView, letOut, limits, NOW_MS, queue, quoted } from '../test/support/guard/guardView.ts'

const OPEN = 10_000
const CALLS = 240_000
const WARM_UP_CALLS = 60_000
const RUNS = 5
const MOST_US = 50
const PLENTY = usdc('1000000')

const reservations = new Reservations()
for (let index = 0; index < OPEN; index++) {
  const [stake, mode, by] = [usdc('1'), index % 2 === 0 ? 'up_down' : 'draft_basket', `strategy ${index % 7}`]
  reservations.reserve({ key: `open ${index}`, identity: `open ${index}`, kind: 'entry', stake, risk: stake, mode, by })
}

const view = guardView({
  reservations,
  config: {
    ...{ dailyLoss: PLENTY, maxDrawdown: PLENTY, maxOpenContests: 2 * OPEN, coolDown: { losses: 3, seconds: 60 } },
    ...{ modeBudgets: { draft_basket: PLENTY }, strategyBudgets: { ladder: PLENTY } },
  },
  limits: limits({ dailyLossCap: PLENTY }),
  available: { value: PLENTY, begunAt: NOW_MS },
  seats: { c: { draftable: ['a', 'b'] } },
})
// Everything is open already: the last rule refuses.
const poor: GuardView = { ...view, available: { value: usdc('10000'), begunAt: NOW_MS } }
const lost: GuardView = { ...view, lostToday: PLENTY }

const asked = (name: string, [action, shown]: readonly [Action, GuardView], isLetOut: boolean) => {
  const decide = (key: string) => check(key, action, shown).ok
  return { name, isLetOut, decide }
}
const swap = letOut(buy(), guardView())
const decisions = [
  asked('an entry let out', [queue(), view], true),
  asked('an entry over the bankroll', [queue(), poor], false),
  asked('a swap let out', [buy(), view], true),
  asked('a swap over the daily loss', [buy(), lost], false),
  asked('a pick let out', [draftPick({ contestId: 'c', token: 'b' }), view], true),
  { name: 'a quote let pass', isLetOut: true, decide: () => checkQuote(swap, quoted(), view).ok },
]

let keys = 0

/** Microseconds of each call, the decisions in turn. What is let out is released, untimed, so that as many stay open. */
function timed(calls: number): Float64Array {
  const tookUs = new Float64Array(calls)
  for (let call = 0; call < calls; call++) {
    const decision = decisions[call % decisions.length]
    if (decision === undefined) throw new Error('there are decisions')
    // As those of intents, each key is used once.
    const key = `${keys++}:ladder:0`
    const startedAt = performance.now()
    const ok = decision.decide(key)
    tookUs[call] = (performance.now() - startedAt) * 1000
    if (ok !== decision.isLetOut) throw new Error(`${decision.name}: the guard said ${ok}`)
    reservations.release(key)
  }
  if (reservations.pendingEntries !== OPEN) throw new Error(`${reservations.pendingEntries} reservations are open, not ${OPEN}`)
  return tookUs.sort()
}

const at = (sorted: Float64Array, share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN

timed(WARM_UP_CALLS)
const runs = Array.from({ length: RUNS }, () => timed(CALLS))
const p50 = median(runs.map((run) => at(run, 0.5)))
const p99 = median(runs.map((run) => at(run, 0.99)))
console.log(`a decision of the guard with ${OPEN} reservations open, ${RUNS} runs of ${CALLS}:`)
console.log(`p50 ${p50.toFixed(1)} µs, p99 ${p99.toFixed(1)} µs (under ${MOST_US})`)
process.exitCode = p99 < MOST_US ? 0 : 1
