import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { SOL_MINT } from '../src/core/tokens.ts'
import { type IsolatedBot, type IsolatedBotOptions, openIsolatedBot } from './support/isolatedBot.ts'
import { faultsOf, policy, queued } from './support/isolatedStrategies.ts'
import { emptyFolder, expectIdentical, replayed } from './support/replaying.ts'
import { TestConfigs } from './support/testConfigs.ts'

// Strategies in processes of their own, from a config file of their own, beside a bot on a virtual clock. What processes are ended for, and what
// becomes of the others then, is in isolation.system.test.ts: each takes its real time.

/** Nothing here is to be ended: a machine that is busy with other things may keep a process waiting for a minute. */
const HANG_MS = 10 * 60_000
const configs = new TestConfigs()
const opened: IsolatedBot[] = []
afterEach(async () => {
  for (const bot of opened.splice(0)) await bot.close()
})
afterAll(() => configs.remove())

async function open(options: Omit<IsolatedBotOptions, 'configs'>): Promise<IsolatedBot> {
  const isolated = await openIsolatedBot({ configs, stuckAfterMs: HANG_MS, ...options })
  opened.push(isolated)
  return isolated
}

describe('a question that an isolated process answers', () => {
  test('comes to what it comes to in the thread of the bot, prices and random numbers included', async () => {
    const decide = `({ prices, random, clock, limits, tickets }) => {
      const seen = [prices.now(SOL_MINT), prices.history(SOL_MINT, 60).length, prices.change(SOL_MINT, 2), random.next(), limits?.maxStake, tickets.length]
      return [enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 1 + (JSON.stringify(seen, (_key, item) => String(item)).length + clock.now()) % 97 + random.integer(0, 1000) })]
    }`
    const recording = emptyFolder()
    const isolated = await open({ recording, strategies: policy(decide) })
    const { bot } = isolated
    const answers = () => bot.steps.filter(({ input }) => input.type === 'late').length
    const asked = () => bot.steps.reduce((sum, { calls }) => sum + calls.length, 0)
    for (let second = 0; second < 8; second++) {
      bot.price({ [SOL_MINT]: String(200 + second) })
      await bot.run(1000)
      await isolated.until(() => answers() === asked(), 'all is answered')
    }
    const asks = bot.steps.flatMap(({ record, refused }) => [...(record?.intents ?? []), ...refused].map(({ action }) => action))
    expect(new Set(asks.map((action) => 'durationSec' in action && action.durationSec)).size).toBeGreaterThan(5)
    await isolated.close()
    // A replay puts the same questions in its own thread.
    await expectIdentical(recording, bot.config)
    const [strategy] = bot.config.strategies
    if (strategy?.kind !== 'queue') throw new Error('it is a policy')
    const other = await replayed(recording, { ...bot.config, strategies: [{ ...strategy, decide: () => [] }] })
    expect(other.divergences).toBeGreaterThan(5)
  })

  test('sees no environment, no argument and no secret of the process', async () => {
    process.env.TEST_PLANTED_SECRET = 'planted-secret-0001'
    const decide = `({ log }) => {
      log.info('seen', { env: process.env, argv: process.argv.slice(2), execArgv: process.execArgv })
      console.log('printed ' + Object.keys(process.env).length)
      console.error('complained')
      return []
    }`
    const isolated = await open({ strategies: policy(decide) })
    await isolated.until(() => isolated.lines.length >= 3, 'it has written its three lines')
    delete process.env.TEST_PLANTED_SECRET
    expect(isolated.lines).toContainEqual({
      level: 'info',
      message: 'seen',
      fields: { env: {}, argv: [], execArgv: [], strategy: 'policy' },
    })
    expect(isolated.lines).toContainEqual({ level: 'info', message: 'printed 0', fields: { strategy: 'policy' } })
    expect(isolated.lines).toContainEqual({ level: 'warn', message: 'complained', fields: { strategy: 'policy' } })
  })
})

test('a policy that throws in its process is reported, and the other goes on', async () => {
  const isolated = await open({
    strategies: [policy(`() => { throw new Error('boom') }`), policy(`() => [entry('up_down')]`, 'plain')].join(),
  })
  const { bot } = isolated
  await isolated.until(() => faultsOf(bot, 'policy').length > 0 && queued(bot).length > 0, 'it has failed, and the other has answered')
  expect(faultsOf(bot, 'policy')[0]).toContain('boom')
  expect(faultsOf(bot, 'plain')).toEqual([])
  expect(bot.end).toBeUndefined()
})
