import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { journalRecord } from '../../test/support/journalFiles.ts'
import { usdc } from '../core/usdc.ts'
import { SqliteJournal } from '../live/index.ts'
import { freshMode, nextMode, UNPLAYED_LIMITS } from '../pipeline/index.ts'
import { type Control, withModeSaid } from './control.ts'
import { journalFile } from './journals.ts'
import { modesOf } from './modesOf.ts'

const folder = mkdtempSync(join(tmpdir(), 'modes-of-'))
mkdirSync(join(folder, 'bots'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const nothingSaid: Control = { state: 'running', bots: {} }
const closed = nextMode(freshMode('same_token'), { type: 'unplayed', hindrance: 'noPiece', stake: usdc('1.5') }, 1000, UNPLAYED_LIMITS)
const moved = nextMode(freshMode('pnl_usd'), { type: 'moved', isPart: false }, 1000, UNPLAYED_LIMITS)
const journal = new SqliteJournal(journalFile(folder, 'alice'))
journal.commit(journalRecord({ n: 1, at: 1000, modes: [closed, moved] }))
journal.close()

const OPEN = { state: 'open', code: null, why: null, since: null, unplayed: { count: 0, staked: '0' }, trials: 0, trialAt: null }
const SAME_TOKEN = {
  mode: 'same_token',
  state: 'closed',
  code: 'MODE_CLOSED',
  why: "the service's answers do not have what a move needs where this bot looks for it",
  since: 1000,
  unplayed: { count: 1, staked: '1500000' },
  trials: 0,
  trialAt: 1000 + 30 * 60_000,
}

describe('how the modes of a bot stand', () => {
  test('is what its journal says, in the order of the modes', () => {
    expect(modesOf(folder, 'alice', nothingSaid)).toEqual({ bot: 'alice', modes: [{ mode: 'pnl_usd', ...OPEN }, SAME_TOKEN] })
  })

  test('is what the operator has said since, though no start has taken it up', () => {
    const opened = withModeSaid(nothingSaid, { mode: 'same_token', command: 'open' }, 5000)
    const said = withModeSaid(opened, { mode: 'up_down', command: 'close', bots: ['alice'] }, 6000)
    expect(modesOf(folder, 'alice', said).modes).toEqual([
      { mode: 'pnl_usd', ...OPEN },
      { mode: 'up_down', ...OPEN, state: 'closed', code: 'MODE_CLOSED', why: 'the operator has said so', since: 6000 },
      { mode: 'same_token', ...OPEN, unplayed: SAME_TOKEN.unplayed },
    ])
  })

  test('is what the mapping lacks of it, or has unproven, as of the newest start', () => {
    const read = (mode: string, lacks: readonly string[], hash: string | undefined) =>
      nextMode(freshMode(mode), { type: 'mapped', reading: { hash, lacks, isOnTrial: lacks.length === 0 } }, 1000, UNPLAYED_LIMITS)
    const drifted = nextMode(
      read('same_token', [], 'a'),
      { type: 'drifted', piece: { piece: 'token', place: 'contest:token' } },
      2000,
      UNPLAYED_LIMITS,
    )
    const records = [read('pnl_usd', [], 'a'), read('draft_basket', ['turn'], 'a'), read('up_down', [], undefined), drifted]
    const dora = new SqliteJournal(journalFile(folder, 'dora'))
    dora.commit(journalRecord({ n: 1, at: 1000, modes: records }))
    expect(dora.load().modes).toMatchObject([{ reading: { lacks: ['turn'] } }, {}, { reading: { drifted: [{ piece: 'token' }] } }, {}])
    dora.close()
    expect(modesOf(folder, 'dora', nothingSaid).modes).toMatchObject([
      { mode: 'pnl_usd', state: 'open', code: 'MODE_ON_TRIAL', why: expect.stringContaining('one contest at a time') },
      {
        mode: 'draft_basket',
        state: 'closed',
        code: 'MODE_UNREADABLE',
        why: expect.stringContaining('service.shapes.pieces.turn: run'),
        since: null,
      },
      { mode: 'up_down', state: 'closed', code: 'SERVICE_UNPROBED' },
      { mode: 'same_token', state: 'closed', code: 'MODE_UNREADABLE', since: 2000, trialAt: null },
    ])
  })

  test('is not what was said before the journal heard of it: a mode that was closed since stays so', () => {
    const heard = nextMode(closed, { type: 'said', command: 'open', saidAt: 2000 }, 2000, UNPLAYED_LIMITS)
    const lost = nextMode(heard, { type: 'unplayed', hindrance: 'noPiece', stake: usdc('1.5') }, 3000, UNPLAYED_LIMITS)
    const bob = new SqliteJournal(journalFile(folder, 'bob'))
    bob.commit(journalRecord({ n: 1, at: 3000, modes: [lost] }))
    const said = withModeSaid(nothingSaid, { mode: 'same_token', command: 'open' }, 2000)
    expect(modesOf(folder, 'bob', said).modes).toMatchObject([{ mode: 'same_token', state: 'closed', since: 3000, unplayed: { count: 2 } }])
    bob.close()
  })

  test('is not known where its journal cannot be read', () => {
    writeFileSync(journalFile(folder, 'carol'), 'not a database, whatever it is called'.repeat(50))
    expect(modesOf(folder, 'carol', nothingSaid)).toEqual({
      bot: 'carol',
      modes: null,
      failure: { code: 'JOURNAL_CORRUPT', message: expect.stringContaining('carol.db') },
    })
  })
})
