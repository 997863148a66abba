import type { Chain, Format, Mode } from '../../contract/enums.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { ContestMode } from '../modes/contestMode.ts'
import { modeOf } from '../modes/index.ts'
import { refusal } from '../refuse.ts'
import type { CreateContestCommand, ModeParams, Refusal } from '../types.ts'

// The specification shows no bounds: these are the engine's own.
// As wide as anybody may want them: a backtest plays the contests of services that have others.
const YEAR_SEC = 365 * 86_400
const DURATION_SEC = { min: 15, max: YEAR_SEC }
const WAIT_SEC = { min: 1, max: YEAR_SEC }
const JOIN_WINDOW_SEC = { min: 1, max: YEAR_SEC }
const CAPACITY = { min: 2, max: 100 }

export interface Terms {
  readonly mode: Mode
  readonly chain: Chain
  readonly stake: Usdc
  readonly durationSec: number
}

/** Why no ticket or contest can have these terms; null when it can. */
export function termsProblem({ mode, chain, stake, durationSec }: Terms): Refusal | null {
  if (stake <= 0n) return refusal('INVALID_INPUT', `stake ${stake} must be above 0 micro-USDC`, { stake: stake.toString() })
  return chainProblem(modeOf({ mode }), chain) ?? rangeProblem('durationSec', durationSec, DURATION_SEC)
}

/** A mode that needs swaps is not played where there is no DEX. */
export function chainProblem({ name, chains }: Pick<ContestMode, 'name' | 'chains'>, chain: Chain): Refusal | null {
  if (chains.includes(chain)) return null
  return refusal('CHAIN_NOT_TRADABLE', `mode ${name} is not played on ${chain}: use ${chains.join(' or ')}`, { mode: name, chain })
}

export const waitProblem = (waitSec: number): Refusal | null => rangeProblem('waitSec', waitSec, WAIT_SEC)

/** Why a contest cannot have this form: its capacity, teams and join window. */
export function formProblem(command: CreateContestCommand): Refusal | null {
  const { format, capacity, teamSize, joinWindowSec, mode } = command
  const ranges = rangeProblem('joinWindowSec', joinWindowSec, JOIN_WINDOW_SEC) ?? rangeProblem('capacity', capacity, CAPACITY)
  if (ranges !== null) return ranges
  if (format === 'duel' && capacity !== 2)
    return refusal('INVALID_INPUT', `capacity ${capacity} of a duel must be 2, or create a lobby`, { capacity })
  if (teamSize === null) return null
  if (format === 'duel') return refusal('INVALID_INPUT', `teamSize ${teamSize} needs a lobby: leave it out of a duel`, { teamSize })
  if (modeOf({ mode }).sides !== null)
    return refusal('INVALID_INPUT', `mode ${mode} has sides of its own: leave teamSize out`, { teamSize })
  if (Number.isInteger(teamSize) && teamSize >= 1 && capacity % teamSize === 0 && capacity / teamSize >= 2) return null
  return refusal('INVALID_INPUT', `teamSize ${teamSize} must divide the capacity of ${capacity} into two teams or more`, {
    teamSize,
    capacity,
  })
}

/** Payout shares are for lobbies, and for no more places than there are seats. */
export function payoutsProblem({ payouts }: ModeParams, format: Format, capacity: number): Refusal | null {
  if (payouts === undefined) return null
  if (format === 'duel') return refusal('INVALID_INPUT', 'params.payouts needs a lobby: the winner of a duel takes all')
  if (payouts.length <= capacity) return null
  return refusal('INVALID_INPUT', `params.payouts has ${payouts.length} shares for ${capacity} seats: list at most one a seat`, {
    capacity,
  })
}

function rangeProblem(field: string, value: number, { min, max }: { readonly min: number; readonly max: number }): Refusal | null {
  if (Number.isInteger(value) && value >= min && value <= max) return null
  return refusal('INVALID_INPUT', `${field} ${value} must be a whole number from ${min} to ${max}`, { [field]: value })
}
