import { readFileSync } from 'node:fs'
import shipped from '../../../bots.config.ts'
import { createPriceReplay } from '../../../src/sandbox/prices/priceReplay.ts'
import { DEFAULT_PRICE_FILE, readPriceFile } from '../../../src/sandbox/prices/readPriceFile.ts'
import type { LoggedCall } from '../../../src/sandbox/server/callLog.ts'
import { SandboxStore } from '../../../src/sandbox/store/sandboxStore.ts'
import { mostReadsAMinute, refold, unrevealedOf } from '../chaos/audit.ts'
import { accountsAgree, effectsAtService, journalAt } from '../crashMatrix/afterwards.ts'
import { FAILOVER_SEED } from './failover.ts'

/** What came of a fleet's bots, by the sandbox's own files and by their journals. */
export interface FleetAudit {
  /** Bots whose account of what took effect is not the service's: something was doubled, or forgotten. */
  readonly disagreeing: readonly string[]
  readonly unresolved: readonly string[]
  readonly overCap: readonly string[]
  readonly missedReveals: readonly string[]
  readonly mostReads: number
  readonly effects: number
  /** Contests in which two of the bots had a seat. */
  readonly meetings: readonly string[]
}

export interface AuditedFleet {
  /** The sandbox has ended. */
  readonly sandboxFile: string
  readonly callsFile: string
  readonly agents: readonly { readonly name: string; readonly agentId: string }[]
  /** Of the journal of a bot, no matter on which host. */
  readonly journalOf: (bot: string) => string
}

export function auditOf({ sandboxFile, callsFile, agents, journalOf }: AuditedFleet): FleetAudit {
  const replay = createPriceReplay(readPriceFile(DEFAULT_PRICE_FILE), FAILOVER_SEED)
  const store = new SandboxStore(sandboxFile, { seed: FAILOVER_SEED, rakeBps: 500, prices: replay.fingerprint }, 0)
  const ids = agents.map(({ agentId }) => agentId)
  const { state, exposures } = refold(store, replay.mints, ids)
  store.close()
  const disagreeing: string[] = []
  const unresolved: string[] = []
  const overCap: string[] = []
  const missedReveals: string[] = []
  let effects = 0
  for (const [index, { name, agentId }] of agents.entries()) {
    const journal = journalAt(journalOf(name))
    const atService = effectsAtService(sandboxFile, agentId)
    effects += Object.values(atService).reduce((sum, count) => sum + count, 0)
    if (!accountsAgree(journal.effects, atService))
      disagreeing.push(`${name}: it says ${JSON.stringify(journal.effects)}, the service ${JSON.stringify(atService)}`)
    for (const action of journal.open) unresolved.push(`${name}: ${action}`)
    const { guard } = shipped.bots[index % shipped.bots.length] ?? {}
    const exposure = exposures.get(agentId)
    if (exposure !== undefined && exposure.largestStake > (guard?.maxStake ?? 0n)) overCap.push(`${name}: stake ${exposure.largestStake}`)
    if (exposure !== undefined && exposure.most > (guard?.dailyLoss ?? 0n)) overCap.push(`${name}: loss ${exposure.most}`)
    if (exposure !== undefined && exposure.mostOpen > (guard?.maxOpenContests ?? 0)) overCap.push(`${name}: open ${exposure.mostOpen}`)
    for (const { contestId } of unrevealedOf(state, agentId).unrevealed) missedReveals.push(`${name}: ${contestId}`)
  }
  const own = new Set(ids)
  const meetings = [...state.contests.values()]
    .filter(({ entries }) => entries.filter(({ agentId }) => own.has(agentId)).length > 1)
    .map(({ contestId }) => contestId)
  return { disagreeing, unresolved, overCap, missedReveals, mostReads: Math.max(0, ...mostReadsAMinute(callsFile).values()), effects, meetings }
}

export function callsIn(file: string): LoggedCall[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as LoggedCall)
}

/** The value in the middle, and others, of a list of figures. */
export function percentilesOf(figures: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = figures.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
