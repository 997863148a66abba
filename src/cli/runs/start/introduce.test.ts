import { expect, test } from 'vitest'
import { VirtualClock } from '../../../core/clock.ts'
import type { HttpService } from '../../../live/index.ts'
import type { Logger } from '../../log.ts'
import { introduce } from './introduce.ts'

test('a service that is down is asked every two seconds, and that is said ever more seldom', async () => {
  const warnings: unknown[] = []
  const askedAt: number[] = []
  const clock = new VirtualClock(0)
  const service = {
    readAtStart: () => {
      askedAt.push(clock.now())
      const me = { ok: true, output: { agent: { handle: 'alice' } } }
      return Promise.resolve(askedAt.length < 40 ? { ok: false, refusal: undefined, reason: 'it is down' } : me)
    },
  } as unknown as HttpService
  const introduced = introduce({
    ...{ service, clock, bot: 'alice', keyFrom: 'x', serviceAt: 'y', isOver: () => false, signal: new AbortController().signal },
    log: { warn: (...said: unknown[]) => warnings.push(said) } as unknown as Logger,
  })
  await clock.advanceBy(100_000)
  expect(await introduced).toMatchObject({ agentId: 'alice' })
  const waits = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0))
  expect(waits.slice(1, 5)).toEqual([1000, 2000, 2000, 2000])
  expect(Math.max(...waits)).toBe(2000)
  expect(warnings).toHaveLength(6)
})

/** What `introduce` comes to where the service answers so, one after the other, and then well; and how often it asked. */
async function introducedAfter(statuses: readonly number[]) {
  const clock = new VirtualClock(0)
  let asked = 0
  const service = {
    readAtStart: () => {
      const status = statuses[asked++]
      if (status === undefined) return Promise.resolve({ ok: true, output: { agent: { handle: 'alice' } } })
      return Promise.resolve({ ok: false, refusal: { code: `HTTP_${status}`, message: '', status }, reason: `HTTP ${status}` })
    },
  } as unknown as HttpService
  const introduced = introduce({
    ...{ service, clock, bot: 'alice', keyFrom: 'x', serviceAt: 'y', isOver: () => false, signal: new AbortController().signal },
    log: { warn: () => {} } as unknown as Logger,
  }).then(
    ({ agentId } = { statedAgentId: undefined, agentId: 'nobody' }) => agentId,
    ({ code }: { code: string }) => code,
  )
  await clock.advanceBy(60_000)
  return { came: await introduced, asked }
}

test('a key that is refused five times in a row is, as while a bot plays; fewer are waited out', async () => {
  expect(await introducedAfter([401])).toEqual({ came: 'alice', asked: 2 })
  expect(await introducedAfter([401, 401, 401, 401])).toEqual({ came: 'alice', asked: 5 })
  expect(await introducedAfter([401, 401, 401, 401, 503, 401])).toEqual({ came: 'alice', asked: 7 })
  expect(await introducedAfter([401, 401, 401, 401, 401, 401])).toEqual({ came: 'AGENT_KEY_REFUSED', asked: 5 })
})

test('a bot that is stopped while it asks who it is asks no more, and waits for nothing', async () => {
  const stopping = new AbortController()
  const warnings: unknown[] = []
  let reads = 0
  const service = {
    readAtStart: () => {
      if (++reads === 2) stopping.abort()
      return Promise.resolve({ ok: false, refusal: undefined, reason: 'it is down' })
    },
  } as unknown as HttpService
  const clock = new VirtualClock(0)
  const introduced = introduce({
    ...{ service, clock, bot: 'alice', keyFrom: 'x', serviceAt: 'y', isOver: () => false, signal: stopping.signal },
    log: { warn: (...said: unknown[]) => warnings.push(said) } as unknown as Logger,
  })
  await clock.advanceBy(2000)
  expect(await Promise.race([introduced, Promise.resolve('it waits')])).toBeUndefined()
  expect([reads, warnings.length]).toEqual([2, 1])
})

test('a run that drains from the first asks once', async () => {
  const answered = async (ok: boolean) => {
    let reads = 0
    const read = () => {
      reads += 1
      return Promise.resolve(ok ? { ok, output: { agent: { handle: 'alice' } } } : { ok, refusal: undefined, reason: 'it is down' })
    }
    const clock = new VirtualClock(0)
    const introduced = introduce({
      ...{
        service: { readAtStart: read } as unknown as HttpService,
        clock,
        bot: 'alice',
        keyFrom: 'x',
        serviceAt: 'y',
        isOver: () => true,
      },
      ...{ signal: new AbortController().signal, log: { warn: () => {} } as unknown as Logger },
    })
    await clock.advanceBy(2000)
    return [(await introduced)?.agentId, reads]
  }
  expect([await answered(true), await answered(false)]).toEqual([
    ['alice', 1],
    [undefined, 1],
  ])
})
