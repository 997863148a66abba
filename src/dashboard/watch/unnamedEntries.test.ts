import { expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { openWatchedBot } from '../../../test/support/watchedBot.ts'
import { keyedUuid } from '../../core/ids.ts'
import { healthOf } from '../metrics/health.ts'

test('a stake in a mode that nobody knows fails /health while it is there, and is told once', async () => {
  const { bot, watch, occurrences } = await openWatchedBot()
  const contestId = keyedUuid('contest')
  await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('ticket'), contestId, mode: 'same_token_v2' }, START_MS))
  const [problem] = healthOf(watch.fleet()).problems
  expect(problem).toMatchObject({ bot: 'alice', kind: 'contestUnnamed' })
  expect(problem?.message).toContain(`1.00 USDC are in contest ${contestId}, in a mode that the service calls "same_token_v2"`)
  expect(occurrences).toMatchObject([{ kind: 'serviceFault', about: 'CONTEST_UNNAMED', severity: 'alarm' }])
  await bot.tell(rawEvent('contest.cancelled', { contestId }, START_MS))
  expect(healthOf(watch.fleet()).status).toBe('ok')
})
