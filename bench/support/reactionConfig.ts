// The config of the bots in `bench/reaction.ts`: what differs from run to run is in the environment.

import { contestService, defineConfig, defineDraftPicker, defineQueuePolicy, enqueue, secret, usdc } from 'cornerman'
import { z } from 'zod'

/** Enters again as soon as nothing is open; with `waitSec` 0 never. */
const entrant = defineQueuePolicy({
  name: 'entrant',
  params: z.object({ durationSec: z.number(), waitSec: z.number() }),
  decide: ({ params: { durationSec, waitSec }, tickets, contests }) =>
    waitSec === 0 || tickets.length + contests.length > 0
      ? []
      : [enqueue({ mode: 'draft_basket', stake: usdc('0.1'), durationSec, waitSec })],
})

const first = defineDraftPicker({ name: 'first', params: z.object({}), pick: ({ draft }) => draft.available[0] })

const { REACTION_URL: url = '', REACTION_BOTS: bots, REACTION_WAIT_SEC: waitSec, REACTION_PORT: port } = process.env

export default defineConfig({
  service: contestService({ url }),
  market: { url: `${url}/jup/price/v3`, swapUrl: `${url}/jup/swap/v1` },
  ...(port === undefined ? {} : { webhooks: { port: Number(port) } }),
  bots: Array.from({ length: Number(bots) }, (_, index) => ({
    name: `bot-${index}`,
    agentKey: secret(`REACTION_KEY_${index}`),
    ...(port === undefined ? {} : { webhookSecret: secret(`REACTION_SECRET_${index}`) }),
    // Of different lengths, so that no bot is matched with another.
    strategies: [entrant({ durationSec: 15 + index, waitSec: Number(waitSec) }), first()],
    guard: { maxStake: usdc('1'), dailyLoss: usdc('150') },
  })),
})
