import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditOf, type LoggedLine } from './audit.ts'
import { recordAnswers } from './recordedAnswers.ts'

// Alice moves in every contest, the second pick of a draft apart; Bob has taken a seat and does nothing.

const file = join(mkdtempSync(join(tmpdir(), 'audit-')), 'sandbox.db')
const { answers } = recordAnswers({ file })
const idOf = (name: string) => answers.find(({ context }) => context.handle === name)?.context.agentId ?? ''
const [alice, bob] = [idOf('alice'), idOf('bob')]
const audit = (agentId: string, lines: readonly LoggedLine[] = []) => auditOf({ file, agentId, lines })
const at = (ms: number) => new Date(ms).toISOString()

test('a bot that moved in every contest is fine', () => {
  const { verdict, contests, entries } = audit(alice)
  expect(contests.filter(({ hasMoved }) => !hasMoved)).toEqual([])
  expect(verdict).toBe('fine')
  expect(new Set(contests.map(({ mode }) => mode)).size).toBe(9)
  expect(entries).toBeGreaterThan(9)
})

test('a contest without a move is a silent loss, unless a warning names it or its mode', () => {
  const { verdict, contests } = audit(bob)
  expect(verdict).toBe('silentLoss')
  const [contest] = contests
  expect(contest).toMatchObject({ mode: 'draft_basket', hasMoved: false, isSaid: false })
  const time = at(contest?.endedAt ?? 0)
  expect(audit(bob, [{ level: 'error', time, msg: 'draft_basket: nothing was picked' }]).verdict).toBe('saidLoss')
  expect(audit(bob, [{ level: 'warn', time, msg: `unplayed ${contest?.contestId}` }]).verdict).toBe('saidLoss')
  expect(audit(bob, [{ level: 'info', time, msg: 'draft_basket: joined' }]).verdict).toBe('silentLoss')
  expect(audit(bob, [{ level: 'warn', time, msg: 'the service is slow' }]).verdict).toBe('silentLoss')
  expect(audit(bob, [{ level: 'warn', time: at(0), msg: 'draft_basket is not playable' }]).verdict).toBe('silentLoss')
})

test('an agent without an entry was never started, and what was before does not count', () => {
  expect(audit('nobody')).toMatchObject({ verdict: 'neverStarted', entries: 0, contests: [] })
  const last = Math.max(...audit(alice).contests.map(({ enteredAt }) => enteredAt))
  const { contests } = auditOf({ file, agentId: alice, lines: [], fromMs: last + 1 })
  expect(contests).toEqual([])
})
