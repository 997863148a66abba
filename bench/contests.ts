// `node bench/contests.ts`: commands a second of the contest engine in memory, and what 1,000 agents and 10,000
// settled contests take, each in a process of its own. All nine modes are played in turn, to settlement.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import {
  apply,
  type Command,
  type CommandBody,
  type ContestsState,
  commandAt,
  contestView,
  createContests,
  dueCommand,
  modeStateView,
} from '../src/contests/index.ts'
import { commitmentOf } from '../src/contract/commitment.ts'
import { MODES, type Mode } from '../src/contract/enums.ts'
import { keyedUuid } from '../src/core/ids.ts'
import { type Mint, tokenOf, USDC_MINT } from '../src/core/tokens.ts'
import { usdc } from '../src/core/usdc.ts'

const AGENTS = 1000
const CONTESTS = 10_000
const RUNS = 5
const PROCESSES = 5
/** Until the compiler has seen all modes often enough. */
const WARM_UP_RUNS = 5
const START_MS = Date.UTC(2025, 6, 21, 12)
/** Contests that are played at the same time. */
const AT_ONCE = 50
const CONTEST_SEC = 15
const LEAST_PER_SECOND = 100_000
const MOST_BYTES = 400_000_000
const SALT = 'salt-of-the-benchmark'
const SOL = tokenOf('SOL')?.mint ?? ''

const priceAt = (mint: Mint, atMs: number): string => `${100 + (mint.charCodeAt(0) % 7) + (Math.floor(atMs / 1000) % 5)}.5`

const newState = () => createContests({ seed: 7, rakeBps: 500, startMs: START_MS })

/** Plays contests until so many are settled; `onCommand` sees every command that was obeyed. */
function play(state: ContestsState, contests: number, onCommand: (command: Command) => void): void {
  let now = START_MS
  const obey = (command: Command) => {
    const applied = apply(state, command)
    if (!applied.ok) throw new Error(`${command.type} was refused: ${applied.refusal.message}`)
    onCommand(command)
    return applied
  }
  const run = (body: CommandBody) => obey(commandAt(state, body, { now, priceAt }))
  const pass = (seconds: number) => {
    now += seconds * 1000
    for (let due = dueCommand(state, now, priceAt); due !== null; due = dueCommand(state, now, priceAt)) obey(due)
  }

  const agents = Array.from({ length: AGENTS }, (_, index) => {
    const agentId = keyedUuid('bench', index)
    const wallet = { walletAddress: agentId, balance: usdc('100000'), gasLamports: 10n ** 9n, caps: null } as const
    run({ type: 'createAgent', agentId, handle: `agent ${index}`, kind: 'AGENT', house: false, ...wallet })
    return agentId
  })
  for (let played = 0; played < contests; played += AT_ONCE) {
    const round = Array.from({ length: AT_ONCE }, (_, index) => {
      const mode = MODES[(played + index) % MODES.length] ?? 'up_down'
      const pair = [agents[((played + index) * 2) % AGENTS] ?? '', agents[((played + index) * 2 + 1) % AGENTS] ?? ''] as const
      const terms = { mode, stake: usdc('1'), durationSec: CONTEST_SEC, opponents: 'ANY', chain: 'solana', waitSec: 30 } as const
      const [, contestId = ''] = pair.map((agentId) => run({ type: 'enqueue', agentId, ...terms }).contestId)
      return { mode, pair, contestId }
    })
    for (const made of round) firstMoves(state, made, run)
    pass(12)
    for (const made of round) trades(state, made, run)
    pass(3)
    for (const made of round) trades(state, made, run)
    pass(12)
    for (const made of round) lastMoves(state, made, run)
    pass(30)
  }
}

interface Made {
  readonly mode: Mode
  readonly pair: readonly [string, string]
  readonly contestId: string
}

function entryIdOf(state: ContestsState, contestId: string, agentId: string): string {
  const view = contestView(state, contestId, agentId)
  return view.ok ? (view.value.you?.entryId ?? '') : ''
}

function firstMoves(state: ContestsState, { mode, pair, contestId }: Made, run: (body: CommandBody) => void): void {
  if (mode === 'price_prediction') {
    for (const agentId of pair) {
      const commitment = commitmentOf('100.5', SALT, entryIdOf(state, contestId, agentId))
      run({ type: 'move', agentId, contestId, move: { type: 'commitPrediction', commitment } })
    }
  }
  if (mode !== 'draft_basket') return
  for (;;) {
    const view = modeStateView(state, contestId, pair[0])
    if (!view.ok || view.value.turn === null) return
    const agentId = view.value.yourTurn === true ? pair[0] : pair[1]
    const [token] = view.value.available as Mint[]
    run({ type: 'move', agentId, contestId, move: { type: 'draftPick', token: token ?? '' } })
  }
}

/** Buys a token in a contest played by swaps, or sells half of it where there is some. */
function trades(state: ContestsState, { mode, pair, contestId }: Made, run: (body: CommandBody) => void): void {
  const contest = state.contests.get(contestId)
  if (mode === 'up_down' || mode === 'draft_basket' || mode === 'price_prediction' || contest?.status !== 'live') return
  const { params } = contest
  const token = 'token' in params && typeof params.token === 'string' ? params.token : SOL
  for (const [seat, agentId] of pair.entries()) {
    const units = (state.agents.get(agentId)?.tokens.get(token) ?? 0n) / 2n
    const [from, given, to, received] =
      units === 0n ? [USDC_MINT, 10_000_000n, token, 97_000_000n + BigInt(seat)] : [token, units, USDC_MINT, 4_900_000n]
    const changes = [
      { mint: from, delta: -given },
      { mint: to, delta: received },
    ]
    run({ type: 'fill', agentId, contestId, signature: `${contestId} ${seat}`, changes, feeLamports: 5000n })
  }
}

function lastMoves(_state: ContestsState, { mode, pair, contestId }: Made, run: (body: CommandBody) => void): void {
  if (mode !== 'price_prediction') return
  for (const agentId of pair) run({ type: 'move', agentId, contestId, move: { type: 'revealPrediction', value: '100.5', salt: SALT } })
}

/** Commands a second, warm: the log of all the contests, applied to a fresh state each time. */
function measureRate(): number {
  const commands: Command[] = []
  play(newState(), CONTESTS, (command) => commands.push(command))
  const rates = Array.from({ length: WARM_UP_RUNS + RUNS }, () => {
    const state = newState()
    const startedAt = performance.now()
    for (const command of commands) apply(state, command)
    return commands.length / ((performance.now() - startedAt) / 1000)
  })
  return median(rates.slice(WARM_UP_RUNS))
}

/** Resident bytes with everything played and nothing else kept. */
function measureMemory(): number {
  const state = newState()
  play(state, CONTESTS, () => undefined)
  const settled = [...state.contests.values()].filter(({ status }) => status === 'settled').length
  if (settled !== CONTESTS) throw new Error(`${settled} contests are settled, not ${CONTESTS}`)
  return process.memoryUsage().rss
}

const MEASURES = { rate: measureRate, memory: measureMemory }
type Measure = keyof typeof MEASURES

/** The figure of each of several processes, one after the other: the machine's own speed comes and goes between them. */
async function inProcesses(measure: Measure): Promise<number[]> {
  const figures: number[] = []
  while (figures.length < PROCESSES) {
    const child = fork(fileURLToPath(import.meta.url), [measure])
    const [figure] = (await once(child, 'message')) as [number]
    figures.push(figure)
  }
  return figures
}

const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0

const isMeasure = (name: string | undefined): name is Measure => name !== undefined && Object.hasOwn(MEASURES, name)

const asked = process.argv[2]
if (isMeasure(asked)) {
  const figure = MEASURES[asked]()
  if (process.send === undefined) console.log(figure)
  else process.send(figure)
} else {
  const rates = await inProcesses('rate')
  const perSecond = median(rates)
  const range = `${Math.round(Math.min(...rates))} to ${Math.round(Math.max(...rates))}`
  const bytes = median(await inProcesses('memory'))
  console.log(`commands a second: ${Math.round(perSecond)}, ${range} in ${PROCESSES} processes (at least ${LEAST_PER_SECOND})`)
  console.log(
    `resident memory with ${AGENTS} agents and ${CONTESTS} settled contests: ${Math.round(bytes / 1e6)} MB (under ${MOST_BYTES / 1e6})`,
  )
  process.exitCode = perSecond >= LEAST_PER_SECOND && bytes < MOST_BYTES ? 0 : 1
}
