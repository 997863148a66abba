import { DatabaseSync } from 'node:sqlite'
import { decodeExact } from '../../../../core/exactJson.ts'
import { readAction } from '../../../../strategy/action.ts'

/** How often each kind of effect took place. */
export type Effects = Readonly<Record<string, number>>

/** How often each name comes, by name. */
export const countedEffects = (names: readonly string[]): Effects => {
  const counts: Record<string, number> = {}
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function rowsOf<T>(file: string, sql: string, ...values: string[]): T[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare(sql).all(...values) as T[]
  } finally {
    database.close()
  }
}

/** The sandbox's names of what it does for an agent. */
export const EFFECT_OF: Readonly<Record<string, string>> = {
  enqueue: 'enqueue',
  cancelTicket: 'cancelTicket',
  createContest: 'createContest',
  joinContest: 'joinContest',
  leaveContest: 'leaveContest',
  readyContest: 'ready',
  draftPick: 'draftPick',
  commitPrediction: 'commitPrediction',
  revealPrediction: 'revealPrediction',
  fill: 'fill',
}

/** What the sandbox did for one agent, by its command log; a swap that failed on the chain has changed nothing. */
export function effectsAtService(file: string, agentId: string): Effects {
  const bodies = rowsOf<{ type: string; move: string | null }>(
    file,
    `SELECT json_extract(body, '$.type') AS type, json_extract(body, '$.move.type') AS move FROM commands
     WHERE json_extract(body, '$.agentId') = ? AND coalesce(json_array_length(body, '$.changes'), 1) > 0 ORDER BY seq`,
    agentId,
  )
  return countedEffects(bodies.flatMap(({ type, move }) => EFFECT_OF[move ?? type] ?? []))
}

/**
 * Whether a bot's account of what took effect is the service's: one to one, but for picks. A pick that was lost, and that the service
 * then made itself when its time was up, shows like the bot's own: the bot may count it.
 */
export function accountsAgree(bot: Effects, service: Effects): boolean {
  const names = new Set([...Object.keys(bot), ...Object.keys(service)])
  return [...names].every((name) => {
    const [own, theirs] = [bot[name] ?? 0, service[name] ?? 0]
    return name === 'draftPick' ? own >= theirs : own === theirs
  })
}

export interface JournalAccount {
  /** What took effect, by the bot's own account. */
  readonly effects: Effects
  /** Actions without an outcome. */
  readonly open: readonly string[]
  readonly custody: Effects
}

/** What a bot says it did, by the file of its journal. */
export function journalAt(file: string): JournalAccount {
  const intents = rowsOf<{ action: string; status: string }>(file, 'SELECT action, status FROM intents')
  const typeOf = ({ action }: { action: string }) => readAction(decodeExact(action)).type
  const done = intents.filter(({ status }) => status === 'accepted' || status === 'filled')
  return {
    effects: countedEffects(done.map((intent) => (intent.status === 'filled' ? 'fill' : typeOf(intent)))),
    open: intents.filter(({ status }) => status === 'pending' || status === 'unknown').map(typeOf),
    custody: countedEffects(rowsOf<{ status: string }>(file, 'SELECT status FROM custody').map(({ status }) => status)),
  }
}
