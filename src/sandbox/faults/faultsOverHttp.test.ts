import { afterEach, describe, expect, test } from 'vitest'
import { errorOf, openTestSandbox, outputOf, type TestSandbox } from '../../../test/support/sandbox/openTestSandbox.ts'
import type { SandboxOptions } from '../startSandbox.ts'

const opened: TestSandbox[] = []
const faultsHeard: unknown[] = []
afterEach(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.close()
  expect(faultsHeard.splice(0)).toEqual([])
})
async function open(faults: SandboxOptions['faults'], options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const sandbox = await openTestSandbox({ house: false, faults, onFault: (fault) => faultsHeard.push(fault), ...options })
  opened.push(sandbox)
  return sandbox
}
const TICKET = { mode: 'up_down', stake: '1000000', durationSec: 15 }
const enqueue = (sandbox: TestSandbox) => sandbox.post('agent.queue.enqueue', TICKET)
const tickets = async (sandbox: TestSandbox) => {
  sandbox.setFaults({})
  return outputOf(await sandbox.get('agent.queue.list')) as unknown[]
}

describe('a call', () => {
  test('dropBefore: the connection is cut and nothing has happened', async () => {
    const sandbox = await open({ dropBefore: 1 })
    await expect(enqueue(sandbox)).rejects.toThrow('fetch failed')
    expect(await tickets(sandbox)).toEqual([])
  })

  test('dropAfter: it has had its effect, and the connection is cut instead of an answer', async () => {
    const sandbox = await open({ dropAfter: 1 })
    await expect(enqueue(sandbox)).rejects.toThrow('fetch failed')
    await expect(sandbox.get('agent.events', { after: null })).rejects.toThrow('fetch failed')
    await expect(sandbox.post('agent.queue.cancel', { ticketId: 'x' })).rejects.toThrow('fetch failed')
    expect(await tickets(sandbox)).toHaveLength(1)
  })

  test('error500: 500 in the usual body, and nothing has happened', async () => {
    const sandbox = await open({ error500: 1 })
    const answer = await enqueue(sandbox)
    expect([answer.status, errorOf(answer).appCode]).toEqual([500, 'INTERNAL'])
    expect(await tickets(sandbox)).toEqual([])
  })

  test('rateLimited: 429 with retry-after, and nothing has happened', async () => {
    const sandbox = await open({ rateLimited: 1 })
    const answer = await enqueue(sandbox)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1'])
    expect(errorOf(answer)).toMatchObject({ appCode: 'RATE_LIMITED', details: { retryAfterMs: 1000 } })
    expect(await tickets(sandbox)).toEqual([])
  })

  test('latencyMs: it waits before anything else, and one that is given up meanwhile never came', async () => {
    const sandbox = await open({ latencyMs: [150, 160] })
    const before = performance.now()
    outputOf(await enqueue(sandbox))
    expect(performance.now() - before).toBeGreaterThan(145)
    const init = {
      method: 'POST',
      headers: { 'x-agent-key': sandbox.agents[0]?.key ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ json: TICKET }),
      signal: AbortSignal.timeout(50),
    }
    await expect(fetch(`${sandbox.url}/agent.queue.enqueue`, init)).rejects.toThrow(/abort|timeout/i)
    // Long enough for the call to have come, had it been let through: latency is real time.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await tickets(sandbox)).toHaveLength(1)
  })

  test('without a good key it meets none', async () => {
    const sandbox = await open({ dropBefore: 1 })
    expect(errorOf(await sandbox.get('agent.me', null, null)).appCode).toBe('AGENT_KEY_MISSING')
  })

  test('a seed gives the same run of faults again', async () => {
    const fates = async (seed: number) => {
      const sandbox = await open({ error500: 0.5, rateLimited: 0.3 }, { seed })
      const statuses: number[] = []
      for (let call = 0; call < 30; call++) statuses.push((await sandbox.get('agent.rank')).status)
      return statuses
    }
    const first = await fates(7)
    expect(await fates(7)).toEqual(first)
    expect(await fates(8)).not.toEqual(first)
    expect(new Set(first)).toEqual(new Set([200, 429, 500]))
  })
})

test('pollDuplicate: a page has one event twice, next to itself, within its limit; the cursor loses nothing', async () => {
  const sandbox = await open({ pollDuplicate: 1 })
  for (let ticket = 0; ticket < 12; ticket++) outputOf(await sandbox.post('agent.queue.enqueue', { ...TICKET, waitSec: 1 }))
  sandbox.advance(1000)
  const seen: string[] = []
  for (let after: string | null = null; ; ) {
    const page = outputOf(await sandbox.get('agent.events', { after, limit: 5 })) as { events: { id: string }[]; cursor: string }
    if (page.events.length === 0) break
    const ids = page.events.map(({ id }) => id)
    expect(ids.length).toBeLessThanOrEqual(5)
    expect(new Set(ids).size).toBe(ids.length - 1)
    expect(ids).toEqual(ids.toSorted())
    seen.push(...ids)
    after = page.cursor
  }
  expect(new Set(seen).size).toBe(12)
})
