// The config of the bots in `bench/reaction.ts`: what differs from run to run is in the environment.

import { setTimeout as delay } from 'node:timers/promises'
import { contestService, defineConfig, defineDraftPicker, defineQueuePolicy, enqueue, secret, usdc } from 'cornerman'
import { z } from 'zod'

const begun = new Set<number>()

/** Enters again as soon as nothing is open, for the first time `afterMs` late; with `waitSec` 0 never. */
const entrant = defineQueuePolicy({
  name: 'entrant',
  params: z.object({ durationSec: z.number(), waitSec: z.number(), afterMs: z.number() }),
  decide({ params: { durationSec, waitSec, afterMs }, tickets, contests }) {
    if (waitSec === 0 || tickets.length + contests.length > 0) return []
    const entry = [enqueue({ mode: 'draft_basket', stake: usdc('0.1'), durationSec, waitSec })]
    if (begun.has(durationSec)) return entry
    begun.add(durationSec)
    return delay(afterMs, entry)
  },
})

const first = defineDraftPicker({ name: 'first', params: z.object({}), pick: ({ draft }) => draft.available[0] })

const {
  REACTION_URL: url = '',
  REACTION_BOTS: bots,
  REACTION_WAIT_SEC: waitSec,
  REACTION_PORT: port,
  REACTION_SPREAD_MS: spreadMs = '0',
} = process.env

export default defineConfig({
  service: contestService({ url, sandbox: true }),
  market: { url: `${url}/jup/price/v3`, swapUrl: `${url}/jup/swap/v1` },
  ...(port === undefined ? {} : { webhooks: { port: Number(port) } }),
  bots: Array.from({ length: Number(bots) }, (_, index) => ({
    name: `bot-${index}`,
    agentKey: secret(`REACTION_KEY_${index}`),
    ...(port === undefined ? {} : { webhookSecret: secret(`REACTION_SECRET_${index}`) }),
    // Of different lengths, so that no bot is matched with another.
    strategies: [
      entrant({ durationSec: 15 + index, waitSec: Number(waitSec), afterMs: (Number(spreadMs) * index) / Number(bots) }),
      first(),
    ],
    guard: { maxStake: usdc('1'), dailyLoss: usdc('150') },
  })),
})
