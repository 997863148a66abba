import { replayLog } from '../../../src/backtest/index.ts'
import { countedEffects, EFFECT_OF, type Effects } from '../../../src/cli/runs/fleet/demo/effects.ts'
import { type Refolded, refold, unrevealedOf } from '../../../src/cli/runs/fleet/demo/refold.ts'
import { auditContests } from '../../../src/contests/audit/audit.ts'
import type { Mode } from '../../../src/contract/modes.ts'
import { encodeExact } from '../../../src/core/exactJson.ts'
import { systemClock } from '../../../src/core/systemClock.ts'
import { symbolOf } from '../../../src/core/tokens.ts'
import { formatUsdc } from '../../../src/core/usdc.ts'
import { DAILY_LOSS, MAX_STAKE, type Span, TIMEOUT_MS } from './scenario.ts'
import type { SimulatedBot } from './simulatedBot.ts'
import type { Simulation } from './simulation.ts'

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
  const { service, bots, network, chain } = world
  const mints = service.read((state) => state.mints)
  const agents = bots.map(({ agentId }) => agentId)
  const refolded = refold(service.store, mints, agents)
  const problems = service.read(auditContests).map((problem) => `the service: ${JSON.stringify(problem)}`)
  if (network.overLimit > 0) problems.push(`${network.overLimit} calls were over the service's limits`)
  for (const { sends } of chain.sent) if (sends > 1) problems.push(`a transaction was sent ${sends} times`)
  const counts = new Map([['calls', network.calls]])
  const count = (name: string, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by)
  for (const bot of bots) {
    const seen: Seen = { world, bot, refolded, effects: serviceEffects(world, bot.agentId), count }
    for (const problem of [...ending(seen), ...exposure(seen), ...account(seen), ...swapped(seen), ...reveals(seen), ...heard(seen)])
      problems.push(`${bot.name}: ${problem}`)
    for await (const problem of replayed(seen)) problems.push(`${bot.name}: ${problem}`)
    for (const [name, times] of Object.entries(seen.effects)) count(name, times)
    for (const { mode, status, entries } of refolded.state.contests.values())
      if (status === 'settled' && entries.some(({ agentId }) => agentId === bot.agentId)) count(`settled ${mode}`)
  }
  return { problems, counts: Object.fromEntries(counts) }
}

/** One bot, and what the service has of it. */
interface Seen {
  readonly world: Simulation
  readonly bot: SimulatedBot
  readonly refolded: Refolded
  readonly effects: Effects
  readonly count: (name: string, by?: number) => void
}

/** It has come to its end, with nothing left open. */
function* ending({ bot, count }: Seen): Generator<string> {
  const { end, status, rash, shut, closings, broken } = bot
  count('closings', closings)
  if (end?.how !== 'drained') yield `did not drain: ${end === undefined ? openOf(bot) : String(end.error)}`
  else if (status?.().reserved.actions !== 0) yield `drained with ${status?.().reserved.actions} actions on their way`
  if (shut.length > 0) yield `entered ${shut.join(', ')} while it was closed`
  for (const message of broken) yield message
  if (rash.length > 0) yield `sent ${rash.join(', ')} while it read its journal back`
}

/** No cap was ever passed. */
function* exposure({ world, bot, refolded }: Seen): Generator<string> {
  const { most, mostOpen, largestStake } = refolded.exposures.get(bot.agentId) ?? { most: 0n, mostOpen: 0, largestStake: 0n }
  const { setups = [], reading } = world.scenario.bots.find(({ name }) => name === bot.name) ?? {}
  const [setup] = setups
  const cap = setup?.config.guard.maxOpenContests ?? 0
  if (largestStake > MAX_STAKE) yield `staked ${formatUsdc(largestStake)} USDC, over its cap`
  if (most > DAILY_LOSS) yield `had ${formatUsdc(most)} USDC at stake and lost in a day, over its cap`
  for (const { mode, entries } of refolded.state.contests.values())
    if (reading?.unreadable[mode as Mode] !== undefined && entries.some(({ agentId }) => agentId === bot.agentId))
      yield `had a seat in ${mode}, which it cannot read`
  if (mostOpen > cap) yield `had ${mostOpen} tickets and seats, over its cap of ${cap}`
}

/** What it says that it did is what was done. */
function* account({ bot, effects }: Seen): Generator<string> {
  const own = ownEffects(bot)
  if (!agree(own, effects)) yield `its account is not the service's: ${JSON.stringify({ own, effects })}`
}

/** What its swaps have moved, by its own word and by the chain's, which it may have had to do without. */
function* swapped({ world, bot }: Seen): Generator<string> {
  const moved = new Map<string, bigint>()
  const move = (mint: string, delta: bigint) => void moved.set(mint, (moved.get(mint) ?? 0n) + delta)
  if (bot.fills.some(({ source }) => source === 'quote')) return
  for (const { from, to, given, received } of bot.fills) {
    move(from, -given)
    move(to, received)
  }
  for (const { command } of world.service.store.commands())
    if (command.type === 'fill' && command.agentId === bot.agentId) for (const { mint, delta } of command.changes) move(mint, -delta)
  for (const [mint, off] of moved) if (off !== 0n) yield `its fills are off by ${off} of ${symbolOf(mint)}`
}

/** Every prediction was shown by who was there to show it. */
function* reveals({ world, bot, refolded, effects, count }: Seen): Generator<string> {
  // One of which it heard too late that it was taken may count as missed; none may count as shown that was not.
  const [shown, said] = [effects.revealPrediction ?? 0, bot.status?.().reveals.done ?? 0]
  if (said > shown) yield `says that it showed ${said} predictions of ${shown}`
  count('shown and not known', shown - said)
  const { committed, unrevealed } = unrevealedOf(refolded.state, bot.agentId)
  count('committed', committed)
  for (const { contestId, revealBy } of unrevealed) {
    const window = { from: refolded.state.contests.get(contestId)?.endsAt ?? 0, to: revealBy }
    if (presentIn(window, [...world.absences, ...bot.ignorance]) >= REVEAL_MS) yield `never showed its prediction in ${contestId}`
    else count('unrevealed while away')
  }
}

/** Every event was heard, once, in its order; what comes of its last acts it need not hear any more. */
function* heard({ world, bot }: Seen): Generator<string> {
  const told = world.service.store.eventsAfter(bot.agentId, null, Number.MAX_SAFE_INTEGER)?.events ?? []
  const ids = told.map((event) => (event as { id: unknown }).id)
  if (JSON.stringify(ids.slice(0, bot.events.length)) !== JSON.stringify(bot.events))
    yield `heard ${bot.events.length} events of ${ids.length}, and not the first ones in their order`
}

/** Its recordings say the same, played back. */
async function* replayed({ bot, count }: Seen): AsyncGenerator<string> {
  for (const [{ config }, log] of bot.recordings) {
    const replay = await replayLog({ log, bots: [config], paths: {}, timeoutMs: TIMEOUT_MS, clock: systemClock })
    const { decisions, divergences, diverged, damage } = replay
    count('decisions', decisions)
    if (divergences + damage.length > 0)
      yield `its recording replays otherwise (${divergences} times): ${encodeExact(diverged[0] ?? damage[0])}`
  }
}

function openOf({ intents, outcomes, status }: SimulatedBot): string {
  const open = [...intents.values()]
    .filter(({ key }) => (outcomes.get(key)?.status ?? 'unknown') === 'unknown')
    .map(({ action }) => action.type)
  const { tickets, seats, caughtUp } = status?.().books ?? {}
  return `caughtUp ${caughtUp}, ${tickets?.size} tickets, ${seats?.size} seats, without an outcome: ${open.join(', ') || 'nothing'}`
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
