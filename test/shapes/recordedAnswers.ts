import { answerRead, type ContestAction, type ContestRead, type ContestsState, commandOf } from '../../src/contests/index.ts'
import { commitmentOf } from '../../src/contract/commitment.ts'
import { MODES } from '../../src/contract/enums.ts'
import type { ProcedureInput } from '../../src/contract/procedures.ts'
import { invariant } from '../../src/core/error.ts'
import { keyedUuid } from '../../src/core/ids.ts'
import { USDC_MINT } from '../../src/core/tokens.ts'
import { usdc } from '../../src/core/usdc.ts'
import { openTestService } from '../support/sandbox/openTestService.ts'
import type { Json, ShapeContext } from './answers.ts'

// What the sandbox answers to an agent that plays a contest of every mode, from the first ticket to the last result.

/** One answer, as the sandbox gave it. */
export interface RecordedAnswer {
  readonly procedure: string
  readonly input: unknown
  readonly json: unknown
  readonly context: ShapeContext
}

/** A contest at one moment, as one agent is told of it in two answers. */
export interface RecordedMoment {
  readonly context: ShapeContext
  readonly contest: Json
  readonly state: Json
}

export interface Recorded {
  readonly answers: readonly RecordedAnswer[]
  readonly moments: readonly RecordedMoment[]
}

const SALT = 'a-salt-of-sixteen'
const STEP_MS = 1300
const MINUTE_MS = 60_000

/** @param options.file where the sandbox is kept, for a look at it afterwards */
export function recordAnswers({ file = ':memory:' }: { readonly file?: string } = {}): Recorded {
  const world = openTestService({ matchDelayMs: 600, dbFile: file })
  const caps = { maxStake: usdc('50'), dailyLossCap: usdc('200') }
  const [alice, bob] = ['alice', 'bob'].map((handle) => {
    const agentId = keyedUuid('agent of shapes', handle)
    const born = { handle, kind: 'AGENT', house: false, walletAddress: `wallet of ${handle}` } as const
    world.obey({ type: 'createAgent', agentId, ...born, balance: usdc('1000'), gasLamports: 10n ** 9n, caps })
    return agentId
  }) as [string, string]
  const commitments = new Map<string, string>()
  const contextOf = (agentId: string): ShapeContext => ({
    ...{ agentId, handle: agentId === alice ? 'alice' : 'bob', now: world.clock.now() },
    ...(agentId === alice ? { commitments } : {}),
  })
  const read = <N extends ContestRead>(agentId: string, procedure: N, input: ProcedureInput<N>): unknown => {
    const answer = world.service.read((state: ContestsState, now) => answerRead(state, procedure, { agentId, now, input }))
    invariant(answer.ok, `${procedure} was refused`)
    return JSON.parse(JSON.stringify(answer.value)) as unknown
  }
  const actFor = <N extends ContestAction>(agentId: string, procedure: N, input: ProcedureInput<N>) =>
    world.service.dispatch(commandOf(procedure, agentId, input))
  const act = <N extends ContestAction>(procedure: N, input: ProcedureInput<N>) => actFor(alice, procedure, input)

  const answers: RecordedAnswer[] = []
  const moments: RecordedMoment[] = []
  /** What was there before is no news. */
  const seen = new Set<string>()
  const note = <N extends ContestRead>(agentId: string, procedure: N, input: ProcedureInput<N>): unknown => {
    const json = read(agentId, procedure, input)
    const told = JSON.stringify([agentId, procedure, input, json])
    if (!seen.has(told)) answers.push({ procedure, input, json, context: contextOf(agentId) })
    seen.add(told)
    return json
  }
  const look = (agentId: string, contestId: string): RecordedMoment => {
    const contest = note(agentId, 'agent.contests.get', { contestId }) as Json
    const state = note(agentId, 'agent.modes.state', { contestId }) as Json
    const moment = { context: contextOf(agentId), contest, state }
    const told = JSON.stringify([agentId, contest, state])
    if (!seen.has(told)) moments.push(moment)
    seen.add(told)
    return moment
  }

  const stake = usdc('1')
  const ours = new Set<string>()
  const swapped = new Set<string>()
  const play = ({ contest, state, context }: RecordedMoment) => {
    const contestId = String(contest.contestId)
    if (contest.status !== 'live') return
    if (state.phase === 'commit' && state.committed === false) {
      const commitment = commitmentOf('100', SALT, String(state.entryId))
      commitments.set(contestId, commitment)
      act('agent.modes.commitPrediction', { contestId, commitment })
    }
    if (state.phase === 'reveal' && state.revealed === false) act('agent.modes.revealPrediction', { contestId, value: '100', salt: SALT })
    const [first] = (state.available ?? []) as string[]
    // Every second pick is left to the service.
    if (state.yourTurn === true && first !== undefined && state.round === 1) act('agent.modes.draftPick', { contestId, token: first })
    const isRunning = state.phase === 'running' || state.phase === 'filling'
    const token = (contest.params as { token?: string }).token ?? 'So11111111111111111111111111111111111111112'
    if (!isRunning || state.traders === undefined || swapped.has(contestId)) return
    swapped.add(contestId)
    const changes = [
      { mint: USDC_MINT, delta: -1_000_000n },
      { mint: token, delta: 1_000_000n },
    ]
    const fill = { type: 'fill', agentId: context.agentId, contestId, signature: `swap ${contestId}`, changes, feeLamports: 5000n } as const
    world.service.dispatch(fill)
  }

  note(alice, 'agent.me', null)
  note(alice, 'agent.queue.list', null)
  const open = note(alice, 'agent.contests.list', { status: 'open', limit: 20 }) as { items: { contestId: string; mode: string }[] }
  const upDown = open.items.find(({ mode }) => mode === 'up_down')?.contestId ?? ''
  act('agent.contests.join', { contestId: upDown })
  ours.add(upDown)
  look(alice, upDown)
  const others = new Set(
    open.items.filter(({ mode, contestId }) => contestId !== upDown && /draft|price/.test(mode)).map(({ contestId }) => contestId),
  )
  act('agent.contests.ready', { contestId: upDown, ready: true })
  for (const mode of MODES) act('agent.queue.enqueue', { mode, stake, durationSec: 15, waitSec: 60, chain: 'solana', opponents: 'ANY' })
  // Nobody is told who the other is.
  const terms = { mode: 'draft_basket', chain: 'solana', format: 'duel', stake, durationSec: 15 } as const
  const made = act('agent.contests.create', { ...terms, visibility: 'public', params: { hidden: true } })
  const hidden = (made.ok && made.contestId) || ''
  ours.add(hidden)
  look(alice, hidden)
  actFor(bob, 'agent.contests.join', { contestId: hidden })
  for (const agentId of [alice, bob]) actFor(agentId, 'agent.contests.ready', { contestId: hidden, ready: true })
  // Nobody takes this one's seat.
  act('agent.queue.enqueue', { mode: 'pnl_usd', stake: usdc('3'), durationSec: 3600, waitSec: 1, chain: 'robinhood', opponents: 'HUMAN' })

  for (let passed = 0; passed < MINUTE_MS; passed += STEP_MS) {
    world.advance(STEP_MS)
    const tickets = note(alice, 'agent.queue.list', null) as { ticketId: string; contestId: string | null }[]
    for (const { ticketId, contestId } of tickets) {
      note(alice, 'agent.queue.get', { ticketId })
      if (contestId !== null) ours.add(contestId)
    }
    for (const contestId of ours) play(look(alice, contestId))
    if (passed % (4 * STEP_MS) === 0) {
      note(alice, 'agent.me', null)
      note(alice, 'agent.contests.mine', null)
      note(alice, 'agent.contests.list', { limit: 3 })
      for (const contestId of [...others, ...[...ours].slice(0, 2)]) look(bob, contestId)
    }
  }
  for (const contestId of ours) look(alice, contestId)
  world.service.close()
  return { answers, moments }
}
