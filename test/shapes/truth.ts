import type { Piece, PlaceSource, PlaceText, Shapes } from '../../src/contract/shapes/shapes.ts'
import { areMovesInRows, bare, isPickByInTurn, moveForm, ownSeatPath, PHASE_FLAGS } from './answers.ts'
import type { Form, TimeForm } from './form.ts'
import { CONTEST_WORDS, PHASE_WORDS, REFUSAL_WORDS, TICKET_WORDS, translated } from './words.ts'

// The mapping that reads a form rightly, and other places that say the same.

type Pieces = NonNullable<Shapes['pieces']>
type Found = NonNullable<Pieces[Piece]>

/** What may be said of one part of a mapping: a piece, `lists.…`, `records.…`, `own` or `words.…`. */
export type Acceptable = Found | string | readonly string[] | Readonly<Record<string, unknown>>
export type Right = Readonly<Record<string, readonly Acceptable[]>>

export interface Truth {
  readonly truth: Shapes
  /** By piece and part: all places that hold the same value always, the truth's first. */
  readonly right: Right
}

export function truthOf(form: Form): Truth {
  const { own, state, style } = form
  const at = (source: PlaceSource, path: string): PlaceText => `${source}:${style(path)}`
  const right: Record<string, Acceptable[]> = {}
  const pieces: Record<string, Acceptable> = {}
  const say = (piece: Piece, first: Found | undefined, ...same: readonly (Found | false | undefined)[]) => {
    const known = [first, ...same].filter((found): found is Found => found !== undefined && found !== false)
    if (first !== undefined) pieces[piece] = first
    if (known.length > 0) right[piece] = known
  }

  say('agentId', at('me', form.me.agentId), form.me.userId !== '' && at('me', form.me.userId))
  say('handle', at('me', 'agent.handle'))
  say('userId', at('me', form.me.userId === '' ? form.me.agentId : form.me.userId), at('me', form.me.agentId))

  say('ticketId', at('ticket', form.ticket.id))
  say('ticketState', at('ticket', form.ticket.status))
  say('ticketContest', at('ticket', form.ticket.contest))

  const contest = (path: string) => at('contest', path)
  const inState = (path: string) => at('state', path)
  say('contestId', contest(form.contest.id), state.hasContestId && inState(form.contest.id))
  say('contestState', contest(form.contest.status), state.hasStatus && inState(form.contest.status))
  say('mode', contest(form.mode), inState(form.mode))
  say('stake', contest(form.stake))
  say('duration', { at: contest(form.duration.key), unit: form.duration.unit })
  const time = (place: PlaceText, as: TimeForm): Found => ({ at: place, as })
  const [starts, ends] = form.contest.window
  const windowOf = (path: string) => [
    time(contest(path), form.contest.times),
    ...(state.hasWindow ? [time(inState(bare(path)), state.times)] : []),
  ]
  const [startsAt, ...alsoStarts] = windowOf(starts)
  const [endsAt, ...alsoEnds] = windowOf(ends)
  say('startsAt', startsAt, ...alsoStarts)
  say('endsAt', endsAt, ...alsoEnds)

  const ownObject = (path: string) => (own.hasObject ? contest(`${own.object}.${path}`) : undefined)
  const ownRow = (path: string) => (own.isRowFound ? contest(`${form.rows}[own].${path}`) : undefined)
  const { row } = form
  say('side', ownObject(row.side) ?? ownRow(row.side), form.takenSides === '' && ownRow(row.side))
  say('ready', ownObject(row.ready) ?? ownRow(row.ready), ownRow(row.ready))
  say('score', ownRow(row.score) ?? ownObject(row.score))

  sayEntryId()
  const inToken = form.tokenIn === '' ? '' : `.${form.tokenIn}`
  const params = (source: PlaceSource) => at(source, `${form.params}.${form.tokenKey}${inToken}`)
  sayToken()

  say('phase', phaseOf())
  sayMoves()
  sayDraft()
  say('listedContestId', at('listed', form.contest.id))
  say('listedMode', at('listed', form.mode))
  say('listedStake', at('listed', form.stake))
  say('listedSides', at('listed', form.takenSides === '' ? `${form.rows}[].${row.side}` : form.takenSides))

  const lists = mapped(form.lists, (path) => style(path))
  const records = { ...mapped({ ...form.records }, (path) => style(path)), items: form.records.items }
  const owns = ownOf()
  const words: NonNullable<Shapes['words']> = {
    ticket: translated(TICKET_WORDS, form.ticket.words),
    contest: translated(CONTEST_WORDS, form.contest.words),
    ...(state.phaseForm === 'word' ? { phase: translated(PHASE_WORDS, state.words) } : {}),
    ...(form.turn.kind === 'word' ? { turn: [form.turn.words[0]] } : {}),
    side: { ...form.sides },
    refusal: mapped(REFUSAL_WORDS as Readonly<Record<string, readonly string[]>>, (codes) => codes.map(form.codeOf)),
  }
  for (const [list, path] of Object.entries(lists)) right[`lists.${list}`] = [path]
  for (const [record, path] of Object.entries(records)) right[`records.${record}`] = [path]
  for (const [kind, said] of Object.entries(words)) if (said !== undefined) right[`words.${kind}`] = [said]
  right.own = [...owns]
  return { truth: { version: 1, lists, records, own: owns[0], pieces, words } as Shapes, right }

  function sayEntryId(): void {
    const { entryIdWhere: where } = form
    const inObject = where === 'usual' || where === 'object' ? ownObject(row.entryId) : undefined
    // What finds the own row by its id cannot give the id.
    const inRow = form.rowIds && (own.owner !== 'entryId' || !own.hasRows) ? ownRow(row.entryId) : undefined
    const places = {
      usual: inState(state.entryId),
      state: inState(state.entryId),
      object: inObject,
      row: inRow,
      contest: contest(own.contestEntry),
      beside: inState(`^.${state.entryId}`),
    }
    say('entryId', places[where], inObject, inRow)
  }

  function sayToken(): void {
    const top = (source: PlaceSource) => at(source, `${form.tokenKey}${inToken}`)
    const { tokenWhere: where } = form
    switch (where) {
      case 'usual':
      case 'params':
        say('token', params('contest'), params('state'))
        say('listedToken', params('listed'))
        return
      case 'top':
        say('token', top('contest'), top('state'))
        say('listedToken', top('listed'))
        return
      case 'state':
        say('token', top('state'))
        say('listedToken', params('listed'))
        return
      case 'contest':
        say('token', top('contest'))
        say('listedToken', top('listed'))
    }
  }

  function phaseOf(): Found {
    if (state.phaseForm === 'word') return inState(state.phase)
    return { flags: Object.fromEntries(PHASE_FLAGS.map((meaning) => [meaning, inState(state.flags(meaning))])) }
  }

  function sayMoves(): void {
    const deadline = (key: string) => time(inState(state.group + key), state.times)
    // Commitments are taken until the window begins, and reveals from its end.
    say('commitBy', state.hasCommitBy ? deadline(state.commitBy) : undefined, ...windowOf(starts))
    say('revealFrom', state.hasRevealFrom ? deadline(state.revealFrom) : undefined, ...windowOf(ends))
    say('revealBy', deadline(state.revealBy))
    const rows = areMovesInRows(form) ? form.rows : 'predictions'
    const rowOf = (path: string) => inState(areMovesInRows(form) ? `[own].${path}` : `${rows}[own].${path}`)
    const places = (move: 'committed' | 'revealed', key: string, inRow: string): readonly (Found | undefined)[] => {
      const where = moveForm(form, move)
      const first = where === 'row' ? inState(`${rows}[own].${inRow}`) : inState(where === 'own' ? `${bare(own.object)}.${key}` : key)
      return [first, own.isRowFound ? inState(`${rows}[own].${inRow}`) : undefined, own.isRowFound ? rowOf(inRow) : undefined]
    }
    const [committed, ...alsoCommitted] = places('committed', state.committedKey, areMovesInRows(form) ? state.committedKey : 'committed')
    const [revealed, ...alsoRevealed] = places('revealed', state.revealedKey, 'value')
    say('committed', committed, ...alsoCommitted)
    say('revealed', revealed, ...alsoRevealed)
  }

  function sayDraft(): void {
    const { turn, pool } = form
    const place = (path: string): PlaceText => inState(path)
    const flag: Found = { at: place(turn.flag), is: 'flag' }
    const by = (path: string, is: 'entryId' | 'agentId' | 'userId'): Found => ({ at: place(path), is })
    const drafter = form.decoys.current && turn.base !== 'current' && by('current.entry', 'entryId')
    switch (turn.kind) {
      case 'both':
        say(
          'turn',
          flag,
          ...(['entryId', 'userId'] as const).map((is) => by(`${turn.base}.${is}`, is)),
          by(`${turn.base}.userId`, 'agentId'),
          drafter,
        )
        break
      case 'flag':
        say('turn', flag, drafter)
        break
      case 'word':
        say('turn', { at: place(turn.path), is: 'word' }, drafter)
        break
      case 'seat':
        say(
          'turn',
          { at: place(turn.path), is: 'seat', own: place(ownSeatPath(form)) },
          own.form === 'seat' && { at: place(turn.path), is: 'seat', own: contest(own.seat) },
          drafter,
        )
        break
      case 'agentId':
      case 'userId':
        say('turn', by(turn.path, turn.kind), by(turn.path, turn.kind === 'userId' ? 'agentId' : 'userId'), drafter)
        break
      case 'entryId':
      case 'handle':
        say('turn', { at: place(turn.path), is: turn.kind }, drafter)
    }
    const pickBy = isPickByInTurn(form) ? `${turn.base}.${state.pickBy}` : state.group + state.pickBy
    say(
      'pickBy',
      time(place(pickBy), state.times),
      turn.kind === 'both' && !isPickByInTurn(form) && time(place(`${turn.base}.${state.pickBy}`), state.times),
    )
    say('round', place(state.round), turn.hasObject && place(`${turn.base}.round`))
    const [mine, theirs] = state.picks
    const items = (path: string): Found => (state.picksAre === 'mints' ? place(path) : { at: place(path), token: 'mint' })
    say('mine', items(mine))
    say('theirs', items(theirs))
    // All of it stands in params as well.
    const rest: Found = { at: place(`${form.params}.pool`), minus: [place(mine), place(theirs)] }
    const restOfContest: Found = { at: contest(`${form.params}.pool`), minus: [place(mine), place(theirs)] }
    const minus = [place(mine), place(theirs)]
    const token = style(pool.token)
    const key = '$key' as const
    const poolAt = place(pool.path)
    const free = (path: string, is: null | boolean | string) => ({ at: style(path), is })
    const forms: Readonly<Record<Form['pool']['form'], Found>> = {
      mints: poolAt,
      objects: { at: poolAt, token },
      map: { at: poolAt, token: key },
      mapTaken: { at: poolAt, token: key, free: free('takenBy', null) },
      takenBy: { at: poolAt, token, free: free('takenBy', null) },
      free: { at: poolAt, token, free: free('free', true) },
      status: { at: poolAt, token, free: free('status', 'free') },
      minus: { at: poolAt, minus: pool.minus === '' ? minus : [place(pool.minus)] },
    }
    say('pool', forms[pool.form], rest, restOfContest, pool.form === 'minus' && pool.minus !== '' && { at: poolAt, minus })
  }

  function ownOf(): readonly NonNullable<Shapes['own']>[] {
    const path = (text: string) => style(text)
    const object = own.hasObject ? [{ at: path(own.object) }] : []
    const rows = path(form.rows)
    if (own.form === 'seat') return [{ rows, seat: path(own.seat) }]
    if (!own.hasRows) return object
    const key = own.owner === 'entryId' ? row.entryId : own.ownerKey
    const by = { rows, by: { [path(key)]: own.owner === 'isYou' ? (true as const) : own.owner } }
    const same =
      own.owner === 'userId' || own.owner === 'agentId'
        ? [{ rows, by: { [path(key)]: own.owner === 'userId' ? ('agentId' as const) : ('userId' as const) } }]
        : []
    return [by, ...same, ...object]
  }
}

const mapped = <K extends string, A, B>(record: Readonly<Record<K, A>>, change: (value: A) => B): Record<K, B> =>
  Object.fromEntries(Object.entries<A>(record).map(([key, value]) => [key, change(value)])) as Record<K, B>
