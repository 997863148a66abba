import { expect, test } from 'vitest'
import { picker } from '../../../../test/support/testStrategies.ts'
import { openWatchedBot } from '../../../../test/support/watchedBot.ts'
import { CornermanError } from '../../../core/error.ts'
import type { HostState } from '../../../dashboard/index.ts'
import { unseenPath } from '../../../pipeline/index.ts'
import type { Strategy } from '../../../strategy/define.ts'
import { routesOf } from './desk.ts'

// What a monitor and whoever restarts processes are answered.

interface RoutesOf {
  readonly isPrivate?: boolean
  readonly strategies?: readonly Strategy[]
  readonly host?: { state(): HostState }
}

async function openRoutes({ isPrivate = false, strategies = [], host }: RoutesOf = {}) {
  const { fleet, says, watch } = await openWatchedBot({ strategies })
  const metrics = { contentType: 'text/plain', text: () => Promise.resolve('') }
  const routes = routesOf({ fleet, watch, metrics, host, isPrivate })
  const ask = async (path: string) => {
    const answer = await routes.find((route) => route.path === path)?.handle()
    return [answer?.status, JSON.parse(answer?.body ?? '') as unknown]
  }
  return { ask, routes, says }
}

test('swaps that do not come through fail health, and are no reason for another start', async () => {
  const { ask, says } = await openRoutes()
  expect(await ask('/health')).toEqual([200, { status: 'ok', bots: 1, problems: [] }])
  says.status = { path: { ...unseenPath, isDown: true, reason: 'no answer' } }
  expect(await ask('/health')).toMatchObject([503, { status: 'failing', problems: [{ bot: 'alice', kind: 'swapPathDown' }] }])
  expect(await ask('/live')).toEqual([200, { status: 'ok', problems: [] }])
})

test('a mode that is closed fails it alone where no other is open', async () => {
  const { ask, says } = await openRoutes({ strategies: [picker(() => null)] })
  const mode = { why: undefined, unplayed: { count: 0, staked: 0n }, since: undefined, trials: 0, trialAt: undefined }
  const closed = { ...mode, mode: 'draft_basket', code: 'MODE_CLOSED' as const, since: 1 }
  says.status = { modes: [closed] }
  expect(await ask('/health')).toMatchObject([503, { problems: [{ kind: 'modeClosed' }] }])
  says.status = { modes: [closed, { ...mode, mode: 'up_down', code: undefined }] }
  expect(await ask('/health')).toEqual([200, { status: 'ok; closed: draft_basket of alice', bots: 1, problems: [] }])
})

test('a journal that cannot be written asks for another start; one that is in use does not', async () => {
  const { ask, says } = await openRoutes()
  says.phase = 'stopped'
  says.failure = new CornermanError('JOURNAL_IN_USE', 'another process holds it')
  expect(await ask('/live')).toEqual([200, { status: 'ok', problems: [] }])
  says.failure = new CornermanError('JOURNAL_WRITE_FAILED', 'the disk is full')
  const problems = [{ bot: 'alice', code: 'JOURNAL_WRITE_FAILED', message: 'the disk is full' }]
  expect(await ask('/live')).toEqual([503, { status: 'failing', problems }])
})

test('a host that the database does not answer fails health; a bot that another host plays, or nobody, does not', async () => {
  let isFresh = true
  const { ask, says } = await openRoutes({ host: { state: () => ({ isFresh, queueBytes: 0, seen: undefined, problems: [] }) } })
  says.phase = 'elsewhere'
  says.stopped = 'all'
  says.stream = { state: 'stalled', readAt: undefined, startedAt: 0 }
  expect(await ask('/health')).toEqual([200, { status: 'ok', bots: 0, problems: [] }])
  isFresh = false
  expect(await ask('/health')).toMatchObject([503, { status: 'failing', bots: 0, problems: [{ kind: 'fleetDatabase' }] }])
  expect(await ask('/live')).toEqual([200, { status: 'ok', problems: [] }])
})

test.each([true, false])('all of them have the same way in, private or not (%s)', async (isPrivate) => {
  const { routes } = await openRoutes({ isPrivate })
  expect(routes.map(({ path, needsSession }) => [path, needsSession])).toEqual([
    ['/metrics', isPrivate],
    ['/health', isPrivate],
    ['/live', isPrivate],
  ])
})
