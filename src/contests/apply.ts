import { unreachable } from '../core/error.ts'
import { runDue } from './due.ts'
import { createContest, joinContest, leaveContest, readyContest } from './entry/seats.ts'
import { cancelTicket, enqueue } from './entry/tickets.ts'
import { createAgent, deposit, depositLamports, setCaps } from './money/accounts.ts'
import { fill } from './play/fills.ts'
import { giveScore } from './play/giveScore.ts'
import { playMove } from './play/moves.ts'
import { refuse } from './refuse.ts'
import type { ContestsState } from './state/state.ts'
import type { Turn } from './turn.ts'
import type { Applied, Command, Outcome } from './types.ts'

/**
 * Runs what has fallen due by `command.now`, in order and each at its own time, then the command.
 * The state is changed in place. A refused command changes nothing beyond what had fallen due; a time
 * before the state's own counts as the state's.
 *
 * @throws CornermanError `INVARIANT` when a transition that has fallen due needs a price the command
 *   does not carry; events of transitions before it are lost then, and so the state must be given up.
 *   Applying what `dueCommand` returns first never comes to this.
 */
export function apply(state: ContestsState, command: Command): Applied {
  const turn: Turn = { state, prices: command.prices ?? [], events: [] }
  const now = Math.max(command.now, state.now)
  runDue(turn, now)
  state.now = now
  return { ...execute(turn, command), events: turn.events }
}

function execute(turn: Turn, command: Command): Outcome {
  if (command.type === 'advance') return { ok: true }
  if (command.type === 'createAgent') return createAgent(turn, command)
  const agent = turn.state.agents.get(command.agentId)
  if (agent === undefined) return refuse('NOT_FOUND', `there is no agent ${command.agentId}`, { agentId: command.agentId })
  switch (command.type) {
    case 'deposit':
    case 'depositToken':
      return deposit(turn, agent, command)
    case 'depositLamports':
      return depositLamports(turn, agent, command.amount)
    case 'fill':
      return fill(turn, agent, command)
    case 'setCaps':
      return setCaps(agent, command.caps)
    case 'enqueue':
      return enqueue(turn, agent, command)
    case 'cancelTicket':
      return cancelTicket(turn, agent, command.ticketId)
    case 'createContest':
      return createContest(turn, agent, command)
    case 'joinContest':
      return joinContest(turn, agent, command)
    case 'leaveContest':
      return leaveContest(turn, agent, command.contestId)
    case 'readyContest':
      return readyContest(turn, agent, command)
    case 'giveScore':
      return giveScore(turn, agent, command)
    case 'move':
      return playMove(turn, agent, command)
    default:
      return unreachable(command)
  }
}
