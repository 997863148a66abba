import { describe, expect, test } from 'vitest'
import { contentOf, emptyFolder, linesOf } from '../../test/support/logFiles.ts'
import { readLogs } from '../backtest/log/readLogs.ts'
import type { Contest } from '../contract/records.ts'
import { VirtualClock } from '../core/clock.ts'
import { CornermanError } from '../core/error.ts'
import { SOL_MINT } from '../core/tokens.ts'
import { PriceBook, type ReadRequest, type ReadResult } from '../pipeline/index.ts'
import { checkLog, type InputLine } from '../recording/index.ts'
import { ContestScout, type ServiceReads } from './contestScout.ts'
import { ScoutLog } from './scoutLog.ts'

const START = Date.parse('2026-02-01T00:00:00Z')
const HEADER: Parameters<ScoutLog['begin']>[0] = {
  ...{ source: 'live', bot: 'scout', agentId: 'a-1', run: '20260201T000000Z-abc', config: null, mints: [] },
  software: { cornerman: '0', node: '24' },
}
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

interface Played {
  readonly n: number
  readonly mode?: string
  readonly startSec: number
  readonly endSec: number
}

/** A service with contests that begin and end by its clock. */
class TestService {
  readonly asked: ReadRequest[] = []
  isAway = false
  hasScores = true
  readonly pageSize: number
  readonly #clock: VirtualClock
  readonly #played: readonly Played[]

  constructor(clock: VirtualClock, played: readonly Played[], pageSize = 50) {
    this.pageSize = pageSize
    this.#clock = clock
    this.#played = played
  }

  read: ServiceReads['read'] = (request) => {
    this.asked.push(request as ReadRequest)
    if (this.isAway) return Promise.resolve({ ok: false, refusal: undefined, reason: 'ECONNREFUSED' })
    return Promise.resolve({ ok: true, output: this.#outputOf(request as ReadRequest) } as ReadResult<never>)
  }

  #outputOf({ procedure, input }: ReadRequest): object {
    const asked = input as { status?: string; contestId?: string; cursor?: number }
    if (procedure === 'agent.contests.list') {
      const all = this.#played.map((each) => this.#contest(each)).filter(({ status }) => status === asked.status)
      const from = Number(asked.cursor ?? 0)
      const nextCursor = from + this.pageSize < all.length ? from + this.pageSize : null
      return { items: all.slice(from, from + this.pageSize), nextCursor }
    }
    const one = this.#played.find(({ n }) => id(n) === asked.contestId)
    if (one === undefined) throw new Error(`${asked.contestId} is no contest`)
    return procedure === 'agent.contests.get' ? this.#contest(one) : { contestId: id(one.n), mode: one.mode, startPrice: '100' }
  }

  #contest({ n, mode = 'pnl_usd', startSec, endSec }: Played): Contest {
    const sec = (this.#clock.now() - START) / 1000
    const status = sec < startSec - 20 ? 'none' : sec < startSec ? 'open' : sec < endSec ? 'live' : 'settled'
    const times = { startsAt: START + startSec * 1000, endsAt: START + endSec * 1000 }
    const scored = (entryId: string, score: string) => ({
      entryId,
      kind: 'AGENT',
      ...(status === 'settled' && this.hasScores ? { score } : {}),
    })
    const entries = [scored(id(2 * n), '1.5'), scored(id(2 * n + 1), '-0.5')]
    return { contestId: id(n), mode, status, stake: 1_000_000n, durationSec: endSec - startSec, capacity: 2, ...times, entries, you: null }
  }
}

function open(played: readonly Played[], options: { modes?: readonly ('pnl_usd' | 'up_down')[]; pageSize?: number } = {}) {
  const clock = new VirtualClock(START)
  const folder = emptyFolder()
  const book = new PriceBook()
  const log = new ScoutLog({ folder, book })
  log.begin(HEADER, clock.now())
  const service = new TestService(clock, played, options.pageSize)
  const said: string[] = []
  const failures: unknown[] = []
  const say = (level: string, message: string) => void said.push(`${level}: ${message}`)
  const scout = new ContestScout({ service, clock, log, modes: options.modes, say, onFailure: (thrown) => failures.push(thrown) })
  scout.start()
  return { clock, folder, book, log, service, said, failures, scout }
}

const answersOf = (folder: string) =>
  contentOf(folder)
    .filter((line): line is InputLine => line.kind === 'input')
    .map(({ body }) => body as { request: { procedure: string; share?: number }; result: { output: { items?: Contest[] } & Contest } })

describe('a scout of contests', () => {
  test('records them from their lists to their results, as a log that backtests can read', async () => {
    const { clock, folder, book, log, scout } = open([
      { n: 1, startSec: 10, endSec: 40 },
      { n: 2, mode: 'up_down', startSec: 15, endSec: 45 },
    ])
    for (let sec = 0; sec < 60; sec++) {
      book.append({ at: clock.now(), prices: new Map([[SOL_MINT, String(100 + sec)]]) })
      log.prices(clock.now())
      await clock.advanceBy(1000)
    }
    scout.stop()
    log.close()
    expect(checkLog(folder)).toEqual([])
    expect(scout.watch.figures).toMatchObject({ seen: 2, settled: 2 })
    const { opportunities, prices } = readLogs([folder])
    expect(prices.known).toHaveLength(60)
    expect(
      opportunities.map(({ contestId, via, lockedAt, others }) => [
        contestId,
        via,
        lockedAt,
        others.map(({ score }) => score !== undefined),
      ]),
    ).toEqual([
      [id(1), 'list', START + 10_000, [true]],
      [id(2), 'list', START + 15_000, [true]],
    ])
    expect(opportunities[1]?.facts).toEqual([])
    expect(answersOf(folder).filter(({ request }) => request.share === 1)).toHaveLength(5)
  })

  test('reads open contests every 5 s and live ones every 10 s, page by page', async () => {
    const played = Array.from({ length: 7 }, (_, n) => ({ n: n + 1, startSec: 15, endSec: 3000 }))
    const { clock, service, scout } = open(played, { pageSize: 3 })
    await clock.advanceBy(14_900)
    const lists = service.asked.map(({ input }) => JSON.stringify(input))
    expect(lists.filter((input) => input.includes('"open"'))).toHaveLength(9)
    expect(lists.filter((input) => input.includes('"live"'))).toHaveLength(2)
    expect(lists.filter((input) => input.includes('"cursor":6'))).toHaveLength(3)
    expect(scout.watch.figures.seen).toBe(7)
    await clock.advanceBy(60_000)
    // What stands on an earlier page is listed.
    expect(service.asked.filter(({ procedure }) => procedure !== 'agent.contests.list')).toEqual([])
  })

  test('writes of a contest that has not changed no more than that it is there', async () => {
    const { clock, folder, log, scout } = open([{ n: 1, startSec: 20, endSec: 60 }])
    await clock.advanceBy(12_000)
    scout.stop()
    log.close()
    const lists = answersOf(folder).flatMap(({ result }) => (result.output.items?.length === 1 ? result.output.items : []))
    expect(lists).toHaveLength(3)
    expect(lists[0]).toMatchObject({ mode: 'pnl_usd', entries: [{}, {}] })
    expect(lists.slice(1)).toEqual([
      { contestId: id(1), status: 'open' },
      { contestId: id(1), status: 'open' },
    ])
    expect(readLogs([folder, folder]).opportunities[0]).toMatchObject({ mode: 'pnl_usd', joinBy: START + 10_000 })
  })

  test('asks for the modes that it is told, and keeps no other', async () => {
    const contests = [
      { n: 1, startSec: 5, endSec: 20 },
      { n: 2, mode: 'up_down', startSec: 5, endSec: 20 },
    ]
    const { clock, service, scout } = open(contests, { modes: ['up_down'] })
    await clock.advanceBy(30_000)
    expect(service.asked[0]?.input).toMatchObject({ modes: ['up_down'] })
    expect(scout.watch.figures).toMatchObject({ seen: 1, byMode: { up_down: 1 } })
  })

  test('says that a list cannot be read, once, asks ever more seldom, and goes on', async () => {
    const { clock, service, said, scout } = open([{ n: 1, startSec: 300, endSec: 400 }])
    service.isAway = true
    await clock.advanceBy(290_000, 500)
    expect(said.filter((line) => line.startsWith('warn'))).toHaveLength(2)
    expect(service.asked.length).toBeLessThan(22)
    service.isAway = false
    await clock.advanceBy(200_000, 500)
    expect(said.filter((line) => line.endsWith('can be read again'))).toHaveLength(2)
    expect(scout.watch.figures).toMatchObject({ settled: 1 })
  })

  test.each([
    [true, /^info: of 10 settled contests: entries of 10, scores of 10$/],
    [false, /^warn: of 10 settled contests: .*; without scores they are of no use for backtests/],
  ])('says after ten settled contests what they tell (scores: %s)', async (hasScores, sentence) => {
    const { clock, service, said } = open(Array.from({ length: 12 }, (_, n) => ({ n: n + 1, startSec: 5 + n, endSec: 20 + n })))
    service.hasScores = hasScores
    await clock.advanceBy(120_000, 500)
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(sentence)
  })

  test('ends with a recording that cannot be written, and says so', async () => {
    const { clock, log, service, failures } = open([{ n: 1, startSec: 300, endSec: 400 }])
    log.answer = () => {
      throw new CornermanError('RECORDING_WRITE_FAILED', 'full')
    }
    await clock.advanceBy(100)
    expect(failures).toHaveLength(2)
    expect(service.asked).toHaveLength(2)
  })
})

describe('the log of a scout', () => {
  test('has prices from before it was begun, goes on in a new run, and never back in time', () => {
    const folder = emptyFolder()
    const book = new PriceBook()
    const log = new ScoutLog({ folder, book })
    const learn = (at: number) => {
      book.append({ at, prices: new Map([[SOL_MINT, String(at - START)]]) })
      log.prices(at)
    }
    learn(START + 1000)
    learn(START + 2000)
    log.begin(HEADER, START + 3000)
    learn(START + 4000)
    learn(START + 3500)
    log.begin({ ...HEADER, run: '20260201T000005Z-abc' }, START + 5000)
    learn(START + 6000)
    log.close()
    expect(checkLog(folder)).toEqual([])
    const lines = linesOf(folder).flatMap((line) =>
      line.kind === 'prices' ? [[line.n, line.at - START, line.known === undefined ? null : line.known - START]] : [],
    )
    expect(lines).toEqual([
      [1, 3000, 1000],
      [2, 3000, 2000],
      [3, 4000, null],
      [4, 4000, 3500],
      [1, 6000, null],
    ])
    expect([log.ticks, log.tokens]).toEqual([5, 1])
  })
})
