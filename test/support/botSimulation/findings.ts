import { replayLog } from '../../../src/backtest/index.ts'
import { auditContests } from '../../../src/contests/audit/audit.ts'
import { encodeExact } from '../../../src/core/exactJson.ts'
import { systemClock } from '../../../src/core/systemClock.ts'
import { formatUsdc } from '../../../src/core/usdc.ts'
import { type Exposure, refold, unrevealedOf } from '../chaos/audit.ts'
import { countedEffects, EFFECT_OF, type Effects } from '../crashMatrix/afterwards.ts'
import { DAILY_LOSS, MAX_STAKE, type Span, TIMEOUT_MS } from './scenario.ts'
import type { Simulation } from './simulate.ts'
import type { SimulatedBot } from './simulatedBot.ts'

/** A bot that is there for so long of a reveal's window has to make it. */
const REVEAL_MS = 12_000

export interface Findings {
  /** What must never be, in words. */
  readonly problems: readonly string[]
  /** What the run reached, for who wants to know that it reached anything. */
  readonly counts: Readonly<Record<string, number>>
}

/** Looks at what a run has left, on both sides. */
export async function findingsOf(world: Simulation): Promise<Findings> {
  const { service, bots, network, absences } = world
  const problems: string[] = []
  const counts: Record<string, number> = { calls: network.calls, overLimit: network.overLimit }
  const count = (name: string, by: number) => {
    counts[name] = (counts[name] ?? 0) + by
  }
  for (const problem of service.read(auditContests)) problems.push(`the service: ${JSON.stringify(problem)}`)
  const agents = bots.map(({ agentId }) => agentId)
  const { state, exposures } = refold(
    service.store,
    service.read(({ mints }) => mints),
    agents,
  )
  for (const bot of bots) {
    const say = (problem: string) => problems.push(`${bot.name}: ${problem}`)
    if (bot.end?.how !== 'drained') say(`did not drain: ${bot.end === undefined ? openOf(bot) : String(bot.end.error)}`)
    if (bot.rash.length > 0) say(`sent ${bot.rash.join(', ')} while it read its journal back`)
    for (const problem of exposureProblems(exposures.get(bot.agentId), bot, world)) say(problem)

    const effects = { own: ownEffects(bot), service: serviceEffects(world, bot.agentId) }
    if (!agree(effects.own, effects.service)) say(`its account is not the service's: ${JSON.stringify(effects)}`)
    // One of which it heard too late that it was taken may count as missed; none may count as shown that was not.
    const [shown, said] = [effects.service.revealPrediction ?? 0, bot.status?.().reveals.done ?? 0]
    if (said > shown) say(`says that it showed ${said} predictions of ${shown}`)
    count('shown and not known', shown - said)
    for (const [name, times] of Object.entries(effects.service)) count(name, times)

    for (const { mode, status, entries } of state.contests.values())
      if (status === 'settled' && entries.some(({ agentId }) => agentId === bot.agentId)) count(`settled ${mode}`, 1)

    const { committed, unrevealed } = unrevealedOf(state, bot.agentId)
    count('committed', committed)
    for (const { contestId, revealBy } of unrevealed) {
      const window = { from: state.contests.get(contestId)?.endsAt ?? 0, to: revealBy }
      if (presentIn(window, absences) >= REVEAL_MS) say(`never showed its prediction in ${contestId}`)
      else count('unrevealed while away', 1)
    }

    const told = service.store.eventsAfter(bot.agentId, null, Number.MAX_SAFE_INTEGER)?.events.map((event) => (event as { id: unknown }).id)
    // What comes of its last acts it need not hear any more.
    if (JSON.stringify(told?.slice(0, bot.events.length)) !== JSON.stringify(bot.events))
      say(`heard ${bot.events.length} events of ${told?.length}, and not the first ones in their order`)

    const { decisions, divergences, diverged, damage } = await replayLog({
      ...{ log: bot.recording, bots: world.scenario.bots.map(({ config }) => config), paths: {}, clock: systemClock },
      timeoutMs: TIMEOUT_MS,
    })
    count('decisions', decisions)
    if (divergences + damage.length > 0)
      say(`its recording replays otherwise (${divergences} times): ${encodeExact(diverged[0] ?? damage[0])}`)
  }
  for (const { sends } of world.chain.sent) if (sends > 1) problems.push(`a transaction was sent ${sends} times`)
  count('swaps', world.chain.sent.length)
  return { problems, counts }
}

function openOf({ intents, outcomes, status }: SimulatedBot): string {
  const open = [...intents.values()]
    .filter(({ key }) => (outcomes.get(key)?.status ?? 'unknown') === 'unknown')
    .map(({ action }) => action.type)
  const { tickets, seats, caughtUp } = status?.().books ?? {}
  return `caughtUp ${caughtUp}, ${tickets?.size} tickets, ${seats?.size} seats, without an outcome: ${open.join(', ') || 'nothing'}`
}

function exposureProblems(exposure: Exposure | undefined, { name }: SimulatedBot, { scenario }: Simulation): string[] {
  if (exposure === undefined) return []
  const { most, mostOpen, largestStake } = exposure
  const guard = scenario.bots.find(({ config }) => config.name === name)?.config.guard
  return [
    ...(largestStake > MAX_STAKE ? [`staked ${formatUsdc(largestStake)} USDC, over its cap`] : []),
    ...(most > DAILY_LOSS ? [`had ${formatUsdc(most)} USDC at stake and lost in a day, over its cap`] : []),
    ...(mostOpen > (guard?.maxOpenContests ?? 0) ? [`had ${mostOpen} tickets and seats, over its cap of ${guard?.maxOpenContests}`] : []),
  ]
}

function ownEffects({ intents, outcomes }: SimulatedBot): Effects {
  const done = [...outcomes.values()].filter(({ status }) => status === 'accepted' || status === 'filled')
  return countedEffects(done.map(({ key, status }) => (status === 'filled' ? 'fill' : (intents.get(key)?.action.type ?? ''))))
}

function serviceEffects({ service }: Simulation, agentId: string): Effects {
  const names: string[] = []
  for (const { command } of service.store.commands()) {
    if (!('agentId' in command) || command.agentId !== agentId) continue
    if (command.type === 'fill' && command.changes.length === 0) continue
    const name = EFFECT_OF[command.type === 'move' ? command.move.type : command.type]
    if (name !== undefined) names.push(name)
  }
  return countedEffects(names)
}

/** What may be sent again while the first of it is still on its way: the service takes one of them, and refuses the other (ADR 0014). */
const REPEATED = new Set(['commitPrediction', 'revealPrediction', 'ready'])
/** Shown by what the service, or the end of a contest, can have brought about as well: a pick that it made itself, a seat that is gone. */
const AMBIGUOUS = new Set(['draftPick', 'leaveContest'])

/** One that was over before it could be looked up, its stake back, counts as never made. */
const FLEETING = new Set(['createContest'])

function agree(own: Effects, theirs: Effects): boolean {
  const names = new Set([...Object.keys(own), ...Object.keys(theirs)])
  return [...names].every((name) => {
    const [counted, done] = [own[name] ?? 0, theirs[name] ?? 0]
    return counted === done || REPEATED.has(name) || (AMBIGUOUS.has(name) && counted > done) || (FLEETING.has(name) && counted < done)
  })
}

/** The longest stretch of a window without an absence, in milliseconds. */
function presentIn({ from, to }: Span, absences: readonly Span[]): number {
  let [longest, at] = [0, from]
  for (const absence of absences.toSorted((a, b) => a.from - b.from)) {
    longest = Math.max(longest, Math.min(absence.from, to) - at)
    at = Math.max(at, absence.to)
  }
  return Math.max(longest, to - at)
}
