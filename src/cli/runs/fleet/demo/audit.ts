import type { Config } from '../../../../strategy/config.ts'
import { accountsAgree, effectsAtService, journalAt } from './effects.ts'
import { refold, unrevealedOf } from './refold.ts'

/** What came of a fleet's bots, by the sandbox's own files and by their journals: each list names what is wrong. */
export interface Audit {
  /** Bots whose account of what took effect is not the service's: something was doubled, or forgotten. */
  readonly disagreeing: readonly string[]
  /** Actions of which nobody knows what became of them. */
  readonly unresolved: readonly string[]
  readonly overCap: readonly string[]
  readonly missedReveals: readonly string[]
  /** Contests in which two of the bots had a seat. */
  readonly meetings: readonly string[]
  /** How many actions took effect. */
  readonly effects: number
}

export interface Audited {
  /** The sandbox has ended. */
  readonly sandboxFile: string
  readonly seed: number
  readonly agents: readonly { readonly name: string; readonly agentId: string }[]
  readonly guardOf: (bot: string) => Config['bots'][number]['guard'] | undefined
  /** The file of a bot's journal, on whichever host. */
  readonly journalOf: (bot: string) => string
}

const RAKE_BPS = 500

/** Plays all again that the sandbox was told, and compares. */
export async function auditOf({ sandboxFile, seed, agents, guardOf, journalOf }: Audited): Promise<Audit> {
  // Whoever plays elsewhere needs none of the sandbox.
  const { createPriceReplay } = await import('../../../../sandbox/prices/priceReplay.ts')
  const { DEFAULT_PRICE_FILE, readPriceFile } = await import('../../../../sandbox/prices/readPriceFile.ts')
  const { SandboxStore } = await import('../../../../sandbox/store/sandboxStore.ts')
  const replay = createPriceReplay(readPriceFile(DEFAULT_PRICE_FILE), seed)
  const store = new SandboxStore(sandboxFile, { seed, rakeBps: RAKE_BPS, prices: replay.fingerprint }, 0)
  const ids = agents.map(({ agentId }) => agentId)
  const { state, exposures } = refold(store, replay.mints, ids)
  store.close()
  const audit = {
    disagreeing: [] as string[],
    unresolved: [] as string[],
    overCap: [] as string[],
    missedReveals: [] as string[],
    effects: 0,
  }
  for (const { name, agentId } of agents) {
    const journal = journalAt(journalOf(name))
    const atService = effectsAtService(sandboxFile, agentId)
    audit.effects += Object.values(atService).reduce((sum, count) => sum + count, 0)
    if (!accountsAgree(journal.effects, atService))
      audit.disagreeing.push(`${name} says ${JSON.stringify(journal.effects)}, the service ${JSON.stringify(atService)}`)
    audit.unresolved.push(...journal.open.map((action) => `${name}: ${action}`))
    const [guard, exposure] = [guardOf(name), exposures.get(agentId)]
    if (guard !== undefined && exposure !== undefined) {
      if (exposure.largestStake > guard.maxStake) audit.overCap.push(`${name}: a stake of ${exposure.largestStake}`)
      if (exposure.most > guard.dailyLoss) audit.overCap.push(`${name}: at risk in a day ${exposure.most}`)
      if (exposure.mostOpen > guard.maxOpenContests) audit.overCap.push(`${name}: ${exposure.mostOpen} contests at once`)
    }
    audit.missedReveals.push(...unrevealedOf(state, agentId).unrevealed.map(({ contestId }) => `${name}: ${contestId}`))
  }
  const own = new Set(ids)
  const meetings = [...state.contests.values()].filter(({ entries }) => entries.filter((entry) => own.has(entry.agentId)).length > 1)
  return { ...audit, meetings: meetings.map(({ contestId }) => contestId) }
}
