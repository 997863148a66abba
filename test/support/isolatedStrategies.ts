import type { TestBot } from './testBot.ts'

/** As a config has them, whose functions are these texts. */
export const policy = (decide: string, name = 'policy') =>
  `defineQueuePolicy({ name: '${name}', everySec: 1, params, decide: ${decide} })()`
export const oracle = (predict: string) => `definePredictor({ name: 'oracle', params, predict: ${predict} })()`
export const queued = ({ service }: TestBot, mode?: string) =>
  service.sent('agent.queue.enqueue').filter((sent) => mode === undefined || sent.mode === mode)
export const faultsOf = (bot: TestBot, name: string) =>
  bot.notes('error').filter((message) => message.startsWith(`strategy ${name} failed`))
