import { defineConfig, defineQueuePolicy, sandbox, usdc } from 'cornerman'
import { z } from 'zod'

/** Five bots with ten isolated strategies each, that do what nearly every policy does: look, and pass. */
const policyOf = (index: number) =>
  defineQueuePolicy({ name: `policy-${index}`, params: z.object({}), decide: ({ tickets }) => (tickets.length > 100 ? [] : null) })()

export default defineConfig({
  service: sandbox(),
  bots: Array.from({ length: 5 }, (_, bot) => ({
    name: `bot-${bot}`,
    isolate: true,
    strategies: Array.from({ length: 10 }, (_, index) => policyOf(index)),
    guard: { maxStake: usdc('1'), dailyLoss: usdc('10') },
  })),
})
