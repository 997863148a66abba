import type { Piece } from '../../src/contract/shapes/shapes.ts'
import { isRecord, type Json } from './answers.ts'
import type { Value } from './referenceReader.ts'
import { CONTEST_WORDS, meaningOf, PHASE_WORDS, TICKET_WORDS } from './words.ts'

// What the sandbox says of each piece, by its own fields.

const timeOf = (value: unknown): number | undefined => (typeof value === 'string' ? Date.parse(value) : undefined)
const shown = (value: unknown): Value => (value === null ? undefined : (value as Value))

export function saidOfTicket({ ticketId, status, contestId }: Json): Partial<Record<Piece, Value>> {
  return { ticketId: shown(ticketId), ticketState: meaningOf(TICKET_WORDS, status), ticketContest: shown(contestId) }
}

export function saidOfContest(contest: Json): Partial<Record<Piece, Value>> {
  const entries = contest.entries as readonly Json[]
  const you = isRecord(contest.you) ? contest.you : undefined
  const own = entries.find(({ entryId }) => entryId === you?.entryId)
  return {
    contestId: shown(contest.contestId),
    contestState: meaningOf(CONTEST_WORDS, contest.status),
    mode: shown(contest.mode),
    stake: shown(contest.stake),
    duration: shown(contest.durationSec),
    startsAt: timeOf(contest.startsAt),
    endsAt: timeOf(contest.endsAt),
    side: shown(own?.side),
    ready: shown(own?.ready),
    score: shown(own?.score),
    entryId: shown(you?.entryId),
    token: shown((contest.params as Json).token),
  }
}

export function saidOfListed(contest: Json): Partial<Record<Piece, Value>> {
  const { contestId, mode, stake, token } = saidOfContest(contest)
  const sides = (contest.entries as readonly Json[]).flatMap(({ side }) => (typeof side === 'string' ? [side] : []))
  return {
    listedContestId: contestId,
    listedMode: mode,
    listedStake: stake,
    // Elsewhere a listed contest may keep it to itself.
    ...(mode === 'up_down' ? { listedToken: token } : {}),
    listedSides: sides,
  }
}

export function saidOfState(state: Json): Partial<Record<Piece, Value>> {
  return {
    phase: meaningOf(PHASE_WORDS, state.phase),
    commitBy: timeOf(state.commitBy),
    revealFrom: timeOf(state.revealFrom),
    revealBy: timeOf(state.revealBy),
    committed: state.committed === true,
    revealed: state.revealed === true,
    turn: state.yourTurn === true,
    pool: shown(state.available),
    pickBy: timeOf(state.pickBy),
    round: shown(state.round),
    mine: shown(state.mine),
    theirs: shown(state.theirs),
  }
}
