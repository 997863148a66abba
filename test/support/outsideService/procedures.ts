import { z } from 'zod'
import { type AgentFile, nextDayAt, type Player } from './agentFile.ts'
import { boardAnswer, contestAnswer, historyAnswer, statsAnswer, ticketAnswer, type View } from './answers.ts'
import { BETS, type Contest, isOver, laneOf, MODES } from './contest.ts'
import { type Contests, isBet } from './contests.ts'
import type { EventStream } from './eventStream.ts'
import { type Ledger, walletOf } from './ledger.ts'
import type { Market } from './market.ts'
import type { Pace } from './pace.ts'
import { openGuess, seal } from './predictions.ts'
import type { Queue } from './queue.ts'
import { Refusal } from './refusal.ts'
import type { Timetable } from './timetable.ts'
import type { Trades } from './trades.ts'

// Part 4: what can be asked and done. Inputs have the names of the specification, and fields it does not know are left unread.

/** The parts of a service that procedures use. */
export interface Core {
  readonly timetable: Timetable
  readonly pace: Pace
  readonly ledger: Ledger
  readonly events: EventStream
  readonly market: Market
  readonly contests: Contests
  readonly queue: Queue
  readonly trades: Trades
  readonly webhookUrl: (agentId: string) => string | null
  readonly ranked: () => readonly AgentFile[]
}

/** Who calls. */
export interface Caller {
  readonly file: AgentFile
  readonly keyPrefix: string
}

export interface Procedure {
  readonly kind: 'G' | 'P'
  run(core: Core, caller: Caller, input: unknown): unknown
}

function procedure<I extends z.ZodType>(
  kind: 'G' | 'P',
  input: I,
  run: (core: Core, caller: Caller, asked: z.output<I>) => unknown,
): Procedure {
  return {
    kind,
    run(core, caller, given) {
      const parsed = input.safeParse(given)
      if (!parsed.success) {
        const wrong = parsed.error.issues.map(({ path, message }) => ({ at: path.join('.'), message }))
        throw new Refusal('ASK_ODD', 'the input is not as it should be', wrong)
      }
      return run(core, caller, parsed.data)
    },
  }
}

const amount = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform((digits) => BigInt(digits))
const mode = z.enum(MODES)
const chain = z.enum(['solana', 'robinhood'])
const opponents = z.enum(['HUMAN', 'AGENT', 'ANY'])
const lane = z.enum(['HUMAN', 'AGENT', 'MIXED'])
const format = z.enum(['duel', 'lobby'])
const seconds = z.number().int().positive().max(86_400)
const limit = z.number().int().min(1)
const none = z.null()
const ofContest = z.object({ contestId: z.uuid() })
const ofTicket = z.object({ ticketId: z.uuid() })
const filters = z.object({
  lane: lane.optional(),
  modes: z.array(mode).optional(),
  chain: chain.optional(),
  format: format.optional(),
  minStake: amount.optional(),
  maxStake: amount.optional(),
})
const listing = filters.extend({
  status: z.enum(['open', 'live']).optional(),
  sort: z.enum(['newest', 'dearest']).optional(),
  cursor: z.string().nullish(),
  limit: limit.optional(),
})
const creation = z.object({
  ...{ mode, chain, format, stake: amount, durationSec: seconds.min(5), opponents: opponents.optional() },
  visibility: z.enum(['public', 'hidden', 'private']).optional(),
  ...{ capacity: z.number().int().optional(), teamSize: z.literal(1).optional(), joinWindowSec: seconds.optional() },
  params: z.object({ coin: z.string().optional(), bet: z.string().optional() }).nullish(),
})

const viewOf = ({ timetable, pace, contests, market }: Core, player: Player): View => ({
  ...{ nowMs: timetable.now(), pace, pool: contests.pool, player },
  price: (mint) => market.price(mint),
})

const show = (core: Core, { file }: Caller, contest: Contest) => contestAnswer(contest, viewOf(core, file.player))

function matching({ contests }: Core, asked: z.output<typeof filters>): Contest[] {
  return [...contests.all.values()].filter(
    (contest) =>
      !contest.isPrivate &&
      (asked.lane === undefined || laneOf(contest) === asked.lane) &&
      (asked.modes === undefined || asked.modes.includes(contest.mode)) &&
      (asked.chain === undefined || contest.chain === asked.chain) &&
      (asked.format === undefined || contest.format === asked.format) &&
      (asked.minStake === undefined || contest.stake >= asked.minStake) &&
      (asked.maxStake === undefined || contest.stake <= asked.maxStake),
  )
}

/** A side in the service's own words; any other word is told which there are. */
function betOf(word: string | undefined): (typeof BETS)[number] | undefined {
  if (word === undefined || isBet(word)) return word
  throw new Refusal('BET_WORD', 'that is no side here', { words: BETS })
}

async function bankroll({ ledger, market }: Core, { file }: Caller) {
  const { agentId } = file.player
  const { usdc, lamports } = await market.funds(agentId)
  const vault = ledger.of(walletOf(agentId)).toString()
  return {
    // Stakes come from the vault; what is on the chain is for swaps alone.
    ...{ available: vault, vault, wallet: usdc.toString(), inPlay: file.inPlay.toString() },
    ...{ gasLamports: lamports.toString(), walletAddress: market.wallet(agentId) },
  }
}

const rankOf = ({ ranked }: Core, file: AgentFile) => ({ place: ranked().indexOf(file) + 1, points: file.points, among: ranked().length })

const READS: Readonly<Record<string, Procedure>> = {
  'agent.me': procedure('G', none, async (core, caller) => {
    const { player, inPlay } = caller.file
    return {
      agent: { handle: player.handle, identity: { id: player.agentId, userId: player.userId } },
      bankroll: await bankroll(core, caller),
      exposure: { staked: inPlay.toString() },
      rank: rankOf(core, caller.file),
      stats: statsAnswer(caller.file),
      activeContests: {
        rows: core.contests
          .of(player)
          .filter((contest) => !isOver(contest))
          .map((contest) => show(core, caller, contest)),
      },
      openTickets: {
        rows: core.queue
          .of(player)
          .filter(({ state }) => state === 'WAITING')
          .map((ticket) => ticketAnswer(ticket, viewOf(core, player))),
      },
    }
  }),
  'agent.profile': procedure('G', none, (core, { file, keyPrefix }) => ({
    profile: { handle: file.player.handle, kind: file.player.kind },
    wallet: { address: core.market.wallet(file.player.agentId) },
    caps: { stake: file.maxStake.toString(), day: file.dailyLossCap.toString() },
    keyPrefix,
    webhookUrl: core.webhookUrl(file.player.agentId),
  })),
  'agent.bankroll': procedure('G', none, bankroll),
  'agent.limits': procedure('G', none, ({ timetable }, { file }) => {
    const nowMs = timetable.now()
    return {
      ...{ maxStake: file.maxStake.toString(), dailyLossCap: file.dailyLossCap.toString(), lostToday: file.lostOn(nowMs).toString() },
      ...{
        inPlay: file.inPlay.toString(),
        remaining: file.remaining(nowMs).toString(),
        resetsAt: new Date(nextDayAt(nowMs)).toISOString(),
      },
    }
  }),
  'agent.rank': procedure('G', none, (core, { file }) => ({ ladder: rankOf(core, file) })),
  'agent.stats': procedure('G', none, (_core, { file }) => statsAnswer(file)),
  'agent.history': procedure(
    'G',
    z.object({ versus: lane.optional(), cursor: z.string().nullish(), limit: limit.optional() }).nullable(),
    (_core, { file }, asked) =>
      historyAnswer(file, { versus: asked?.versus, start: Number(asked?.cursor?.slice(1) ?? 0), limit: Math.min(asked?.limit ?? 20, 50) }),
  ),
  'agent.leaderboard': procedure(
    'G',
    z
      .object({
        ...{ metric: z.enum(['rank', 'profit']).optional(), period: z.enum(['all', '7d']).optional() },
        ...{ cursor: z.number().int().min(0).nullish(), limit: limit.optional() },
      })
      .nullable(),
    (core, { file }, asked) => {
      const [start, count] = [asked?.cursor ?? 0, Math.min(asked?.limit ?? 50, 100)]
      const ranked = core.ranked()
      return {
        items: ranked
          .slice(start, start + count)
          .map(({ player, points }, index) => ({ place: start + index + 1, handle: player.handle, points })),
        nextCursor: start + count < ranked.length ? start + count : null,
        computedAt: new Date(core.timetable.now()).toISOString(),
        me: rankOf(core, file),
      }
    },
  ),
  'agent.events': procedure(
    'G',
    z.union([z.object({ latest: z.literal(true) }), z.object({ after: z.string().nullable(), limit: limit.optional() })]),
    ({ events }, { file }, asked) => {
      const { agentId } = file.player
      if ('latest' in asked) return { events: [], cursor: events.newest(agentId) }
      return events.page(agentId, asked.after, Math.min(asked.limit ?? 50, 100))
    },
  ),
  'agent.queue.get': procedure('G', ofTicket, (core, { file }, { ticketId }) => ({
    ticket: ticketAnswer(core.queue.byRef(file.player, ticketId), viewOf(core, file.player)),
  })),
  'agent.queue.list': procedure('G', none, (core, { file }) => ({
    // The newest first.
    tickets: {
      rows: core.queue
        .of(file.player)
        .slice(-20)
        .toReversed()
        .map((ticket) => ticketAnswer(ticket, viewOf(core, file.player))),
    },
  })),
  'agent.contests.list': procedure('G', listing.nullable(), (core, caller, asked) => {
    const stages = { open: ['open'], live: ['arming', 'drafting', 'live'] }
    const wanted = asked?.status === undefined ? [...stages.open, ...stages.live] : stages[asked.status]
    const found = matching(core, asked ?? {})
      .filter(({ stage }) => wanted.includes(stage))
      .toReversed()
    if (asked?.sort === 'dearest') found.sort((one, two) => Number(two.stake - one.stake))
    const [start, count] = [Number(asked?.cursor ?? 0), Math.min(asked?.limit ?? 25, 50)]
    return {
      data: found.slice(start, start + count).map((contest) => show(core, caller, contest)),
      more: start + count < found.length ? String(start + count) : null,
    }
  }),
  'agent.contests.counts': procedure('G', filters.nullable(), (core, _caller, asked) => {
    const found = matching(core, asked ?? {})
    const count = (...stages: string[]) => found.filter(({ stage }) => stages.includes(stage)).length
    return { data: { open: count('open'), live: count('arming', 'drafting', 'live') } }
  }),
  'agent.contests.get': procedure('G', ofContest, (core, caller, { contestId }) => show(core, caller, core.contests.byUid(contestId))),
  'agent.contests.mine': procedure('G', none, (core, caller) => ({
    // Those that are over stay in it for as long as there are few.
    mine: {
      entries: core.contests
        .of(caller.file.player)
        .slice(-30)
        .toReversed()
        .map((contest) => show(core, caller, contest)),
    },
  })),
  'agent.modes.state': procedure('G', ofContest, (core, { file }, { contestId }) =>
    boardAnswer(core.contests.byUid(contestId), viewOf(core, file.player)),
  ),
  'agent.tx.status': procedure('G', z.object({ signature: z.string() }), async ({ market }, { file }, { signature }) => {
    const status = await market.status(file.player.agentId, signature)
    if (status === undefined) throw new Refusal('NO_SUCH_TX', 'no transaction of yours has that signature')
    return status
  }),
}

const ACTIONS: Readonly<Record<string, Procedure>> = {
  'agent.queue.enqueue': procedure(
    'P',
    z.object({
      ...{ mode, stake: amount, durationSec: seconds.min(5), opponents: opponents.default('ANY'), chain: chain.default('solana') },
      waitSec: seconds.optional(),
    }),
    (core, { file }, { waitSec, ...wants }) => ({
      ticket: ticketAnswer(core.queue.enqueue(file.player, { ...wants, waitSec }), viewOf(core, file.player)),
    }),
  ),
  'agent.queue.cancel': procedure('P', ofTicket, (core, { file }, { ticketId }) => ({
    ticket: ticketAnswer(core.queue.withdraw(file.player, ticketId), viewOf(core, file.player)),
  })),
  'agent.contests.create': procedure(
    'P',
    creation,
    (core, caller, { visibility, params, teamSize: _, opponents: whom = 'ANY', ...terms }) => {
      const bet = betOf(params?.bet)
      core.contests.checkStake(caller.file.player, terms.stake)
      const seen = { isHidden: visibility === 'hidden', isPrivate: visibility === 'private' }
      const contest = core.contests.open({ ...terms, ...seen, opponents: whom, coin: params?.coin }, false)
      core.contests.sit(contest, caller.file.player, { bet })
      return show(core, caller, contest)
    },
  ),
  'agent.contests.join': procedure('P', ofContest.extend({ side: z.string().optional() }), (core, caller, { contestId, side }) => {
    const contest = core.contests.byUid(contestId)
    const { player } = caller.file
    if (contest.opponents !== 'ANY' && contest.opponents !== player.kind)
      throw new Refusal('OTHER_LANE', 'it is for others', { opponents: contest.opponents })
    core.contests.sit(contest, player, { bet: betOf(side) })
    return show(core, caller, contest)
  }),
  'agent.contests.leave': procedure('P', ofContest, (core, caller, { contestId }) => {
    const contest = core.contests.byUid(contestId)
    core.contests.leave(contest, caller.file.player)
    return show(core, caller, contest)
  }),
  'agent.contests.ready': procedure(
    'P',
    ofContest.extend({ ready: z.boolean().optional() }),
    (core, caller, { contestId, ready = true }) => {
      const contest = core.contests.byUid(contestId)
      core.contests.setReady(contest, caller.file.player, ready)
      return show(core, caller, contest)
    },
  ),
  'agent.modes.draftPick': procedure('P', ofContest.extend({ token: z.string() }), (core, { file }, { contestId, token }) => {
    const contest = core.contests.byUid(contestId)
    core.contests.pick(contest, file.player, token)
    return { picked: token, ...boardAnswer(contest, viewOf(core, file.player)) }
  }),
  'agent.modes.commitPrediction': procedure(
    'P',
    ofContest.extend({ commitment: z.string() }),
    (core, { file }, { contestId, commitment }) => {
      const contest = core.contests.byUid(contestId)
      seal(core.contests, contest, file.player, commitment, { ms: core.timetable.now(), pace: core.pace })
      return { sealed: true, ...boardAnswer(contest, viewOf(core, file.player)) }
    },
  ),
  'agent.modes.revealPrediction': procedure('P', ofContest.extend({ value: z.string(), salt: z.string() }), (core, { file }, asked) => {
    const contest = core.contests.byUid(asked.contestId)
    openGuess(core.contests, contest, file.player, asked, { ms: core.timetable.now(), pace: core.pace })
    return { opened: true, ...boardAnswer(contest, viewOf(core, file.player)) }
  }),
  'agent.trade.signAndSend': procedure(
    'P',
    z.object({ transaction: z.string().min(1), contestId: z.uuid().nullish() }),
    (core, { file }, asked) => core.trades.send(file.player, asked.transaction, asked.contestId ?? null),
  ),
}

export const PROCEDURES: Readonly<Record<string, Procedure>> = { ...READS, ...ACTIONS }
