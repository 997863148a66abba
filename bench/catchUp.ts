// `npm exec -- node bench/catchUp.ts [records]`: how long a host needs for the journal of a bot of ten thousand records that it takes over, from
// nothing and from its copy. Median of five. Needs PostgreSQL (apt-get install postgresql).

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBotTables } from '../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../src/live/fleet/database/fleetConnection.ts'
import { addBots, claimBot } from '../src/live/fleet/host/botClaims.ts'
import { FleetCopy } from '../src/live/fleet/journal/fleetCopy.ts'
import { FleetJournal } from '../src/live/fleet/journal/fleetJournal.ts'
import { JournalBases } from '../src/live/fleet/journal/journalBases.ts'
import { RecordSeal } from '../src/live/fleet/journal/recordSeal.ts'
import { Cluster } from '../test/support/fleet/cluster.ts'
import { entryIntent, heldPrediction, journalRecord, swapIntent, swapRecord } from '../test/support/journalFiles.ts'
import { rawEvent, START_MS } from '../test/support/rawEvents.ts'

const RECORDS = Number(process.argv[2] ?? 10_000)
const TAIL = 20
const REPEATS = 5

const folder = mkdtempSync(join(tmpdir(), 'bench-catch-up-'))
const cluster = await Cluster.open(['fsync=on'])
try {
  for (const withBases of [false, true]) {
    const url = await cluster.database(withBases ? 'bases' : 'records')
    const connection = new FleetConnection({ url, answerMs: 60_000 })
    const fleet = await openBotTables(connection)
    await addBots(connection, ['alice'])
    const seal = () => new RecordSeal({ keys: [new Uint8Array(32).fill(7)], fleet, bot: 'alice' })
    const copyAt = (file: string) => new FleetCopy({ file: join(folder, `${withBases}-${file}.db`), bot: 'alice', seal: seal() })
    let epoch = 0
    const host = async (file: string) => {
      const claimed = await claimBot(connection, { bot: 'alice', epoch: epoch++, run: randomUUID(), host: 'h1', version: 'v', beat: 0 })
      if (claimed === undefined) throw new Error('the bot was not claimed')
      const copy = copyAt(file)
      const begunAt = performance.now()
      await copy.catchUp(connection, claimed.place)
      const caughtUpMs = performance.now() - begunAt
      copy.load()
      return { holding: claimed.holding, copy, took: { caughtUpMs, loadedMs: performance.now() - begunAt - caughtUpMs } }
    }
    const play = async (file: string, from: number, count: number) => {
      const { holding, copy } = await host(file)
      const bases = new JournalBases({ url })
      const played = { holding, copy, seal: seal() }
      const journal = new FleetJournal({
        ...{ ...played, connection: new FleetConnection({ url }), onStop: () => {} },
        ...(withBases ? { onKept: () => bases.note(played) } : {}),
      })
      for (let n = from; n < from + count; n++) {
        journal.commit(recordOf(n))
        if (n % 100 === 0) await journal.kept()
      }
      await journal.kept()
      await bases.done()
      await journal.close()
      await bases.close()
    }
    await play('first', 1, RECORDS)
    const fresh: Took[] = []
    for (let n = 0; n < REPEATS; n++) {
      const { copy, took } = await host(`fresh-${n}`)
      copy.close()
      fresh.push(took)
    }
    const tails: Took[] = []
    for (let n = 0; n < REPEATS; n++) {
      await play('first', RECORDS + 1 + n * TAIL, TAIL)
      const { copy, took } = await host('fresh-0')
      copy.close()
      tails.push(took)
    }
    console.log(
      `${RECORDS} records${withBases ? ', with bases' : ''}: a host without a copy ${told(fresh)}; one whose copy is ${TAIL} behind ${told(tails)}`,
    )
    connection.close()
  }
} finally {
  await cluster.close()
  rmSync(folder, { recursive: true, force: true })
}

function recordOf(n: number) {
  const event = rawEvent('contest.settled', {})
  return journalRecord({
    ...{ n, at: START_MS + n, event: { raw: event, problem: undefined }, cursor: event.id },
    ...{ intents: [entryIntent(n), swapIntent(n)], swaps: [swapRecord(n)], custody: [heldPrediction(n)], refusals: ['BANKROLL'] },
  })
}

interface Took {
  readonly caughtUpMs: number
  /** What every start takes, with or without a fleet. */
  readonly loadedMs: number
}

function told(took: readonly Took[]): string {
  return `has it after ${median(took.map(({ caughtUpMs }) => caughtUpMs))} ms, and has loaded it ${median(took.map(({ loadedMs }) => loadedMs))} ms later`
}

function median(figures: readonly number[]): string {
  return (figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN).toFixed(0)
}
