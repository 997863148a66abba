import { invariant } from '../../core/error.ts'
import { type Mint, SOL_MINT, symbolOf, tokenOfMint, USDC_MINT } from '../../core/tokens.ts'
import { proceed } from '../lifecycle.ts'
import type { FillRules, PlayedContest } from '../modes/contestMode.ts'
import { hasPlay, modeOf } from '../modes/index.ts'
import { addTo, balanceOf, changeBalance, levelSol, solOf } from '../money/ledger.ts'
import { noContest, noSeat, refusal } from '../refuse.ts'
import { type Agent, agentOf, type ContestsState } from '../state/state.ts'
import { priceAt, type Turn } from '../turn.ts'
import type { Contest, FillCommand, ModeParams, Outcome, Refusal } from '../types.ts'

/**
 * Books an executed transaction: the agent's balances change, the DEX is the other side, the fee is
 * burnt. A swap tagged with a contest of a mode played by swaps counts for it from `startsAt` until
 * `endsAt`; any other changes balances alone. There is no event for it: the interface has none.
 */
export function fill(turn: Turn, agent: Agent, command: FillCommand): Outcome {
  const { state } = turn
  const target = targetOf(state, command, state.now)
  const problem = problemOf(state, agent, command, target) ?? pricesProblem(turn, command, target)
  if (problem !== null) return { ok: false, refusal: problem }
  agent.gasLamports -= command.feeLamports
  state.burntLamports += command.feeLamports
  for (const { mint, delta } of command.changes) {
    changeBalance(agent, mint, delta)
    addTo(state.dex, mint, -delta)
  }
  levelSol(state, agent)
  const { contestId, changes } = command
  if (contestId === null) return { ok: true }
  if (target.counting !== null) {
    const { contest, rules } = target.counting
    const seat = contest.entries.findIndex(({ agentId }) => agentId === agent.agentId)
    proceed(turn, contest, rules.count(contest, { seat, at: state.now, changes, priceOf: (mint) => pricedAt(turn, mint) }))
  }
  return { ok: true, contestId }
}

/**
 * Why a transaction would be refused, apart from prices; null when it would not. For a shell that
 * must know before it executes one. No balance may become negative, neither the agent's nor the DEX's;
 * USDC in play is not in the wallet, and so cannot be swapped.
 */
export function fillProblem(state: ContestsState, command: FillCommand, now: number): Refusal | null {
  return problemOf(state, agentOf(state, command.agentId), command, targetOf(state, command, now))
}

function problemOf(state: ContestsState, agent: Agent, command: FillCommand, target: Target): Refusal | null {
  return formProblem(command) ?? contestProblem(command, target) ?? balanceProblem(state, agent, command)
}

/** Mints whose price the command must carry, as of its own time: those of a swap that counts for a contest. */
export function mintsOfFill(state: ContestsState, command: FillCommand, now: number): readonly Mint[] {
  if (targetOf(state, command, now).counting === null) return []
  return command.changes.map(({ mint }) => mint).filter((mint) => mint !== USDC_MINT)
}

function formProblem({ changes, feeLamports }: FillCommand): Refusal | null {
  if (feeLamports < 0n)
    return refusal('INVALID_INPUT', `feeLamports ${feeLamports} must be 0 or more`, { feeLamports: feeLamports.toString() })
  if (changes.length === 0) return null
  if (isPlainSwap(changes)) return null
  return refusal('INVALID_INPUT', 'changes must name each mint once and never by 0, with something given and something received', {
    changes: changes.map(({ mint, delta }) => `${symbolOf(mint)} ${delta}`).join(', '),
  })
}

/** Each mint once and never by 0, with something given and something received. */
function isPlainSwap(changes: FillCommand['changes']): boolean {
  const [one, other] = changes
  // As nearly every swap is.
  if (changes.length === 2 && one !== undefined && other !== undefined)
    return one.mint !== other.mint && (one.delta < 0n ? other.delta > 0n : one.delta > 0n && other.delta < 0n)
  return (
    changes.every(({ mint, delta }, at) => delta !== 0n && changes.findIndex((each) => each.mint === mint) === at) &&
    changes.some(({ delta }) => delta < 0n) &&
    changes.some(({ delta }) => delta > 0n)
  )
}

function contestProblem({ agentId, contestId, changes }: FillCommand, { contest, counting }: Target): Refusal | null {
  if (contestId === null) return null
  if (contest === undefined) return noContest(contestId).refusal
  if (!contest.entries.some((entry) => entry.agentId === agentId)) return noSeat(contestId).refusal
  const { chain } = contest
  if (chain !== 'solana')
    return refusal('CHAIN_NOT_TRADABLE', `contest ${contestId} is on ${chain}, where nothing is traded: leave contestId out`, {
      contestId,
      chain,
    })
  if (counting === null) return null
  const tokens = counting.rules.tokens(counting.contest.params)
  const stray = changes.find(({ mint }) => mint !== USDC_MINT && (tokenOfMint(mint) === undefined || tokens?.includes(mint) === false))
  if (stray === undefined) return null
  const allowed = tokens === null ? 'known tokens' : [...tokens.map(symbolOf), 'USDC'].join(' and ')
  return refusal(
    'TOKEN_NOT_ALLOWED',
    `a swap of ${stray.mint} cannot count for contest ${contestId}: swap ${allowed}, or leave contestId out`,
    {
      contestId,
      token: stray.mint,
    },
  )
}

function balanceProblem(state: ContestsState, agent: Agent, { changes, feeLamports }: FillCommand): Refusal | null {
  if (feeLamports > solOf(agent)) return insufficient('lamports', feeLamports, solOf(agent))
  for (const { mint, delta } of changes) {
    const held = mint === SOL_MINT ? solOf(agent) - feeLamports : balanceOf(agent, mint)
    if (held + delta < 0n) return insufficient(symbolOf(mint), -delta, held)
    const left = state.dex.get(mint) ?? 0n
    if (left - delta < 0n) return insufficient(`${symbolOf(mint)} of the DEX`, delta, left)
  }
  return null
}

function insufficient(what: string, needed: bigint, held: bigint): Refusal {
  return refusal('INSUFFICIENT_BALANCE', `${needed} base units of ${what} are needed and ${held} are there: trade less`, {
    needed: needed.toString(),
    held: held.toString(),
  })
}

/** A swap cannot count for a contest at a price nobody knows. */
function pricesProblem(turn: Turn, { changes }: FillCommand, { counting }: Target): Refusal | null {
  if (counting === null) return null
  const unpriced = changes.find(({ mint }) => mint !== USDC_MINT && priceAt(turn, mint, turn.state.now) === null)?.mint
  if (unpriced === undefined) return null
  return refusal('TOKEN_NOT_ALLOWED', `${symbolOf(unpriced)} has no price now: leave contestId out`, { token: unpriced })
}

interface Counting {
  readonly contest: PlayedContest<ModeParams, unknown>
  readonly rules: FillRules<ModeParams, unknown>
}

/** What a transaction was sent for. */
interface Target {
  /** The contest it names, where there is one. */
  readonly contest: Contest | undefined
  /** The same with its rules, where the transaction counts for it. */
  readonly counting: Counting | null
}

function targetOf({ contests }: ContestsState, { contestId, changes }: FillCommand, now: number): Target {
  const contest = contestId === null ? undefined : contests.get(contestId)
  if (contest === undefined || changes.length === 0 || !isInWindow(contest, now)) return { contest, counting: null }
  const { fills: rules } = modeOf(contest)
  return { contest, counting: rules === null ? null : { contest, rules } }
}

function isInWindow(contest: Contest, now: number): contest is PlayedContest<ModeParams, unknown> {
  return contest.status === 'live' && hasPlay(contest) && contest.startsAt <= now && now < contest.endsAt
}

function pricedAt(turn: Turn, mint: Mint): string {
  const price = mint === USDC_MINT ? '1' : priceAt(turn, mint, turn.state.now)
  invariant(price !== null, `a price that was checked is gone: ${mint}`)
  return price
}
