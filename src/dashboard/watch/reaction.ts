import type { Step } from '../../pipeline/index.ts'

/**
 * How long it took from what the service recorded to the bot's order, in seconds: of orders an event led to at once. Undefined
 * where the step is of something else.
 */
export function reactionSecondsOf({ input, orders }: Step): number | undefined {
  if (input.type !== 'event' || input.recorded || !input.read.ok || orders.length === 0) return undefined
  return Math.max(0, input.at - input.read.event.createdAt) / 1000
}
