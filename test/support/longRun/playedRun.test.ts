import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordAnswers } from '../../shapes/recordedAnswers.ts'
import { playedRunOf, playedRunText, type RunLine } from './playedRun.ts'

// Alice moves in every contest. Bob has taken a seat and does nothing.

const file = join(mkdtempSync(join(tmpdir(), 'played-run-')), 'sandbox.db')
const { answers } = recordAnswers({ file })
const agents = ['alice', 'bob'].map((name) => {
  return { name, agentId: answers.find(({ context }) => context.handle === name)?.context.agentId ?? '' }
})
const played = (lines: readonly RunLine[]) => playedRunOf({ file, agents, lines, playedMs: 1_800_000 })
const unplayed = (bot: string, contestId: string): RunLine => {
  return { level: 'error', time: 0, msg: '', bot, contestId, code: 'UNPLAYED', hindrance: 'unread' }
}

test('a stake that the sandbox saw no move for is lost, whether the log says so or not', () => {
  const { settled, staked, lost, wronglySaid } = played([])
  expect(settled).toBeGreaterThan(9)
  expect(staked).toBeGreaterThan(lost.reduce((sum, { stake }) => sum + stake, 0n))
  expect(lost.map(({ bot, reason }) => ({ bot, reason }))).toContainEqual({ bot: 'bob', reason: undefined })
  expect(lost.filter(({ bot }) => bot === 'alice')).toEqual([])
  expect(wronglySaid).toEqual([])
})

test('the reason is that of the log’s line, and a line about a contest that was played is wrong', () => {
  const [first] = played([]).lost
  const { contestId = '' } = first ?? {}
  const { lost, wronglySaid } = played([unplayed('bob', contestId), unplayed('alice', contestId)])
  expect(lost.find((stake) => stake.contestId === contestId)).toEqual({ ...first, reason: 'unread' })
  expect(wronglySaid).toEqual([`alice ${contestId} unread`])
})

test('the text has the counts an hour, by mode, and each lost stake', () => {
  const run = played([])
  const text = playedRunText(run)
  expect(text).toContain(`${run.settled} contests settled in 30.0 minutes`)
  expect(text).toContain(`; ${run.settled * 2}.0 contests an hour`)
  for (const [mode, count] of Object.entries(run.settledByMode))
    expect(text).toMatch(new RegExp(`${mode} +${count} settled, ${count * 2}\\.0 an hour`))
  for (const { contestId } of run.lost) expect(text).toMatch(new RegExp(`bob: .* ${contestId} .*: not said`))
})
