import { describe, expect, test } from 'vitest'
import { startProblems } from './startProblems.ts'

const settled = { settled: 3, won: 1, lost: 1, drawn: 0, refunded: 1 }
const bot = {
  name: 'alice',
  agentId: '1',
  contests: { ...settled, cancelled: 0 },
  byMode: { up_down: settled },
  profit: '-950000',
  staked: '3000000',
  actions: { sent: 9, refused: 1, failed: 0, unknown: 0 },
  reveals: { due: 2, done: 2 },
  trades: { confirmed: 4, failed: 1 },
}
const resultOf = (...bots: readonly object[]) => JSON.stringify({ bots, uptimeMs: 40_000, recordings: ['a.ndjson'] })

describe('startProblems', () => {
  test('a good result has none', () => {
    expect(startProblems(`${resultOf(bot, { ...bot, name: 'bob' })}\n`, 0)).toEqual([])
  })

  test('a good result does not make up for a bad exit code', () => {
    expect(startProblems(resultOf(bot), 124)).toEqual(['npm start exited with 124'])
  })

  test.for([
    { change: { contests: { ...bot.contests, settled: 0 } }, problem: 'bot bob: contests.settled is 0 and must be at least 1' },
    { change: { trades: { confirmed: 0, failed: 3 } }, problem: 'bot bob: trades.confirmed is 0 and must be at least 1' },
    { change: { actions: { ...bot.actions, unknown: 1 } }, problem: 'bot bob: actions.unknown is 1 and must be 0' },
    { change: { actions: { ...bot.actions, failed: 2 } }, problem: 'bot bob: actions.failed is 2 and must be 0' },
    { change: { reveals: { due: 2, done: 1 } }, problem: 'bot bob: 1 of 2 due reveals were made' },
  ])('one bad bot among good ones: $problem', ({ change, problem }) => {
    expect(startProblems(resultOf(bot, { ...bot, name: 'bob', ...change }, bot), 0)).toEqual([problem])
  })

  test.for([
    { output: '', says: 'is empty' },
    { output: `${resultOf(bot)}\n${resultOf(bot)}`, says: 'one JSON document' },
    { output: `> cornerman@0.1.0 start\n${resultOf(bot)}`, says: 'one JSON document' },
    { output: resultOf(), says: 'bots' },
    { output: resultOf({ ...bot, reveals: undefined }), says: 'bots[0].reveals' },
    { output: resultOf({ ...bot, profit: '-0.95' }), says: 'micro-USDC digits' },
    { output: resultOf({ ...bot, actions: { ...bot.actions, unknown: '0' } }), says: 'bots[0].actions.unknown' },
  ])('$output is not of the documented form', ({ output, says }) => {
    const problems = startProblems(output, 0)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(says)
  })
})
