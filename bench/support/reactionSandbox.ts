// `node bench/support/reactionSandbox.ts OPTIONS`, forked: a sandbox that notes when it commits something that a bot is to react to, and
// when that bot's action arrives. Both are times of this one process, so that no two clocks are compared.

import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { startSandbox } from '../../src/sandbox/index.ts'

export interface ReactionSandboxOptions {
  readonly agents: readonly string[]
  /** Where webhooks are received; undefined: the bots poll. */
  readonly webhookPort: number | undefined
  /** A ticket that expires, to which the bot enqueues anew; or a turn in a draft, which no event announces. */
  readonly cause: 'ticket.expired' | 'turn'
}

export interface ReactionSandboxReady {
  readonly url: string
  readonly agents: readonly { readonly key: string; readonly webhookSecret: string | undefined }[]
}

/** One reaction, in milliseconds: in all, and the parts of it. */
export interface Reaction {
  /** From the commit to the action's request at the service. */
  readonly ms: number
  /** Until the request arrived by which the bot learnt of it, */
  readonly untilReadMs: number
  /** until that had been answered, */
  readonly readMs: number
  /** and until the action arrived. */
  readonly untilActionMs: number
}

export interface ReactionReport {
  /** Agents whose event stream has been read by now. */
  readonly following: number
  /** Since the report before. */
  readonly reactions: readonly Reaction[]
}

interface Exchange {
  arrivedAt: number
  answeredAt: number
}

const options = JSON.parse(process.argv[2] ?? '{}') as ReactionSandboxOptions
const isTurn = options.cause === 'turn'
const READ = isTurn ? '/agent.modes.state' : '/agent.events'
const ACTION = isTurn ? '/agent.modes.draftPick' : '/agent.queue.enqueue'

const { url, agents, service, webhooks } = await startSandbox({
  agents: options.agents,
  house: isTurn,
  matchDelayMs: 500,
  loopbackWebhooks: true,
})

const now = () => performance.now()
/** What an agent has not reacted to yet, and its newest read that would show it. */
const causedAt = new Map<string, number>()
const reads = new Map<string, Exchange>()
const contestOf = new Map<string, string>()
const following = new Set<string>()
let reactions: Reaction[] = []

// `append` returns when what it was given is on the disk.
const { store } = service
const append = store.append.bind(store)
store.append = (command, events, extras) => {
  append(command, events, extras)
  const at = now()
  for (const { type, agentId, data } of events) {
    if (isTurn && type === 'contest.live') contestOf.set(agentId, String(data.contestId))
    if (type === 'ticket.expired' && !isTurn) causedAt.set(agentId, at)
  }
  // After a pick, and after the start, it is somebody's turn: whoever acts next reacts to that.
  const contestIds =
    command.type === 'move'
      ? [command.contestId]
      : events.flatMap(({ type, data }) => (type === 'contest.live' ? [String(data.contestId)] : []))
  if (isTurn) for (const [agentId, contestId] of contestOf) if (contestIds.includes(contestId)) causedAt.set(agentId, at)
}

const agentIds = new Map(agents.map(({ key, agentId }) => [key, agentId]))
const agentOf = ({ headers }: IncomingMessage) => agentIds.get(String(headers['x-agent-key']))

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage }
  const agentId = agentOf(request)
  if (agentId === undefined) return
  const path = request.url?.split('?')[0]
  if (path === '/agent.events') following.add(agentId)
  if (path === READ) reads.set(agentId, { arrivedAt: now(), answeredAt: Number.NaN })
  if (path === ACTION) noteAction(agentId)
})
subscribe('http.server.response.finish', (message) => {
  const { request } = message as { request: IncomingMessage }
  const read = reads.get(agentOf(request) ?? '')
  if (read !== undefined && Number.isNaN(read.answeredAt) && request.url?.startsWith(READ) === true) read.answeredAt = now()
})

function noteAction(agentId: string): void {
  const at = now()
  const cause = causedAt.get(agentId)
  const read = reads.get(agentId)
  causedAt.delete(agentId)
  // The first action of all is a reaction to nothing.
  if (cause === undefined || read === undefined) return
  const { arrivedAt, answeredAt } = read
  reactions.push({ ms: at - cause, untilReadMs: arrivedAt - cause, readMs: answeredAt - arrivedAt, untilActionMs: at - answeredAt })
}

process.on('message', () => {
  const report: ReactionReport = { following: following.size, reactions }
  process.send?.(report)
  reactions = []
})

process.once('disconnect', () => process.exit())

const secretOf = async (name: string, agentId: string) =>
  options.webhookPort === undefined
    ? undefined
    : (await webhooks.set(agentId, `http://127.0.0.1:${options.webhookPort}/webhooks/${name}`)).secret
const ready: ReactionSandboxReady = {
  url,
  agents: await Promise.all(agents.map(async ({ name, key, agentId }) => ({ key, webhookSecret: await secretOf(name, agentId) }))),
}
process.send?.(ready)
