import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { from, lastValueFrom, toArray } from 'rxjs'
import { afterAll, describe, expect, test } from 'vitest'
import botsConfig from '../../../bots.config.ts'
import { heldPrediction, journalRecord, openedJournal } from '../../../test/support/journalFiles.ts'
import { type RawEvent, rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { readEvent } from '../../contract/events.ts'
import { DAY_MS } from '../../core/day.ts'
import { keyedUuid } from '../../core/ids.ts'
import { keyedRandom } from '../../core/random.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { onceEach } from '../../pipeline/flow/onceEach.ts'
import { type BotStatus, inPlace, type JournalContents, PriceBook, statusOf } from '../../pipeline/index.ts'
import { enqueue } from '../../strategy/action.ts'
import { readConfig } from '../../strategy/config.ts'
import { checkJournal } from './checkJournal.ts'
import { repairJournal } from './repairJournal.ts'
import { SqliteJournal } from './sqliteJournal.ts'
import { defineRowSum, sumOf } from './sums.ts'

const folder = mkdtempSync(join(tmpdir(), 'folder-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const freshFile = () => join(folder, `${files++}.db`)

const MODES = ['pnl_usd', 'best_trade', 'up_down']
const RESULTS = [
  ['WIN', '900000'],
  ['LOSS', '-1000000'],
  ['DRAW', '0'],
  ['REFUND', '0'],
] as const
/** Contests over twelve days, each an hour and a little after the one before. */
const BETWEEN_MS = 70 * 60_000

/** Writes what a bot hears and does over these contests; the first never ends, and its prediction is not revealed. */
function play(journal: SqliteJournal, contests: number, seed: number): RawEvent[] {
  const random = keyedRandom(seed)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random.next() * of.length)] as T
  const told: RawEvent[] = []
  let n = 0
  const tell = (event: RawEvent, at: number) => {
    n += 1
    told.push(event)
    journal.commit(journalRecord({ n, at, event: { raw: event, problem: undefined }, cursor: event.id }))
  }
  for (let index = 0; index < contests; index++) {
    const at = START_MS + index * BETWEEN_MS
    const [contestId, ticketId] = [keyedUuid('contest', index), keyedUuid('ticket', index)]
    const mode = pick(MODES)
    const strategy = pick(['ladder', 'other'])
    const key = `${n}:${strategy}:0`
    const action = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
    journal.commit(journalRecord({ n, at, intents: [{ key, action, at, stake: usdc('1'), risk: usdc('1') }] }))
    journal.commit(journalRecord({ n, at, outcomes: [{ key, status: 'accepted', made: ticketId }] }))
    tell(rawEvent('match.found', { ticketId, contestId, mode }, at), at)
    const [startsAt, endsAt] = [new Date(at).toISOString(), new Date(at + 15_000).toISOString()]
    tell(rawEvent('contest.live', { contestId, mode, startsAt, endsAt }, at + 1), at + 1)
    if (index === 0) journal.commit(journalRecord({ n, at, custody: [{ ...heldPrediction(1), contestId }] }))
    else if (index % 3 === 0) journal.commit(journalRecord({ n, at, custody: [{ ...heldPrediction(1, 'revealed'), contestId }] }))
    if (index % 2 === 0) swap(journal, { n, at: at + 2, contestId, isSold: index % 4 === 0 })
    if (index === 0) continue
    const [result, profit] = pick(RESULTS)
    if (index % 11 === 0) tell(rawEvent('contest.cancelled', { contestId }, at + 15_000), at + 15_000)
    else tell(rawEvent('contest.settled', { contestId, mode, result, profit }, at + 15_000), at + 15_000)
    // A service may contradict itself: what counts is no other when that is folded.
    if (index % 13 === 0)
      tell(rawEvent('contest.settled', { contestId, mode, result: 'LOSS', profit: '-1000000' }, at + 16_000), at + 16_000)
  }
  return told
}

function swap(journal: SqliteJournal, { n, at, contestId, isSold }: { n: number; at: number; contestId: string; isSold: boolean }): void {
  const legs = [
    { key: `${n}:trader:0`, from: USDC_MINT, to: SOL_MINT },
    ...(isSold ? [{ key: `${n}:trader:1`, from: SOL_MINT, to: USDC_MINT }] : []),
  ]
  for (const { key, from, to } of legs) {
    const action = { type: 'swap', contestId, from, to, amount: usdc('10') } as const
    journal.commit(journalRecord({ n, at, intents: [{ key, action, at, stake: usdc('10'), risk: usdc('1') }] }))
    const fill = { key, contestId, signature: undefined, at, from, to, given: usdc('10'), received: usdc('10') + BigInt(n % 7) - 3n }
    journal.commit(
      journalRecord({ n, at, outcomes: [{ key, status: 'filled' }], fills: [{ ...fill, feeLamports: 5000n, source: 'chain' }] }),
    )
  }
}

const [config] = readConfig(botsConfig, 'bots.config.ts').bots
function bookOf(contents: JournalContents): BotStatus {
  if (config === undefined) throw new Error('there is no bot')
  const seal = () => ({ salt: '', commitment: '' })
  const service = { timeoutMs: 5000, figuresHoldMs: 60_000 }
  return statusOf(contents, { config, paths: {}, ...service, book: new PriceBook(), seal, isolation: inPlace }, START_MS + 400 * DAY_MS)
}

/** What reports, guards and strategies are told of the past. */
function figuresOf({ books, portfolios, swapProfit, actions, reveals }: BotStatus) {
  const { byMode, byTerms, cancelled, staked, realised, streak, doubted, seats, tickets, custody } = books
  return {
    byMode,
    byTerms,
    cancelled,
    staked,
    realised,
    streak,
    doubted,
    seats,
    tickets,
    custody,
    portfolios,
    swapProfit,
    actions,
    reveals,
  }
}

/** A journal with all of its events and fills as if nothing were folded. */
function unfolded(file: string, contents: JournalContents): JournalContents {
  using db = new DatabaseSync(file, { readOnly: true })
  const events = db.prepare('SELECT raw FROM events ORDER BY position').all()
  const { facts: _, ...rest } = contents
  return { ...rest, events: events.map(({ raw }) => JSON.parse(String(raw)) as unknown) }
}

describe('a journal that is folded', () => {
  test.each([
    1, 2,
  ])('tells the same of the past as one that is not (seed %i), and drops what is old without telling anything else', async (seed) => {
    const [kept, dropping] = [freshFile(), freshFile()]
    const fills: JournalContents['fills'][number][] = []
    const journal = new SqliteJournal(kept, { keptDays: 0 }).belongTo('agent')
    const { commit } = journal
    journal.commit = (record) => {
      fills.push(...record.fills)
      commit.call(journal, record)
    }
    const told = play(journal, 260, seed)
    journal.close()
    const again = new SqliteJournal(kept, { keptDays: 0 })
    const contents = again.load()
    const rest = [...contents.events]
    again.close()
    expect(contents.facts).toBeDefined()
    expect(rest.length).toBeLessThan(600)

    const whole = figuresOf(bookOf({ ...unfolded(kept, contents), fills }))
    const folded = figuresOf(bookOf({ ...contents, events: rest }))
    expect(folded).toEqual(whole)
    expect(whole.seats.size).toBe(1)
    expect(whole.doubted).toBeGreaterThan(0n)
    expect(checkJournal(kept)).toEqual([])

    const old = new SqliteJournal(dropping, { keptDays: 3, foldEvery: 100 }).belongTo('agent')
    play(old, 260, seed)
    const left = old.load()
    const figures = figuresOf(bookOf({ ...left, events: [...left.events] }))
    old.close()
    // Ids differ from one journal to the other, but not what they are ids of.
    expect(figures).toEqual(folded)
    expect(checkJournal(dropping)).toEqual([])
    using db = new DatabaseSync(dropping, { readOnly: true })
    const count = (sql: string) => Number(db.prepare(sql).get()?.count)
    expect(count('SELECT count(*) AS count FROM events')).toBeLessThan(told.length / 2)
    expect(count('SELECT count(*) AS count FROM intents')).toBeLessThan(330)
    expect(count('SELECT count(*) AS count FROM contests')).toBeGreaterThan(150)
    expect(count(`SELECT count(*) AS count FROM events WHERE raw LIKE '%${keyedUuid('contest', 0)}%'`)).toBe(2)
    expect(count("SELECT count(*) AS count FROM custody WHERE status = 'committed'")).toBe(1)
    expect(count('SELECT count(*) AS count FROM sums')).toBeGreaterThan(3)

    // The service has lost its place, and tells everything again.
    const inputs = told.map((raw) => ({ type: 'event', raw, read: readEvent(raw), cursor: undefined, recorded: false }) as const)
    const passed = await lastValueFrom(from(inputs).pipe(onceEach({ seen: contents.facts?.seen }), toArray()))
    using full = new DatabaseSync(kept, { readOnly: true })
    const { position } = JSON.parse(String(full.prepare('SELECT body FROM facts').get()?.body)) as { position: number }
    expect(passed.map(({ raw }) => raw)).toEqual(told.slice(position))
  })

  test('whose disk is full while it is folded stays as it was, and is folded once there is room', () => {
    const file = freshFile()
    const { journal, db } = openedJournal(file)
    journal.belongTo('agent')
    for (let n = 1; n <= 499; n++) {
      const event = rawEvent('contest.settled', { contestId: keyedUuid('contest', n) }, START_MS + n)
      journal.commit(journalRecord({ n, event: { raw: event, problem: undefined }, cursor: event.id }))
    }
    const event = rawEvent('contest.settled', { contestId: keyedUuid('contest', 500) }, START_MS + 500)
    journal.commit(
      journalRecord({ n: 500, event: { raw: event, problem: undefined }, cursor: event.id, refusals: [], custody: [heldPrediction(1)] }),
    )
    db.exec(`PRAGMA max_page_count = ${db.prepare('PRAGMA page_count').get()?.page_count}`)
    expect(() => journal.load()).toThrow(expect.objectContaining({ code: 'JOURNAL_WRITE_FAILED' }))
    db.exec('PRAGMA max_page_count = 1000000')
    expect(journal.load().facts?.byMode).toMatchObject([{ mode: 'up_down', results: { WIN: 500 } }])
    journal.close()
    expect(checkJournal(file)).toEqual([])
  })

  test('and contradicts its rows is found, and folded again after a repair', () => {
    const file = freshFile()
    const journal = new SqliteJournal(file, { keptDays: 0 }).belongTo('agent')
    play(journal, 200, 5)
    journal.close()
    const again = new SqliteJournal(file, { keptDays: 0 })
    const before = again.load().facts
    again.close()
    using db = new DatabaseSync(file)
    defineRowSum(db)
    db.exec(`UPDATE facts SET body = replace(body, '"WIN":', '"WIN":1'); UPDATE facts SET sum = ${sumOf('facts')}`)
    db.close()
    expect(checkJournal(file).map(({ table, message }) => `${table} ${message}`)).toContainEqual(
      expect.stringMatching(/^facts .*their rows are/),
    )
    expect(repairJournal(file).left).toEqual([])
    const mended = new SqliteJournal(file, { keptDays: 0 })
    const after = mended.load().facts
    mended.close()
    expect(after?.byMode.map(({ mode }) => mode).toSorted()).toEqual(before?.byMode.map(({ mode }) => mode).toSorted())
    expect(checkJournal(file)).toEqual([])
  })
})

describe('a prediction in custody that is not what was written', () => {
  test('is said, and keeps no other from being revealed', () => {
    const file = freshFile()
    const { journal, db } = openedJournal(file)
    journal.belongTo('agent').commit(journalRecord({ custody: [heldPrediction(1), heldPrediction(2), heldPrediction(3)] }))
    db.exec(`UPDATE custody SET price = '187.26' WHERE contest_id = '${keyedUuid('contest', 1)}'`)
    db.exec(`UPDATE custody SET at = at + 1 WHERE contest_id = '${keyedUuid('contest', 2)}'`)
    const { custody, faults = [] } = journal.load()
    journal.close()
    expect(custody.map(({ contestId }) => contestId).toSorted()).toEqual([2, 3].map((n) => keyedUuid('contest', n)).toSorted())
    expect(faults).toHaveLength(2)
    expect(faults.find((fault) => fault.includes(keyedUuid('contest', 1)))).toMatch(/checksum does not fit.*its prediction is not revealed/)
    expect(faults.find((fault) => fault.includes(keyedUuid('contest', 2)))).toMatch(/so it is revealed/)
    expect(faults.join()).not.toMatch(/salt-of-the-test|187/)
  })
})
