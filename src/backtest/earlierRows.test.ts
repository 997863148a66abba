import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testBot, testContest } from '../../test/support/backtest/testRun.ts'
import { keyedRandom } from '../core/random.ts'
import { usdc } from '../core/usdc.ts'
import { pairedBots, readRows } from './earlierRows.ts'
import type { PlayedContest } from './result.ts'
import { contestRows } from './rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'rows-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'rows.ndjson')
const read = (text: string) => {
  writeFileSync(file, text)
  return readRows(file)
}
const contests = (chance: number, count = 400): PlayedContest[] =>
  Array.from({ length: count }, (_, index) => {
    const wins = keyedRandom(1, index).next() < chance
    const at = 1_700_000_000_000 + index * 60_000
    const end = wins ? ({ result: 'WIN', profit: usdc('0.9') } as const) : ({ result: 'LOSS', profit: -usdc('1') } as const)
    return testContest({ contestId: `c${index}`, enteredAt: at, startsAt: at, ...end })
  })
const bot = (name: string, chance: number, count?: number) => testBot({ name, contests: contests(chance, count) })

test('what --rows writes is read as it was, bot by bot', () => {
  const bots = [bot('alice', 0.5), bot('bob', 0.4)]
  const rows = read(contestRows({ bots }))
  expect([...(rows?.keys() ?? [])]).toEqual(['alice', 'bob'])
  const wanted = bots[1]?.contests.map(({ contestId, enteredAt, startsAt, stake, profit, swapProfit, result }) => ({
    ...{ contestId, enteredAt, startsAt, stake, profit, swapProfit, result },
  }))
  expect(rows?.get('bob')).toEqual(wanted)
})

test('another file is left to who reads summaries', () => {
  expect(read('{"bots":[]}')).toBeUndefined()
  expect(read('no json')).toBeUndefined()
  expect(read('')).toBeUndefined()
  expect(readRows(join(folder, 'missing'))).toBeUndefined()
})

test('a line that is no contest is named with its number and field', () => {
  const [line = '', other = ''] = contestRows({ bots: [bot('alice', 0.5)] }).split('\n')
  expect(() => read(`${line}\n${other.slice(0, 40)}`)).toThrow(/rows\.ndjson:2 is no line of JSON: .*--rows FILE/)
  expect(() => read(`${line}\n${other.replace(/"stake":"\d+"/, '"stake":"lots"')}`)).toThrow(
    /rows\.ndjson:2 is no contest: stake = 'lots': micro-USDC in digits/,
  )
  expect(() => read(line.replace(/"enteredAt":\d+,/, ''))).toThrow(/rows\.ndjson:1 is no contest: enteredAt is missing/)
})

test('each bot is held against the one of its name, and said in a sentence', () => {
  const rows = read(contestRows({ bots: [bot('alice', 0.4), bot('bob', 0.5)] })) ?? new Map()
  const [alice, bob, carol] = pairedBots([bot('alice', 0.6), bot('bob', 0.5), bot('carol', 0.5)], rows)
  expect(alice?.paired?.difference).toBeGreaterThan(0.2)
  expect(alice?.sentence).toMatch(
    /^alice: \+\d\d\.\d points of the stake a contest over the other run, paired by time: 95% interval \+.* to \+.*, p = 0\.000; 400 contests and 400, 400 the same, in 16 ranges of time\. Told from zero\.$/,
  )
  expect(bob?.sentence).toBe('bob: no paired test: the contests came out the same in both runs')
  expect(carol?.sentence).toBe('carol: the other run has no bot of this name')
})

test('one bot is held against one of another name, and too few or others’ contests are said', () => {
  const rows = read(contestRows({ bots: [bot('before', 0.5, 89)] })) ?? new Map()
  const [few] = pairedBots([bot('after', 0.6)], rows)
  expect(few).toMatchObject({ paired: null, sentence: expect.stringContaining('below 90 contests on each side, and there are 400 and 89') })
  const others = contests(0.5).map((contest) => ({ ...contest, contestId: `x${contest.contestId}` }))
  const [alone] = pairedBots(
    [testBot({ name: 'after', contests: others })],
    read(contestRows({ bots: [bot('before', 0.52)] })) ?? new Map(),
  )
  expect(alone?.paired?.shared).toBe(0)
  expect(alone?.sentence).toContain('Fewer than half of them are the same contests')
})
