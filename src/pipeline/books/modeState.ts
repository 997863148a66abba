import { type PlayKind, traitsOf } from '../../contract/modes.ts'
import { type ExtraPaths, type FieldName, type Found, findField } from '../../contract/paths.ts'
import type { ModeState } from '../../contract/records.ts'
import { CornermanError } from '../../core/error.ts'
import { show } from '../../core/show.ts'
import type { Seat } from './books.ts'

export interface ReadingAt {
  readonly now: number
  /** How far `now` is ahead of the service's time, in milliseconds. Default: 0. */
  readonly lagMs?: number | undefined
  readonly paths: ExtraPaths
}

/** What `agent.modes.state` says of a seat, and what it should have said and did not. */
export interface ReadSeat {
  readonly change: Partial<Seat>
  readonly missing: CornermanError | undefined
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
const whole = (value: unknown) => (typeof value === 'number' && Number.isInteger(value) ? value : undefined)
/** A list of mints, given as text or as records with a `mint` or a `token`. */
const mints = (value: unknown) => {
  if (!Array.isArray(value)) return undefined
  const read = value.map((item: unknown) => {
    if (typeof item === 'string') return item
    const { mint, token } = typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {}
    return text(mint) ?? text(token)
  })
  return read.every((mint) => mint !== undefined) ? read : undefined
}
/** Below, a number is no time, but one left, a place or a count: as seconds it would be of 2001 and before. */
const LEAST_SEC = 1e9
/** Below, a number counts seconds: as milliseconds it would be of 1973 and before. */
const LEAST_MS = 1e11
/** An ISO timestamp, or Unix seconds or milliseconds, as a number or in digits; in the bot's time, which is ahead of the service's by `lagMs`. */
const instantOf = (value: unknown, lagMs: number) => {
  const count = typeof value === 'string' && /^\d{9,14}$/.test(value) ? Number(value) : value
  if (typeof count === 'number') return count < LEAST_SEC ? undefined : (count < LEAST_MS ? count * 1000 : count) + lagMs
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(parsed) ? undefined : parsed + lagMs
}
/** A commitment is shown as itself or as a flag. */
const committed = (value: unknown) => (value === null ? false : typeof value === 'string' ? value !== '' : flag(value))

/** Words of a phase in which no commitment is taken any more. Others are not documented, and the time says when it is too late. */
const OVER = ['reveal', 'settl', 'cancel', 'clos', 'over', 'end', 'done', 'complet', 'final']
/** Words that say the same where no time is said: a contest is locked, and may run, while commitments are still taken. */
const BEGUN = ['run', 'lock']
const OPEN = ['commit']
const DRAFT = ['draft', 'pick']
/** States of a contest, which stand where a phase may: they say nothing of one. */
const OF_CONTEST = /^(open|live)$/i
const isCalled = (phase: string | undefined, words: readonly string[]): boolean =>
  phase !== undefined && words.some((word) => phase.toLowerCase().startsWith(word))
const NO_PICKS: readonly string[] = []
const KNOWN = [...OVER, ...BEGUN, ...OPEN]
const isNull = (value: unknown) => (value === null ? true : undefined)
const earlier = (known: number | undefined, now: number): number => (known !== undefined && known < now ? known : now)
/** Not what only begins like it: `revealed`, say. */
const isRevealing = (phase: string | undefined): boolean => phase !== undefined && /^reveal(s|ing)?$/i.test(phase)

/** Nothing says whether a commitment is taken now. */
function windowMissing(phase: string | undefined): CornermanError {
  const field = 'commitBy or phase'
  const remedy = "add the place of commitBy to the pieces of the service's shapes, or the words of its phase to words.phase"
  if (phase === undefined)
    return new CornermanError(
      'FIELD_MISSING',
      `the state of the mode has no ${field}: whether it takes commitments is not known; ${remedy}`,
      {
        details: { field },
      },
    )
  const message = `the state of the mode has no commitBy, and calls its phase ${show(phase)}: whether it takes commitments is not known, and none is made; ${remedy}`
  return new CornermanError('WORD_UNKNOWN', message, { details: { field, word: phase } })
}

/** One reading of a mode's state for a seat. */
interface Reading {
  readonly state: ModeState
  readonly seat: Seat
  readonly now: number
  /** Looks for a field where it may be; undefined where it is not there, or not what it should be. */
  find<T>(field: FieldName, read: (value: unknown) => T | undefined): T | undefined
  /** The same, with the error that says that it is not there. */
  look<T>(field: FieldName, read: (value: unknown) => T | undefined): Found<T>
  readonly instant: (value: unknown) => number | undefined
  /** Fields that are read in every mode. */
  readonly common: Partial<Seat>
  readonly entryId: string | undefined
  /** The field that the state was searched for and does not have: the entry, or the token. */
  readonly lacked: Found<string> | undefined
}

/**
 * Reads a mode's state for one seat. Its shape is not documented, so each field is looked for where
 * it may be (`paths.ts`), and what is not there stays undefined.
 */
export function readModeState(state: ModeState, seat: Seat, { now, lagMs = 0, paths }: ReadingAt): ReadSeat {
  const look: Reading['look'] = (field, read) => findField(state, field, read, paths)
  const find: Reading['find'] = (field, read) => {
    const found = look(field, read)
    return found.found ? found.value : undefined
  }
  const mode = seat.mode ?? state.mode
  const entry = look('entryId', text)
  const entryId = entry.found ? entry.value : seat.entryId
  const traits = traitsOf(mode)
  const tokenHere = seat.token === undefined ? look('token', text) : undefined
  const token = tokenHere?.found ? tokenHere.value : seat.token
  const common: Partial<Seat> = {
    ...(entryId === undefined ? {} : { entryId }),
    lacksPiece: entryId === undefined || (traits?.needsToken === true && token === undefined),
    ...(mode === undefined ? {} : { mode }),
    token,
  }
  if (traits === undefined) return { change: common, missing: undefined }
  const lacked = !entry.found && entryId === undefined ? entry : tokenHere
  const instant = (value: unknown) => instantOf(value, lagMs)
  return READERS[traits.playedBy]({ state, seat, now, find, look, instant, common, entryId, lacked })
}

const readNothingElse = ({ common }: Reading): ReadSeat => ({ change: common, missing: undefined })

const READERS: Readonly<Record<PlayKind, (reading: Reading) => ReadSeat>> = {
  swaps: readNothingElse,
  side: readNothingElse,
  picks: readTurn,
  sealedPrice: readWindow,
}

function readTurn({ state, seat, now, find, look, instant, common, entryId }: Reading): ReadSeat {
  const turnOf = find('turnEntryId', text)
  const said = look('yourTurn', flag)
  const isOurs = said.found ? said.value : turnOf !== undefined && turnOf === entryId
  const available = look('available', mints)
  const round = find('round', whole) ?? 0
  // A token that was refused as taken is so for the whole turn, even if the state still shows it.
  const isOfRound = isOurs && seat.turn?.round === round
  const refusedPicks = isOfRound ? seat.refusedPicks : NO_PICKS
  const pickBy = find('pickBy', instant)
  const pool = available.found ? available.value : []
  const mine = find('mine', mints)
  const turn = {
    available: refusedPicks.length === 0 ? pool : pool.filter((token) => !refusedPicks.includes(token)),
    mine: mine ?? [],
    theirs: find('theirs', mints) ?? [],
    round,
    pickBy,
  }
  const isTooLate = isOfRound && seat.turn?.pickBy === pickBy && seat.isTooLate
  // That it is nobody's turn may be said by a null.
  const saysTurn = said.found || turnOf !== undefined || state.turn === null
  const needed = saysTurn ? isOurs && available : said
  // A deadline of a contest that is open may be that of its lobby.
  const isTimed = seat.phase === 'live' && turn.pickBy !== undefined && now < turn.pickBy
  const isWaitedFor = turnOf !== undefined || isTimed
  const movesAhead = isOurs || isWaitedFor || isCalled(find('phase', text), DRAFT)
  const turnEndsAt = seat.phase === 'live' || turnOf !== undefined ? turn.pickBy : undefined
  const turnMs = turnEndsAt === seat.turnEndsAt ? seat.turnMs : turnEndsAt === undefined ? undefined : turnEndsAt - now
  return {
    change: {
      ...{ ...common, turn: isOurs ? turn : undefined, refusedPicks, isTooLate, movesAhead, turnEndsAt, turnMs },
      picksHeld: mine?.length ?? seat.picksHeld,
    },
    // A draft that has not begun need not show any of it.
    missing: needed && !needed.found && (isOurs || seat.phase === 'live') ? needed.error : undefined,
  }
}

function readWindow({ seat, now, find, instant, common, lacked }: Reading): ReadSeat {
  const phase = find('phase', text)
  const shown = find('committed', committed)
  const learnt = (field: 'commitBy' | 'revealFrom', known: number | undefined) =>
    find(field, instant) ?? (find(field, isNull) === true ? undefined : known)
  const commitsUntil = learnt('commitBy', seat.commitsUntil)
  // The word is said now, and the time was said before.
  const isPastEnd = isCalled(phase, OPEN) && commitsUntil === undefined && seat.endsAt !== undefined && now >= seat.endsAt
  const byWord = isPastEnd ? undefined : isCalled(phase, OPEN) ? seat.endsAt : seat.startsAt
  const commitBy = commitsUntil ?? byWord ?? Number.POSITIVE_INFINITY
  const isOver = isCalled(phase, OVER) || (commitsUntil === undefined && isCalled(phase, BEGUN))
  const isWordUnknown = phase !== undefined && !OF_CONTEST.test(phase) && !isCalled(phase, KNOWN)
  // The windows of a contest that is live go without saying, where no word is said that may say otherwise; of one that is not they do not.
  const isSaid = commitsUntil !== undefined || isCalled(phase, OPEN) || (seat.phase === 'live' && !isWordUnknown)
  const isOwed = seat.phase === 'live' && (shown ?? seat.committed) !== true
  const isUnclear = isOwed && isWordUnknown && commitsUntil === undefined
  // The next word may be known, as long as there is time.
  const mayOpen = isUnclear && !seat.isTooLate && (seat.endsAt === undefined || now < seat.endsAt)
  const isOpen = shown !== true && !isOver && !seat.isTooLate && isSaid && now < commitBy
  const window = {
    committed: shown,
    commitBy: isOpen ? commitBy : undefined,
    commitsUntil,
    revealFrom: isRevealing(phase) ? (find('revealFrom', instant) ?? earlier(seat.revealFrom, now)) : learnt('revealFrom', seat.revealFrom),
    // A word that stands for ever says nothing: one that a commitment of ours was made by does.
    commitsPastEnd: isPastEnd && (shown !== true || seat.commitsPastEnd),
    movesAhead: isOpen || mayOpen,
    lacksPiece: common.lacksPiece === true || isUnclear,
  }
  // Without any word a commitment is made until the start, and nothing says whether one would be after it.
  const isUnsaid = isOwed && phase === undefined && commitsUntil === undefined && seat.startsAt !== undefined && now >= seat.startsAt
  if (isUnclear || isUnsaid) return { change: { ...common, ...window }, missing: windowMissing(phase) }
  // A field that the state lacks is read from the contest, and only then it is missing.
  return { change: { ...common, ...window }, missing: isOpen && seat.isRead && lacked?.found === false ? lacked.error : undefined }
}
