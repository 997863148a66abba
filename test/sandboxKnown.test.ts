import { createHash } from 'node:crypto'
import { fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { SANDBOX_HEADER } from '../src/contract/wire.ts'
import { usdc } from '../src/core/usdc.ts'
import { HttpService } from '../src/live/index.ts'
import { startShapeProxy } from './shapes/proxy.ts'
import { shapeOf } from './shapes/shape.ts'
import { startLyingService } from './support/lyingService.ts'
import { openTestSandbox } from './support/sandbox/openTestSandbox.ts'

// The project's sandbox says of its answers that they are its own, whoever passes them on.

async function standing() {
  const sandbox = await openTestSandbox({ agents: ['alice'] })
  onTestFinished(() => sandbox.close())
  const agentKey = sandbox.agents[0]?.key ?? ''
  const serviceAt = (url: string) => {
    const service = new HttpService({ url, agentKey, timeoutMs: 20_000, clock: sandbox.clock })
    onTestFinished(() => service.close())
    return service
  }
  return { sandbox, agentKey, serviceAt }
}

/** A read, a page of events, which is written by itself, and an action. */
async function ask(service: HttpService): Promise<void> {
  expect(await service.read({ procedure: 'agent.me', input: null })).toMatchObject({ ok: true })
  expect(await service.read({ procedure: 'agent.events', input: { after: null, limit: 10 } })).toMatchObject({ ok: true })
  const enqueue = { procedure: 'agent.queue.enqueue', input: { mode: 'pnl_usd', stake: usdc('1'), durationSec: 15 } } as const
  expect(await service.act(enqueue)).toMatchObject({ status: 'accepted' })
}

test('each answer of the sandbox has the digest of its own body, and no refused read has one', async () => {
  const { sandbox, agentKey } = await standing()
  const answered = async (path: string, init: { method?: string; body?: string } = {}) => {
    const headers = { 'x-agent-key': agentKey, ...(init.body === undefined ? {} : { 'content-type': 'application/json' }) }
    const response = await fetch(`${sandbox.url}/${path}`, { ...init, headers })
    const body = Buffer.from(await response.arrayBuffer())
    return { status: response.status, said: response.headers.get(SANDBOX_HEADER), own: createHash('sha256').update(body).digest('hex') }
  }
  const input = (json: unknown) => `input=${encodeURIComponent(JSON.stringify({ json }))}`
  const good = [
    await answered(`agent.me?${input(null)}`),
    await answered(`agent.bankroll?${input(null)}`),
    await answered(`agent.events?${input({ after: null, limit: 5 })}`),
    await answered('agent.queue.enqueue', { method: 'POST', body: '{"json":{"mode":"pnl_usd","stake":"1000000","durationSec":15}}' }),
  ]
  for (const { status, said, own } of good) expect({ status, said }).toEqual({ status: 200, said: own })
  expect(new Set(good.map(({ said }) => said)).size).toBe(good.length)
  const refused = await answered(`agent.queue.get?${input({ ticketId: '00000000-0000-4000-8000-000000000000' })}`)
  expect({ status: refused.status, said: refused.said }).toEqual({ status: 404, said: null })
})

test('the sandbox is known by whatever address, and not through what keeps its headers back', async () => {
  const { sandbox, serviceAt } = await standing()
  const direct = serviceAt(sandbox.url.replace('127.0.0.1', 'localhost'))
  await ask(direct)
  expect(direct.isSandbox).toBe(true)
  const passing = await startLyingService(sandbox.url, () => undefined)
  onTestFinished(() => passing[Symbol.asyncDispose]())
  const bare = serviceAt(passing.url)
  await ask(bare)
  expect(bare.isSandbox).toBe(false)
})

test('what changes a body is not the sandbox, though it passes the digest on', async () => {
  const { sandbox, serviceAt } = await standing()
  const proxy = await startLyingService(sandbox.url, ({ procedure, text }) => {
    const digest = createHash('sha256').update(text).digest('hex')
    return {
      headers: { [SANDBOX_HEADER]: digest },
      ...(procedure === 'agent.events' ? { text: text.replace('"events"', '"Events"') } : {}),
    }
  })
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const service = serviceAt(proxy.url)
  await service.read({ procedure: 'agent.me', input: null })
  expect(service.isSandbox).toBe(true)
  await service.read({ procedure: 'agent.events', input: { after: null, limit: 10 } })
  expect(service.isSandbox).toBe(false)
})

test('a service of another shape is not the sandbox, even of one that departs in nothing', async () => {
  const { sandbox, serviceAt } = await standing()
  const proxy = await startShapeProxy({ target: sandbox.url, shape: shapeOf(0, { departure: 0 }) })
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const service = serviceAt(proxy.url)
  await service.read({ procedure: 'agent.me', input: null })
  expect(service.isSandbox).toBe(false)
})
