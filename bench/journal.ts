// `node bench/journal.ts [events]`: what a start on a journal costs that has grown for weeks.
//
// A journal is written as a bot of ten contests a minute writes it: of each contest a ticket that is answered, its match, its start and
// its settlement, of every fifth a swap and its fill, of every fifth a prediction that was revealed. Then processes of their own open it:
// the first has to fold what is in it, the others find it folded.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commitmentOf } from '../src/contract/commitment.ts'
import { DAY_MS } from '../src/core/day.ts'
import { encodeExact } from '../src/core/exactJson.ts'
import { keyedUuid, uuidv7 } from '../src/core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../src/core/tokens.ts'
import { openJournal } from '../src/live/journal/openJournal.ts'
import { SqliteJournal } from '../src/live/journal/sqliteJournal.ts'
import { prepareStatements } from '../src/live/journal/statements.ts'
import { rowOfFill, rowOfSwap } from '../src/live/journal/swapRows.ts'

const START_MS = Date.parse('2025-03-01T12:00:00Z')
const BETWEEN_MS = 6000
const FIRST_LINE_MS = 5000
const MEMORY_MB = 100
const STARTS = 5

interface Opened {
  readonly ms: number
  readonly rssMb: number
  readonly events: number
  readonly settled: number
}

const [first = '1000000', file] = process.argv.slice(2)
if (first === '--open' && file !== undefined) open(file)
else run(Number(first))

/** What a start does before its first line: opens, folds, reads, and makes the books of it. */
function open(path: string): void {
  const startedAt = performance.now()
  const journal = new SqliteJournal(path)
  const { events, facts } = journal.load()
  const told = [...events].length
  const ms = performance.now() - startedAt
  const settled = (facts?.byMode ?? []).reduce((sum, { results: { WIN, LOSS, DRAW, REFUND } }) => sum + WIN + LOSS + DRAW + REFUND, 0)
  process.stdout.write(JSON.stringify({ ms, rssMb: process.memoryUsage().rss / 1024 ** 2, events: told, settled } satisfies Opened))
  journal.close()
}

function run(events: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'bench-journal-'))
  try {
    const [path, empty] = [join(folder, 'full.db'), join(folder, 'empty.db')]
    const contests = write(path, events)
    new SqliteJournal(empty).close()
    const sizeMb = () => Math.round(statSync(path).size / 1024 ** 2)
    const idle = opened(empty)
    const before = sizeMb()
    const folding = opened(path)
    const starts = Array.from({ length: STARTS }, () => opened(path)).toSorted((a, b) => a.ms - b.ms)
    const median = starts[STARTS >> 1] ?? folding
    const overIdleMb = median.rssMb - idle.rssMb
    console.log(`${events} events of ${contests} contests over ${((contests * BETWEEN_MS) / DAY_MS).toFixed(1)} days`)
    console.log(
      `the first start, which folds them: ${Math.round(folding.ms)} ms, ${Math.round(folding.rssMb - idle.rssMb)} MB over an empty journal`,
    )
    console.log(`later starts: median ${Math.round(median.ms)} ms, ${Math.round(overIdleMb)} MB over an empty journal`)
    console.log(`size: ${before} MB before, ${sizeMb()} MB after; events told: ${median.events}`)
    if (median.settled !== contests) throw new Error(`${median.settled} contests are settled by the facts, ${contests} were`)
    if (median.ms > FIRST_LINE_MS || overIdleMb > MEMORY_MB) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function opened(path: string): Opened {
  const { stdout, stderr, status } = spawnSync(process.execPath, [import.meta.filename, '--open', path], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Opened
}

/** @returns how many contests they are of */
function write(path: string, events: number): number {
  const db = openJournal(path, 'FULL')
  db.exec('PRAGMA synchronous = OFF; BEGIN')
  const statements = prepareStatements(db)
  const contests = Math.floor(events / 3)
  let n = 0
  for (let index = 0; index < contests; index++) {
    const at = START_MS + index * BETWEEN_MS
    const [contestId, ticketId] = [keyedUuid('contest', index), keyedUuid('ticket', index)]
    const key = `${++n}:ladder:0`
    const mode = index % 2 === 0 ? 'best_trade' : 'price_prediction'
    const tell = (type: string, data: object) =>
      statements.addEvent.run(n, at, JSON.stringify({ id: uuidv7(at, n, type), type, data, createdAt: new Date(at).toISOString() }), null)
    const entry = { type: 'enqueue', mode, stake: 1_000_000n, durationSec: 15, opponents: 'ANY' }
    statements.addIntent.run(key, n, at, encodeExact(entry), '1000000', '1000000')
    statements.settleIntent.run('accepted', ticketId, null, at, key)
    tell('match.found', { ticketId, contestId, mode, stake: '1000000', opponents: 'ANY', error: null })
    n += 1
    const [startsAt, endsAt] = [new Date(at).toISOString(), new Date(at + 15_000).toISOString()]
    tell('contest.live', { contestId, mode, chain: 'solana', status: 'live', startsAt, endsAt })
    if (index % 5 === 0) {
      const swap = `${++n}:crossover:0`
      const action = { type: 'swap', contestId, from: USDC_MINT, to: SOL_MINT, amount: 10_000_000n }
      statements.addIntent.run(swap, n, at, encodeExact(action), '10000000', '150000')
      const record = { key: swap, wallet: 'wallet', transaction: 'AQAB'.repeat(300), lastValidBlockHeight: n, sentAt: at }
      const amounts = { given: 10_000_000n, quotedOut: 7n, minOut: 6n, signature: undefined, before: undefined }
      statements.setSwap.run(...rowOfSwap({ ...record, ...amounts }))
      statements.settleIntent.run('filled', null, null, at, swap)
      const fill = {
        key: swap,
        contestId,
        signature: undefined,
        at,
        from: USDC_MINT,
        to: USDC_MINT,
        given: 10_000_000n,
        received: 10_000_001n,
      }
      statements.addFill.run(...rowOfFill({ ...fill, feeLamports: 5000n, source: 'chain' }))
    }
    if (index % 5 === 1) {
      const [entryId, price, salt] = [keyedUuid('entry', index), '187.25', `salt-of-the-bench-number-${index}`]
      statements.setCustody.run(contestId, entryId, price, salt, commitmentOf(price, salt, entryId), 'revealed', at)
    }
    n += 1
    const settled = { contestId, mode, result: index % 2 === 0 ? 'WIN' : 'LOSS', stake: '1000000', payout: '0' }
    tell('contest.settled', { ...settled, profit: index % 2 === 0 ? '900000' : '-1000000', versus: 'AGENT', rpDelta: 5, rpAfter: 1005 })
  }
  db.exec('COMMIT')
  db.close()
  return contests
}
