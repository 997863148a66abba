import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../../test/support/rawEvents.ts'
import { openTestBot, type TestBot } from '../../../../test/support/testBot.ts'
import { picker } from '../../../../test/support/testStrategies.ts'
import { keyedUuid } from '../../../core/ids.ts'
import { type BotStatus, unseenPath } from '../../../pipeline/index.ts'
import { MemoryJournal } from '../../../testing/memoryJournal.ts'
import type { FleetBot } from './fleet.ts'
import { formatReport, reportOf } from './report.ts'

/** A bot that picks, and may enter two modes; one contest ended without a pick. */
async function openUnplayed(keepsModes = true): Promise<TestBot> {
  const journal = new MemoryJournal()
  journal.keepsModes = keepsModes
  const bot = await openTestBot({ journal, guard: { modes: ['draft_basket', 'up_down'] }, strategies: [picker(() => null)] })
  const draft = { contestId: keyedUuid('draft'), mode: 'draft_basket' }
  await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('ticket'), ...draft }))
  await bot.tell(rawEvent('contest.settled', { ...draft, result: 'LOSS', payout: '0', profit: '-1000000' }, START_MS + 1))
  return bot
}

function reportOn({ config, status }: TestBot, life: () => BotStatus | undefined = status) {
  const bot: FleetBot = {
    ...{
      name: 'alice',
      config,
      phase: 'drained',
      agentId: 'agent-1',
      statedAgentId: 'agent-1',
      recording: undefined,
      failure: undefined,
      shapes: undefined,
    },
    ...{ hasCaughtUp: true, keptBack: undefined, readsLeft: () => undefined, status, life },
    stream: () => ({ state: 'current', readAt: START_MS, startedAt: START_MS }),
  }
  return reportOf({ bots: [bot] }, 0)
}

describe('the report of start', () => {
  test('has what ended without a valid move, and how each mode stands', async () => {
    const report = reportOn(await openUnplayed())
    const [alice] = report.bots
    expect(alice?.unplayed).toEqual({ count: 1, staked: '1000000', byMode: { draft_basket: { count: 1, staked: '1000000' } } })
    expect(alice?.modes).toEqual({ draft_basket: { state: 'closed', why: 'MODE_CLOSED' }, up_down: { state: 'open', why: null } })
    expect(formatReport(report)).toContain('\n  one contest ended without a valid move, 1.00 USDC staked\n')
  })

  test('says nothing of them where every mode can be played, nor where nobody knows', async () => {
    const nothing = { unplayed: { count: null, staked: null, byMode: {} }, modes: {} }
    const bot = await openUnplayed(false)
    expect(reportOn(bot).bots[0]).toMatchObject(nothing)
    expect(reportOn(bot, () => undefined).bots[0]).toMatchObject(nothing)
    expect(formatReport(reportOn(bot))).not.toContain('valid move')
  })

  test('tells what cannot be read from what is on trial, which is open', async () => {
    const bot = await openUnplayed()
    const modes = bot.status().modes?.map((mode, place) => ({
      ...{ ...mode, since: undefined },
      code: place === 0 ? ('MODE_UNREADABLE' as const) : ('MODE_ON_TRIAL' as const),
    }))
    expect(reportOn(bot, () => ({ ...bot.status(), modes })).bots[0]?.modes).toEqual({
      draft_basket: { state: 'closed', why: 'MODE_UNREADABLE' },
      up_down: { state: 'open', why: 'MODE_ON_TRIAL' },
    })
  })

  test('tells a path of swaps that is down from one that nobody has looked at, as of a bot that drains', async () => {
    const bot = await openUnplayed()
    const modes = bot.status().modes?.map((mode) => ({ ...mode, mode: 'pnl_usd', code: 'SWAP_PATH_DOWN' as const, since: undefined }))
    const stateAt = (isDown: boolean) =>
      reportOn(bot, () => ({ ...bot.status(), modes, path: { ...unseenPath, okAt: 1, isDown } })).bots[0]?.modes
    expect(stateAt(true)).toEqual({ pnl_usd: { state: 'closed', why: 'SWAP_PATH_DOWN' } })
    expect(stateAt(false)).toEqual({ pnl_usd: { state: 'open', why: null } })
  })
})
