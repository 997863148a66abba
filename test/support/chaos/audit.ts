import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { procedures } from '../../../src/contract/procedures.ts'
import type { LoggedCall } from '../../../src/sandbox/server/callLog.ts'

// What the sandbox's own files say of the bots that played there.

/** Ids of an agent's events, in the order of the sandbox's table. */
export function eventsAtService(file: string, agentId: string): string[] {
  return idsOf(file, 'SELECT id FROM events WHERE agent_id = ? ORDER BY seq', agentId)
}

/** Ids of the events that a bot has taken in, in the order it did. */
export function eventsInJournal(dataDir: string, bot: string): string[] {
  return idsOf(join(dataDir, 'bots', `${bot}.db`), "SELECT json_extract(raw, '$.id') AS id FROM events ORDER BY position")
}

function idsOf(file: string, sql: string, ...values: string[]): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return (database.prepare(sql).all(...values) as { id: string }[]).map(({ id }) => id)
  } finally {
    database.close()
  }
}

/** The most reads of one agent in any minute, by the sandbox's log of calls; by agent. */
export function mostReadsAMinute(callsFile: string): ReadonlyMap<string, number> {
  const times = new Map<string, number[]>()
  for (const line of readFileSync(callsFile, 'utf8').split('\n')) {
    // The sandbox was killed: its last line may be cut.
    if (!line.endsWith('}')) continue
    const { at, agentId, procedure } = JSON.parse(line) as LoggedCall
    if (procedures[procedure as keyof typeof procedures].kind !== 'read') continue
    times.set(agentId, [...(times.get(agentId) ?? []), at])
  }
  return new Map(
    [...times].map(([agentId, each]) => [
      agentId,
      Math.max(...each.map((from) => each.filter((at) => at >= from && at < from + 60_000).length)),
    ]),
  )
}
