import type { Draws } from './draws.ts'
import {
  OTHER_CODES,
  OTHER_CONTEST_WORDS,
  OTHER_PHASE_WORDS,
  OTHER_SIDES,
  OTHER_TICKET_WORDS,
  type Translation,
  USUAL_CODE,
  USUAL_SIDES,
} from './words.ts'

// Every dimension in which a service may depart from the sandbox. Paths are in camel case; `style` gives them as the service writes them.

export type TimeForm = 'iso' | 'ms' | 's' | 'leftMs' | 'leftSec'
/** Who a row is of, by what. */
export type OwnerKind = 'userId' | 'agentId' | 'handle' | 'isYou' | 'entryId'
export type TurnKind = 'flag' | 'entryId' | 'agentId' | 'userId' | 'handle' | 'seat' | 'word'
export interface DurationForm {
  readonly key: string
  readonly unit: 's' | 'ms' | 'min'
}
/** `taken…` and `mapTaken`, `free`, `status`: all of the pool, marked; `minus`: all of it. */
export type PoolForm = 'mints' | 'objects' | 'map' | 'mapTaken' | 'takenBy' | 'free' | 'status' | 'minus'

const OWNER_KEYS: Readonly<Record<OwnerKind, readonly [string, ...string[]]>> = {
  userId: ['userId', 'user', 'user.id', 'playerId'],
  agentId: ['agentId', 'agent', 'agent.id', 'bot.id'],
  handle: ['handle', 'name', 'agent.handle', 'username'],
  isYou: ['isYou', 'you', 'isMe', 'ownedByYou'],
  entryId: ['', ''],
}
const TURN_KEYS: Readonly<Record<Exclude<TurnKind, 'flag' | 'word'>, readonly string[]>> = {
  entryId: ['entryId', 'entry', 'id'],
  agentId: ['agentId', 'agent', 'bot'],
  userId: ['userId', 'user', 'playerId'],
  handle: ['handle', 'name', 'who'],
  seat: ['seat', 'seatNo', 'position'],
}
const TIMES: readonly TimeForm[] = ['ms', 's', 'leftMs', 'leftSec']

const others = (keys: readonly string[]): readonly string[] => keys.slice(1)
const snake = (path: string): string => path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export type Form = ReturnType<typeof formOf>

export function formOf(draws: Draws) {
  const lists = {
    tickets: draws.of('lists.tickets', '', ['items', 'tickets', 'data', 'data.rows', 'queue.tickets', 'result.list']),
    mine: draws.of('lists.mine', '', ['items', 'contests', 'data', 'active', 'data.rows', 'result.contests']),
    open: draws.of('lists.open', 'items', ['', 'contests', 'data', 'data.rows', 'results', 'page.items']),
  }
  const records = {
    ticket: draws.of('records.ticket', '', ['ticket', 'data', 'data.ticket', 'result']),
    contest: draws.of('records.contest', '', ['contest', 'data', 'data.contest', 'result']),
    state: draws.of('records.state', '', ['state', 'data', 'modeState', 'data.state']),
    items: draws.of<'bare' | 'wrapped'>('records.items', 'bare', ['wrapped']),
  }
  const canBeBeside = (wrapper: string) => wrapper !== '' && records.items === 'wrapped'
  const isSnake = draws.of('key style', false, [true])
  const style = (path: string): string => (isSnake ? snake(path) : path)

  return {
    lists,
    records,
    style,
    isSnake,
    /** Where there is nothing: null, or no key. */
    nulls: draws.of<'null' | 'absent'>('nulls', 'null', ['absent']),
    /** What an action answers. */
    actions: draws.of<'record' | 'ok'>('actions answer', 'record', ['ok']),
    decoys: decoysOf(draws),
    me: {
      agentId: draws.of('me.agentId', 'agent.agentId', ['agent.id', 'agent.uuid', 'id', 'agent.botId']),
      userId: draws.of('me.userId', '', ['agent.userId', 'user.id', 'userId']),
    },
    mode: draws.of('key of mode', 'mode', ['game', 'gameMode', 'kind', 'contestMode']),
    stake: draws.of('key of stake', 'stake', ['entryFee', 'wager', 'buyIn', 'amount']),
    duration: draws.of<DurationForm>('duration', { key: 'durationSec', unit: 's' }, [
      { key: 'duration', unit: 's' },
      { key: 'durationMs', unit: 'ms' },
      { key: 'length', unit: 'ms' },
      { key: 'minutes', unit: 'min' },
      { key: 'durationMin', unit: 'min' },
    ]),
    params: draws.of('key of params', 'params', ['settings', 'config', 'rules']),
    ticket: {
      id: draws.of('ticket id', 'ticketId', ['id', 'ref', 'queueId', 'uuid', 'meta.id']),
      status: draws.of('key of ticket state', 'status', ['state', 'ticketState', 'stage', 'progress']),
      words: draws.of<Translation>('words of tickets', {}, OTHER_TICKET_WORDS),
      contest: draws.of('contest of ticket', 'contestId', [
        ...['match.contestId', 'match.id', 'contest.id', 'gameId', 'seat.contest', 'outcome.contestId'],
        ...(canBeBeside(records.ticket) ? ['^.contestId', '^.match.contestId', '^.seatedIn'] : []),
      ]),
    },
    contest: {
      id: draws.of('contest id', 'contestId', ['id', 'gameId', 'uuid', 'meta.id', 'ref']),
      status: draws.of('key of contest state', 'status', ['state', 'lifecycle', 'contestStatus', 'stage']),
      words: draws.of<Translation>('words of contests', {}, OTHER_CONTEST_WORDS),
      times: draws.of<TimeForm>('times of contests', 'iso', TIMES),
      window: draws.of<readonly [string, string]>(
        'window of contests',
        ['startsAt', 'endsAt'],
        [
          ['startTime', 'endTime'],
          ['window.start', 'window.end'],
          ['schedule.from', 'schedule.to'],
          ['opensAt', 'closesAt'],
          ['times.startsAt', 'times.endsAt'],
          ...(canBeBeside(records.contest)
            ? ([
                ['^.startsAt', '^.endsAt'],
                ['^.clock.start', '^.clock.end'],
              ] as const)
            : []),
        ],
      ),
    },
    ...ownOf(draws, canBeBeside(records.contest), records.state !== ''),
    ...tokenOf(draws),
    state: stateOf(draws, records.state !== ''),
    turn: turnOf(draws),
    pool: poolOf(draws),
    sides: draws.of('words of sides', USUAL_SIDES, OTHER_SIDES),
    codeOf: draws.of('codes of refusals', USUAL_CODE, OTHER_CODES),
  }
}

/** What stands there beside what is meant. */
function decoysOf(draws: Draws) {
  return {
    serverTime: draws.of<TimeForm | ''>('decoy: server time', '', ['iso', 'ms', 's']),
    serial: draws.of('decoy: serial number', '', ['seq', 'version', 'revision']),
    opponent: draws.of('decoy: opponent', false, [true]),
    current: draws.of('decoy: entry of the drafter', false, [true]),
    quoteToken: draws.of('decoy: token of params', '', ['quoteToken', 'payToken', 'settleIn']),
    meta: draws.of('decoy: meta in wrappers', '', ['meta', 'info', 'paging']),
    pot: draws.of('decoy: pot', '', ['pot', 'prizePool', 'purse']),
  }
}

function ownOf(draws: Draws, canBeBesideContest: boolean, isStateWrapped: boolean) {
  const ownForm = draws.of<'both' | 'object' | 'row' | 'seat'>('own row', 'both', ['object', 'row', 'row', 'seat'])
  const hasObject = ownForm === 'both' || ownForm === 'object'
  const hasRows = ownForm === 'both' || ownForm === 'row'
  const owner = hasRows ? draws.of<OwnerKind>('owner of rows', 'userId', ['agentId', 'handle', 'isYou', 'entryId']) : 'userId'
  const ownerKey = draws.of('key of owner', OWNER_KEYS[owner][0], others(OWNER_KEYS[owner]))
  const isRowFound = (hasRows && owner !== 'entryId') || ownForm === 'seat'
  const entryIdWhere = draws.of<'usual' | 'object' | 'row' | 'state' | 'contest' | 'beside'>('place of entry id', 'usual', [
    ...(hasObject ? (['object'] as const) : []),
    ...(isRowFound ? (['row'] as const) : []),
    ...(isStateWrapped ? (['beside'] as const) : []),
    ...(['state', 'contest'] as const),
  ])
  return {
    own: {
      form: ownForm,
      hasObject,
      hasRows,
      isRowFound,
      owner,
      ownerKey,
      object: draws.of('key of own object', 'you', [
        'me',
        'self',
        'mySeat',
        'viewer.seat',
        ...(canBeBesideContest ? ['^.you', '^.me'] : []),
      ]),
      seat: draws.of('key of own seat number', 'yourSeat', ['mySeatNumber', 'viewer.seatNo', 'seatIndex']),
      /** In the contest, by itself. */
      contestEntry: draws.of('key of own entry in the contest', 'yourEntryId', ['myEntry', 'viewer.entryId', 'entryRef']),
    },
    entryIdWhere,
    /** Whether rows, the own one among them, show their ids. */
    rowIds: draws.of('ids of rows', true, entryIdWhere === 'row' || (hasRows && owner === 'entryId') ? [] : [false]),
    rows: draws.of('key of entries', 'entries', ['players', 'seats', 'participants', 'roster']),
    row: {
      entryId: draws.of('key of entry id', 'entryId', ['id', 'entry', 'seatId', 'entry.id']),
      side: draws.of('key of side', 'side', ['direction', 'choice', 'position', 'call']),
      ready: draws.of('key of ready', 'ready', ['isReady', 'locked', 'confirmed']),
      score: draws.of('key of score', 'score', ['result', 'points', 'figure']),
    },
    /** Where the sides stand that are taken: in the rows, or in a list of their own. */
    takenSides: draws.of('taken sides', '', hasObject ? ['takenSides', 'sidesTaken', 'board.sides'] : []),
  }
}

function tokenOf(draws: Draws) {
  return {
    /** `usual`: in params, and at the top of the states that have it there. */
    tokenWhere: draws.of<'usual' | 'params' | 'top' | 'state' | 'contest'>('place of token', 'usual', [
      'params',
      'top',
      'state',
      'contest',
    ]),
    tokenKey: draws.of('key of token', 'token', ['mint', 'asset', 'coin', 'underlying', 'market']),
    /** Within an object. */
    tokenIn: draws.of('token in an object', '', ['mint', 'address', 'id']),
  }
}

function stateOf(draws: Draws, isWrapped: boolean) {
  const phaseForm = draws.of<'word' | 'flags'>('phase by flags', 'word', ['flags'])
  return {
    hasContestId: draws.of('contest id in the state', true, [false]),
    hasStatus: draws.of('contest state in the state', true, [false]),
    hasWindow: draws.of('window in the state', true, [false]),
    entryId: draws.of('key of entry id in the state', 'entryId', ['you.entryId', 'me.entry', 'seat.id', 'viewer.entryId', 'myEntryId']),
    phaseForm,
    phase: draws.of('key of phase', 'phase', ['step', 'modePhase', 'period', 'situation', 'play.phase']),
    flags: draws.of<(meaning: string) => string>(
      'keys of phase flags',
      (meaning) => (meaning === 'commit' || meaning === 'reveal' ? `can${title(meaning)}` : `is${title(meaning)}`),
      [(meaning) => `flags.${meaning}`, (meaning) => `allowed.${meaning}`],
    ),
    words: draws.of<Translation>('words of phases', {}, OTHER_PHASE_WORDS),
    times: draws.of<TimeForm>('times of states', 'iso', TIMES),
    group: draws.of('place of deadlines', '', ['deadlines.', 'windows.', 'timers.', ...(isWrapped ? ['^.', '^.deadlines.'] : [])]),
    commitBy: draws.of('key of commitBy', 'commitBy', ['commitDeadline', 'lockAt', 'commitsCloseAt', 'sealBy']),
    revealFrom: draws.of('key of revealFrom', 'revealFrom', ['revealOpensAt', 'revealStart', 'openFrom']),
    revealBy: draws.of('key of revealBy', 'revealBy', ['revealDeadline', 'revealUntil', 'revealEnd']),
    pickBy: draws.of('key of pickBy', 'pickBy', ['pickDeadline', 'turnEndsAt', 'deadline']),
    isPickByInTurn: draws.of('pickBy in the turn', false, [true]),
    hasCommitBy: draws.of('commitBy', true, [false]),
    hasRevealFrom: draws.of('revealFrom', true, [false]),
    committed: draws.of<'flag' | 'text' | 'row' | 'own'>('committed', 'flag', ['text', 'row', 'own']),
    committedKey: draws.of('key of committed', 'committed', ['hasCommitted', 'sealed', 'locked']),
    revealed: draws.of<'flag' | 'text' | 'row' | 'own'>('revealed', 'flag', ['text', 'row', 'own']),
    revealedKey: draws.of('key of revealed', 'revealed', ['hasRevealed', 'opened', 'shown']),
    round: draws.of('key of round', 'round', ['roundNumber', 'draft.round', 'roundNo']),
    picks: draws.of<readonly [string, string]>(
      'place of picks',
      ['mine', 'theirs'],
      [
        ['yourPicks', 'theirPicks'],
        ['baskets.mine', 'baskets.theirs'],
        ['you.picks', 'opponent.picks'],
        ['myTokens', 'rivalTokens'],
      ],
    ),
    picksAre: draws.of<'mints' | 'objects'>('form of picks', 'mints', ['objects']),
    hasEveryPick: draws.of("everyone's picks", true, [false]),
  }
}

const title = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

const TURN_WORDS = [
  ['you', 'them'],
  ['ME', 'OPPONENT'],
  ['self', 'other'],
  ['OURS', 'THEIRS'],
] as const

function turnOf(draws: Draws) {
  const kind = draws.of<TurnKind | 'both'>('turn', 'both', ['flag', 'entryId', 'agentId', 'userId', 'handle', 'seat', 'word'])
  const base = draws.of('key of turn', 'turn', ['current', 'onTheClock', 'draft.turn'])
  const isFlat = draws.of('turn by itself', false, [true])
  const keys = kind === 'both' || kind === 'flag' || kind === 'word' ? TURN_KEYS.entryId : TURN_KEYS[kind]
  const key = draws.of('key in the turn', keys[0] ?? '', others(keys))
  const flat = draws.of('key of the turn by itself', 'turnOf', ['drafter', 'onClock', 'nextToPick'])
  return {
    kind,
    base,
    /** Where whose turn it is stands. */
    path: kind === 'word' || isFlat ? flat : `${base}.${key}`,
    hasObject: kind === 'both' || (kind !== 'word' && !isFlat),
    flag: draws.of('key of turn flag', 'yourTurn', ['isYourTurn', 'myTurn', 'mayPick']),
    words: draws.of<readonly [string, string]>('words of turns', TURN_WORDS[0], TURN_WORDS.slice(1)),
    /** What the first seat is called. */
    firstSeat: draws.of('first seat', 0, [1]),
    ownSeat: draws.of('key of own seat in the state', 'yourSeat', ['you.seat', 'mySeatNumber', 'seatNo']),
  }
}

function poolOf(draws: Draws) {
  return {
    form: draws.of<PoolForm>('pool', 'mints', ['objects', 'map', 'mapTaken', 'takenBy', 'free', 'status', 'minus']),
    path: draws.of('key of pool', 'available', ['pool', 'tokens', 'board', 'draft.pool', 'options']),
    token: draws.of('token in the pool', 'mint', ['address', 'token', 'token.mint', 'id']),
    minus: draws.of('picks to be taken off', '', ['taken', 'gone', 'draft.taken']),
  }
}
