import { randomUUID } from 'node:crypto'
import type { FleetConnection } from '../../../src/live/fleet/database/fleetConnection.ts'
import { addBots, type ClaimedBot, claimBot } from '../../../src/live/fleet/host/botClaims.ts'
import { FencedCommits } from '../../../src/live/fleet/journal/fencedCommits.ts'

// What two hosts want of one bot at the same moment. The tables are there; the bot is not.

/** @returns the winners of each race, one for each host that believes that it is the one */
export async function raceClaims(hosts: readonly FleetConnection[], bot: string, races: number): Promise<ClaimedBot[][]> {
  const [first] = hosts
  if (first === undefined) return []
  await addBots(first, [bot])
  const won: ClaimedBot[][] = []
  for (let epoch = 0; epoch < races; epoch++) {
    const claims = await Promise.all(
      hosts.map((host, place) => claimBot(host, { bot, epoch, run: randomUUID(), host: `h${place}`, version: 'v', beat: 0 })),
    )
    won.push(claims.filter((claim) => claim !== undefined))
  }
  return won
}

/** What one commit that raced a claim came to. */
export interface CommitRace {
  readonly result: 'kept' | 'fenced'
  readonly body: Buffer
  /** How far the journal was before it, and how far the successor has it. */
  readonly before: number
  readonly after: number
}

export async function raceCommits(writing: FleetConnection, claiming: FleetConnection, bot: string, races: number): Promise<CommitRace[]> {
  await addBots(claiming, [bot])
  const claimed = async (epoch: number): Promise<ClaimedBot> => {
    const claim = await claimBot(claiming, { bot, epoch, run: randomUUID(), host: 'h2', version: 'v', beat: 0 })
    if (claim === undefined) throw new Error(`the claim at ${epoch} was not taken`)
    return claim
  }
  const over: CommitRace[] = []
  let holder = await claimed(0)
  for (let race = 0; race < races; race++) {
    const body = Buffer.from(`race ${race}`)
    const writer = new FencedCommits(writing, holder.holding, holder.place)
    const [result, next] = await Promise.all([writer.commit([body]), claimed(holder.holding.epoch)])
    over.push({ result, body, before: holder.place.seq, after: next.place.seq })
    holder = next
  }
  return over
}
