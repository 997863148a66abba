import type { AgentEvent, BankrollRecord, ContestRecord, LimitsRecord, Page, TicketRecord } from '../../contests/index.ts'
import type { EventType, ServiceEvent } from '../../contract/events.ts'
import { type ProcedureName, type ProcedureOutput, procedures } from '../../contract/procedures.ts'

// What the engine shows is wire-shaped: amounts are digits, times ISO text. Here it is read back as a client reads it, by
// hand where a bot reads all the time: the schemas of the contract look for everything that a stranger's answer may get
// wrong, and this one was made a moment ago by the engine itself.

const msOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso))

const contest = (record: ContestRecord) => ({
  ...record,
  stake: BigInt(record.stake),
  params: { ...record.params },
  startsAt: msOf(record.startsAt),
  endsAt: msOf(record.endsAt),
})

const ticket = (record: TicketRecord) => ({
  ...record,
  stake: BigInt(record.stake),
  createdAt: Date.parse(record.createdAt),
  expiresAt: Date.parse(record.expiresAt),
})

const state = (record: Readonly<Record<string, unknown>>) => record

const bankroll = ({ available, wallet, vault, inPlay, gasLamports, walletAddress }: BankrollRecord) => ({
  available: BigInt(available),
  wallet: BigInt(wallet),
  vault: BigInt(vault),
  inPlay: BigInt(inPlay),
  gasLamports: BigInt(gasLamports),
  walletAddress,
})

const limits = ({ maxStake, dailyLossCap, lostToday, inPlay, remaining, resetsAt }: LimitsRecord) => ({
  maxStake: BigInt(maxStake),
  dailyLossCap: BigInt(dailyLossCap),
  lostToday: BigInt(lostToday),
  inPlay: BigInt(inPlay),
  remaining: BigInt(remaining),
  resetsAt: Date.parse(resetsAt),
})

/** By procedure: what the engine shows there, decoded. */
const DECODERS = {
  'agent.bankroll': bankroll,
  'agent.limits': limits,
  'agent.queue.enqueue': ticket,
  'agent.queue.get': ticket,
  'agent.queue.cancel': ticket,
  'agent.queue.list': (records: readonly TicketRecord[]) => records.map(ticket),
  'agent.contests.list': ({ items, nextCursor }: Page<ContestRecord>) => ({ items: items.map(contest), nextCursor }),
  'agent.contests.mine': (records: readonly ContestRecord[]) => records.map(contest),
  'agent.contests.get': contest,
  'agent.contests.create': contest,
  'agent.contests.join': contest,
  'agent.contests.leave': contest,
  'agent.contests.ready': contest,
  'agent.modes.state': state,
  'agent.modes.draftPick': state,
  'agent.modes.commitPrediction': state,
  'agent.modes.revealPrediction': state,
} as const satisfies { readonly [N in ProcedureName]?: (record: never) => ProcedureOutput<N> }

/** What the engine shows in answer to a procedure, as a client reads it. */
export function decoded<N extends ProcedureName>(procedure: N, record: unknown): ProcedureOutput<N> {
  const decode = (DECODERS as Partial<Record<ProcedureName, (record: unknown) => unknown>>)[procedure]
  return (decode === undefined ? procedures[procedure].output.parse(record) : decode(record)) as ProcedureOutput<N>
}

const matched = ({ stake, ...rest }: { readonly stake: string }) => ({ ...rest, stake: BigInt(stake) })

/** By type of event: what the engine says there, decoded; of any other type it says nothing but text and numbers. */
const EVENT_DECODERS: { readonly [T in EventType]?: (data: never) => object } = {
  'match.found': matched,
  'ticket.failed': matched,
  'contest.live': ({ startsAt, endsAt, ...rest }: { readonly startsAt: string; readonly endsAt: string }) => ({
    ...rest,
    startsAt: Date.parse(startsAt),
    endsAt: Date.parse(endsAt),
  }),
  'contest.settled': ({
    stake,
    payout,
    profit,
    ...rest
  }: {
    readonly stake: string
    readonly payout: string
    readonly profit: string
  }) => ({
    ...rest,
    stake: BigInt(stake),
    payout: BigInt(payout),
    profit: BigInt(profit),
  }),
}

/** An event of the engine, as a client reads it. */
export function decodedEvent({ id, type, data, createdAt }: Omit<AgentEvent, 'agentId'>): ServiceEvent {
  const decode = (EVENT_DECODERS as Readonly<Record<string, ((data: object) => object) | undefined>>)[type]
  return { id, type, data: decode === undefined ? { ...data } : decode(data), createdAt: Date.parse(createdAt) } as ServiceEvent
}
