import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { openWatchedBot } from '../../../test/support/watchedBot.ts'
import type { ReadName } from '../../contract/procedures.ts'
import { keyedUuid } from '../../core/ids.ts'
import type { ReadResult } from '../../pipeline/index.ts'
import { healthOf } from '../metrics/health.ts'

const lacking = (lacks: string): ReadResult => ({ ok: false, refusal: undefined, reason: `${lacks} is not there`, lacks })

describe('an answer without what it must hold is an alarm at once, until one holds it', () => {
  test.each<[ReadName, string]>([
    ['agent.queue.list', 'items'],
    ['agent.contests.mine', 'items'],
    ['agent.limits', 'remaining'],
    ['agent.bankroll', 'available'],
  ])('%s without %s', async (procedure, field) => {
    const { bot, watch, occurrences } = await openWatchedBot({ prepare: (service) => service.onRead(procedure, () => lacking(field)) })
    const text = `the service answers ${procedure} without ${field}`
    expect(bot.notes('error')).toEqual([expect.stringContaining(text)])
    expect(healthOf(watch.fleet())).toMatchObject({ status: 'failing', problems: [{ kind: 'answerIncomplete' }] })
    expect(occurrences).toMatchObject([{ kind: 'serviceFault', about: 'ANSWER_INCOMPLETE', severity: 'alarm' }])
    await bot.run(30_000)
    expect(bot.notes('error')).toHaveLength(1)
    bot.service.onRead(procedure, undefined)
    await bot.run(20_000)
    expect(healthOf(watch.fleet()).status).toBe('ok')
    expect(bot.notes('info')).toContain(`the service answers ${procedure} in full again`)
  })

  test('the event list: the message names the money, and nothing is entered', async () => {
    const { bot, watch } = await openWatchedBot()
    await bot.tell(rawEvent('match.found', { contestId: keyedUuid('one'), ticketId: keyedUuid('ticket'), stake: '2000000' }, START_MS))
    bot.events.fallBehind('agent.events: events is not there', 'events')
    const [said] = bot.notes('error')
    expect(said).toContain('the service answers agent.events without events: no event is heard, and nothing is entered')
    expect(said).toContain('2.00 USDC are at stake (open entries: 1)')
    expect(bot.status().books.caughtUp).toBe(false)
    expect(healthOf(watch.fleet())).toMatchObject({ problems: [{ kind: 'answerIncomplete', message: expect.stringContaining('events') }] })
    bot.events.catchUp()
    expect(healthOf(watch.fleet()).status).toBe('ok')
  })
})
