import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorOf, openTestSandbox, outputOf } from '../../test/support/sandbox/openTestSandbox.ts'
import { START_MS } from '../../test/support/sandbox/openTestService.ts'
import { VirtualClock } from '../core/clock.ts'
import { usdc } from '../core/usdc.ts'
import { startSandbox } from './startSandbox.ts'

const newFile = () => join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'sandbox.db')

describe('startSandbox', () => {
  test('gives every agent a key, a wallet, 1,000 USDC, 1 SOL and caps', async () => {
    const sandbox = await openTestSandbox()
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(sandbox.agents.map(({ name }) => name)).toEqual(['alice', 'bob'])
    const [alice] = sandbox.agents
    expect(outputOf(await sandbox.get('agent.bankroll'))).toEqual({
      available: '1000000000',
      wallet: '1000000000',
      vault: '0',
      inPlay: '0',
      gasLamports: '1000000000',
      walletAddress: alice?.wallet,
    })
    expect(outputOf(await sandbox.get('agent.limits'))).toMatchObject({ maxStake: '50000000', dailyLossCap: '200000000' })
    expect(outputOf(await sandbox.get('agent.me'))).toMatchObject({ agent: { agentId: alice?.agentId, handle: 'alice', kind: 'AGENT' } })
    expect(outputOf(await sandbox.get('agent.me', null, sandbox.agents[1]?.key))).toMatchObject({ agent: { handle: 'bob' } })
    await sandbox.close()
  })

  test('takes balance, caps, seed, matching delay and prices as options', async () => {
    const pricesFile = join(mkdtempSync(join(tmpdir(), 'prices-')), 'p.csv')
    writeFileSync(pricesFile, 'ts,SOL,JUP\n60,100,1\n120,101,2\n')
    const options = { pricesFile, seed: 3, balance: usdc('5'), maxStake: usdc('2'), dailyLossCap: usdc('4'), matchDelayMs: 0, rakeBps: 0 }
    const sandbox = await openTestSandbox(options)
    expect(outputOf(await sandbox.get('agent.bankroll'))).toMatchObject({ available: '5000000' })
    expect(outputOf(await sandbox.get('agent.limits'))).toMatchObject({ maxStake: '2000000', dailyLossCap: '4000000' })
    const ticket = outputOf(await sandbox.post('agent.queue.enqueue', { mode: 'up_down', stake: '2000000', durationSec: 15 }))
    expect(ticket).toMatchObject({ status: 'matched' })
    sandbox.advance(30_000)
    // Without rake, a duel's winner has both stakes.
    expect(outputOf(await sandbox.get('agent.history'))).toMatchObject({ items: [{ payout: expect.stringMatching(/^(4000000|0)$/) }] })
    await sandbox.close()
  })

  test('after a restart an agent has what it had, and a new key', async () => {
    const dbFile = newFile()
    const first = await openTestSandbox({ dbFile, agents: ['alice'] })
    outputOf(await first.post('agent.queue.enqueue', { mode: 'up_down', stake: '2000000', durationSec: 15 }))
    first.advance(60_000)
    const history = outputOf(await first.get('agent.history'))
    const events = outputOf(await first.get('agent.events', { after: null }))
    await first.close()

    const clock = new VirtualClock(first.clock.now())
    const second = await openTestSandbox({ dbFile, agents: ['alice', 'carol'], clock, maxStake: usdc('7') })
    const [before, after] = [first.agents[0], second.agents[0]]
    expect(after).toEqual({ ...before, key: after?.key })
    expect(after?.key).not.toBe(before?.key)
    expect(errorOf(await second.get('agent.me', null, before?.key))).toMatchObject({ appCode: 'AGENT_KEY_INVALID' })
    expect(outputOf(await second.get('agent.history'))).toEqual(history)
    expect(outputOf(await second.get('agent.events', { after: null }))).toEqual(events)
    expect(outputOf(await second.get('agent.limits'))).toMatchObject({ maxStake: '7000000', dailyLossCap: '200000000' })
    expect(outputOf(await second.get('agent.limits', null, second.agents[1]?.key))).toMatchObject({ maxStake: '7000000' })
    expect(second.service.verify()).toMatchObject({ mismatch: null })
    await second.close()

    await expect(openTestSandbox({ dbFile, seed: 8 })).rejects.toThrow(/was made with seed 7 and is asked for with 8/)
    await openTestSandbox({ dbFile, clock }).then(({ close }) => close())
  })

  test('an agent that a start does not name keeps its key', async () => {
    const dbFile = newFile()
    const first = await openTestSandbox({ dbFile, agents: ['alice', 'bob'] })
    await first.close()
    const second = await openTestSandbox({ dbFile, agents: ['alice'], clock: new VirtualClock(first.clock.now()) })
    const [alice, bob] = first.agents
    expect(errorOf(await second.get('agent.me', null, alice?.key)).appCode).toBe('AGENT_KEY_INVALID')
    expect(outputOf(await second.get('agent.me', null, bob?.key))).toMatchObject({ agent: { handle: 'bob' } })
    await second.close()
  })

  test.each([
    [{ agents: ['alice', 'alice'] }, /agents is "alice" twice: it must be names that differ/],
    [{ agents: ['Mara Voss'] }, /agents is "Mara Voss": it must be names of 1 to 32 letters/],
    [{ agents: [''] }, /agents is ""/],
    [{ agents: [], seed: 1.5 }, /seed is 1\.5: it must be a whole number/],
    [{ agents: [], rakeBps: 10_001 }, /rakeBps is 10001: it must be a whole number from 0 to 10000/],
    [{ agents: [], matchDelayMs: -1 }, /matchDelayMs is -1/],
    [{ agents: [], readLimit: 0 }, /readLimit is 0: it must be a whole number from 1/],
    [{ agents: [], balance: -1n }, /balance is -1 micro-USDC: it must be 0 to 1000000000000000/],
    [{ agents: [], maxStake: 10n ** 15n + 1n }, /maxStake is 1000000000000001 micro-USDC: it must be 0 to 1000000000000000/],
    [{ agents: [], pricesFile: 'none.csv' }, /price file none\.csv cannot be read/],
  ])('refuses %o', async (options, message) => {
    await expect(startSandbox({ clock: new VirtualClock(START_MS), ...options })).rejects.toThrow(message)
  })

  test('leaves nothing open when it cannot start', async () => {
    const taken = await openTestSandbox({ house: false })
    const dbFile = newFile()
    await expect(openTestSandbox({ dbFile, port: Number(new URL(taken.url).port) })).rejects.toThrow(/cannot listen/)
    await openTestSandbox({ dbFile }).then(({ close }) => close())
    await taken.close()
  })

  test('closing twice is closing once', async () => {
    const sandbox = await openTestSandbox({ house: false })
    await sandbox.close()
    await sandbox.close()
    expect(sandbox.service.store.isOpen).toBe(false)
  })
})
