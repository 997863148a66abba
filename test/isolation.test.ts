import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { SOL_MINT } from '../src/core/tokens.ts'
import { type IsolatedBot, type IsolatedBotOptions, openIsolatedBot } from './support/isolatedBot.ts'
import { TestConfigs } from './support/testConfigs.ts'

const configs = new TestConfigs()
const opened: IsolatedBot[] = []
afterEach(async () => {
  for (const bot of opened.splice(0)) await bot.close()
})
afterAll(() => configs.remove())

async function open(options: Omit<IsolatedBotOptions, 'configs'>): Promise<IsolatedBot> {
  const isolated = await openIsolatedBot({ configs, ...options })
  opened.push(isolated)
  return isolated
}

const policy = (body: string, options = "name: 'policy', everySec: 1") => `defineQueuePolicy({ ${options}, params, decide: ${body} })()`
const queued = ({ bot }: IsolatedBot) => bot.service.sent('agent.queue.enqueue')

describe('first', () => {
  test('answers', async () => {
    const isolated = await open({ strategies: policy(`() => [entry('up_down')]`) })
    const before = Object.keys(process.memoryUsage())
    expect(before).toBeDefined()
    await isolated.until(() => queued(isolated).length > 0, 'it has queued')
    expect(isolated.bot.steps.filter(({ input }) => input.type === 'late').length).toBeGreaterThan(0)
    expect(isolated.lines).toEqual([])
    expect(SOL_MINT).toBeDefined()
  })
})
