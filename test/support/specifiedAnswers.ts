import { z } from 'zod'

// What the specification says the procedures answer, written down from its tables once more, so that neither the
// sandbox nor the contract is judged by itself.

const amount = z.string().regex(/^\d+$/)
const signedAmount = z.string().regex(/^-?\d+$/)
const id = z.uuid()
const instant = z.iso.datetime()
/** Named, its form not shown: it must be there, and may be null. */
const named = z.json()
const cursor = z.union([z.string(), z.number()]).nullable()

const MODES = 'pnl_race_pct pnl_usd best_trade draft_basket price_prediction up_down target_race last_bag_standing same_token'
const mode = z.enum(MODES.split(' '))
const chain = z.enum(['solana', 'robinhood'])
const versus = z.enum(['HUMAN', 'AGENT', 'MIXED'])
const status = z.enum(['open', 'live', 'settled', 'cancelled'])

// The records of part 4 are not shown: here is what they share with the inputs and the events.
const ticket = z.looseObject({
  ticketId: id,
  status: z.string(),
  mode,
  stake: amount,
  durationSec: z.number(),
  chain,
  contestId: id.nullable(),
})
const contest = z.looseObject({
  contestId: id,
  mode,
  chain,
  format: z.enum(['duel', 'lobby']),
  status,
  stake: amount,
  durationSec: z.number(),
})
const play = z.looseObject({
  contestId: id,
  mode,
  entryId: id,
  yourTurn: z.boolean().optional(),
  available: z.array(z.string()).optional(),
})

const seating = z.looseObject({ ticketId: id, contestId: id, opponents: named, mode, stake: amount, error: named })
const eventOf = <T extends string, S extends z.ZodType>(type: T, data: S) =>
  z.strictObject({ id: z.uuidv7(), type: z.literal(type), data, createdAt: instant })
const event = z.discriminatedUnion('type', [
  eventOf('match.found', seating),
  eventOf('ticket.expired', z.looseObject({ ticketId: id })),
  eventOf('ticket.failed', seating),
  eventOf(
    'contest.joined',
    z.looseObject({ contestId: id, userId: id.nullable(), side: z.string().nullable(), filled: z.int(), capacity: z.int() }),
  ),
  eventOf('contest.live', z.looseObject({ contestId: id, mode, chain, status: z.literal('live'), startsAt: instant, endsAt: instant })),
  eventOf(
    'contest.settled',
    z.looseObject({
      contestId: id,
      mode,
      result: z.enum(['WIN', 'LOSS', 'DRAW', 'REFUND']),
      stake: amount,
      payout: amount,
      profit: signedAmount,
      versus,
      rpDelta: z.number().nullable(),
      rpAfter: z.number().nullable(),
    }),
  ),
  eventOf('contest.cancelled', z.looseObject({ contestId: id, status: z.literal('cancelled'), reason: named, refunded: amount })),
])

/** Part 4: every procedure, whether it is a GET or a POST, and what it returns by the read models of part 2. */
export const SPECIFIED = {
  'agent.me': [
    'G',
    z.looseObject({
      agent: z.looseObject({ handle: z.string() }),
      bankroll: z.looseObject({ available: amount }),
      exposure: named,
      rank: named,
      stats: named,
      activeContests: z.array(contest),
      openTickets: z.array(ticket),
    }),
  ],
  'agent.profile': ['G', z.looseObject({ profile: named, wallet: named, caps: named, keyPrefix: z.string(), webhookUrl: named })],
  'agent.bankroll': [
    'G',
    z.looseObject({ available: amount, wallet: amount, vault: amount, inPlay: amount, gasLamports: amount, walletAddress: z.string() }),
  ],
  'agent.limits': [
    'G',
    z.looseObject({
      maxStake: amount,
      dailyLossCap: amount,
      lostToday: amount,
      inPlay: amount,
      remaining: signedAmount,
      resetsAt: instant,
    }),
  ],
  'agent.rank': ['G', z.looseObject({})],
  'agent.stats': ['G', z.looseObject({ overall: named, agents: named, humans: named, mixed: named })],
  'agent.history': ['G', z.looseObject({ items: z.array(z.looseObject({ contestId: id })), nextCursor: cursor })],
  'agent.leaderboard': ['G', z.looseObject({ items: z.array(named), nextCursor: cursor, computedAt: instant, me: named })],
  'agent.events': ['G', z.looseObject({ events: z.array(event), cursor: z.uuidv7().nullable() })],

  'agent.queue.enqueue': ['P', ticket],
  'agent.queue.get': ['G', ticket],
  'agent.queue.list': ['G', z.array(ticket).max(20)],
  'agent.queue.cancel': ['P', ticket],

  'agent.contests.list': ['G', z.looseObject({ items: z.array(contest), nextCursor: cursor })],
  'agent.contests.counts': ['G', z.looseObject({})],
  'agent.contests.get': ['G', contest],
  'agent.contests.mine': ['G', z.array(contest)],
  'agent.contests.create': ['P', contest],
  'agent.contests.join': ['P', contest],
  'agent.contests.leave': ['P', contest],
  'agent.contests.ready': ['P', contest],

  'agent.modes.state': ['G', play],
  'agent.modes.draftPick': ['P', play],
  'agent.modes.commitPrediction': ['P', play],
  'agent.modes.revealPrediction': ['P', play],

  'agent.trade.signAndSend': [
    'P',
    z.strictObject({
      signature: z.string(),
      status: z.enum(['confirmed', 'submitted']),
      contestId: id.nullable(),
      programs: z.array(z.string()).min(1),
    }),
  ],
  'agent.tx.status': ['G', z.looseObject({ status: z.string() })],
} as const satisfies Record<string, readonly ['G' | 'P', z.ZodType]>
export type SpecifiedName = keyof typeof SPECIFIED
export type SpecifiedOutput<N extends SpecifiedName> = z.output<(typeof SPECIFIED)[N][1]>

/** Parts 1 and 2, at whatever depth: ids are UUIDs, instants ISO, amounts digits; any of them may be null. */
const FORMS = [
  [/^id$|Id$/, id.nullable()],
  [/At$/, instant.nullable()],
  [/^(stake|staked|payout|profit|deployed|pnl|inPlay|lostToday|remaining|maxStake|dailyLossCap)$/, signedAmount.nullable()],
] as const
export function misshapen(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    const isBad = FORMS.some(([keys, form]) => keys.test(key) && !form.safeParse(part).success)
    return isBad ? [`${path}.${key}: ${JSON.stringify(part)}`] : misshapen(part, `${path}.${key}`)
  })
}
