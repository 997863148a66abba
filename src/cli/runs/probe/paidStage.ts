import { resolve } from 'node:path'
import { isPlayedBy } from '../../../contract/modes.ts'
import { hashOf } from '../../../contract/shapes/reading.ts'
import { has, lackingIn, type Piece, placeIn, type Shapes, shapesSchema } from '../../../contract/shapes/shapes.ts'
import { Translator } from '../../../contract/shapes/translator.ts'
import type { Usdc } from '../../../core/usdc.ts'
import type { HttpService, ServiceClock } from '../../../live/index.ts'
import type { Step } from '../../../pipeline/index.ts'
import { find } from '../../../probe/find/find.ts'
import type { Findings } from '../../../probe/find/finding.ts'
import { ProbePolicy, plainMovers } from '../../../probe/plainStrategies.ts'
import type { PlannedEntry } from '../../../probe/plan.ts'
import type { ProbeRecorder } from '../../../probe/probeRecorder.ts'
import type { Config } from '../../../strategy/config.ts'
import type { Logger } from '../../log.ts'
import type { ServiceAccess } from '../../service.ts'
import { eventsIn } from '../start/explore.ts'
import { Fleet, type FleetBot } from '../start/fleet.ts'
import type { ServiceMapping } from '../start/serviceMapping.ts'

// The paid stage of a probe: one bot, under its own journal, guard and caps, enters one contest a mode, and all that the service says
// meanwhile is recorded. What is found is read by at once, so that the next move is made by it.

const TICK_MS = 1000
/** Lists have to be read while something is in them. */
const LISTS_EVERY_TICKS = 2
/** So many of a contest are looked at as they come. */
const FIRST_ANSWERS = 3
/** Who the agent is has to be said alike in so many answers. */
const ME_READS = 3
/** After the end of a contest: its last state, and the lists without it. */
const AFTER_MS = 4000
/** Besides the contest itself: until others have come, and until it is settled. */
const PATIENCE_MS = 4 * 60_000
/** For so long what nobody has said to be closed is taken for open. */
const OPEN_MS = 60_000
/** A pick that asks whose turn it is, is refused until it is ours: it asks so often, and so many times in vain in one contest. */
const ASK_EVERY_MS = 1500
const MOST_ASKED = 40
/** What was found is looked at again after so much more was heard: a contest may be over within seconds. */
const FIND_EVERY_MS = 1000
/** And no more than this part of the time is spent on it. */
const FIND_SHARE = 2

export interface PaidStageOptions {
  /** With the one bot that plays. */
  readonly config: Config
  readonly configFile: string
  readonly access: ServiceAccess
  readonly dataDir: string
  readonly clock: ServiceClock
  readonly log: Logger
  readonly recorder: ProbeRecorder
  readonly entries: readonly PlannedEntry[]
  /** Of one purchase in a contest of swaps. */
  readonly swap: Usdc
  /** Modes that are played though nothing is missing for them. */
  readonly isAsked: boolean
  readonly signal: AbortSignal
}

/** What became of one entry that was planned. */
export interface PlayedEntry {
  readonly mode: string
  readonly result: 'settled' | 'cancelled' | 'refused' | 'notMatched' | 'notNeeded' | 'stopped'
  /** In words, such as a refusal's code. */
  readonly detail?: string | undefined
}

/**
 * Plays the plan, one mode at a time. A mode that can be read by then, from what others have shown, is left out.
 *
 * @throws CornermanError of what stopped the bot, `AGENT_IN_USE` or `JOURNAL_IN_USE` among them
 */
export async function playPlan(options: PaidStageOptions): Promise<readonly PlayedEntry[]> {
  const { config, configFile, access, dataDir, clock, log, recorder, entries, swap, isAsked, signal } = options
  const policy = new ProbePolicy()
  const [bot] = config.bots
  if (bot === undefined) return []
  const own = bot.strategies.filter(({ kind }) => kind !== 'queue')
  const strategies = [policy.strategy, ...own, ...plainMovers(swap)]
  const stage = new Stage(recorder, clock, policy)
  const fleet = new Fleet({
    ...{ config: { ...config, bots: [{ ...bot, strategies, sweep: true }] }, access, dataDir, clock, log },
    ...{ configFile: resolve(configFile), mapping: stage.mapping, isProbe: true },
  })
  const steps = fleet.change$.subscribe(({ bot: of, step }) => stage.on(of, step))
  const [player] = fleet.bots
  const played: PlayedEntry[] = []
  const isOver = () => signal.aborted || player?.failure !== undefined || player?.phase === 'stopped'
  try {
    for (const entry of entries) {
      if (isOver()) {
        played.push({ mode: entry.mode, result: 'stopped' })
        continue
      }
      if (!isAsked && !lackingIn(stage.found()).has(entry.mode)) {
        played.push({ mode: entry.mode, result: 'notNeeded' })
        continue
      }
      log.info({ mode: entry.mode }, `${entry.mode}: one contest is entered`)
      stage.begin(entry)
      policy.want(entry)
      const until = clock.now() + entry.durationSec * 1000 + PATIENCE_MS
      while (stage.outcome === undefined && clock.now() < until && !isOver()) await stage.tick()
      policy.want(undefined)
      const { outcome } = stage
      const afterUntil = clock.now() + AFTER_MS
      while (outcome !== undefined && clock.now() < afterUntil && !isOver()) await stage.tick()
      played.push(outcome ?? { mode: entry.mode, result: isOver() ? 'stopped' : 'notMatched' })
      log.info(
        { mode: entry.mode },
        `${entry.mode}: ${played.at(-1)?.result}${outcome?.detail === undefined ? '' : ` (${outcome.detail})`}`,
      )
    }
    fleet.drain()
    // What is still open is played to its end, as in any run that drains.
    const drained = fleet.ended()
    let isDrained = false
    void drained.then(() => {
      isDrained = true
    })
    const until = clock.now() + PATIENCE_MS
    while (!isDrained && !signal.aborted && clock.now() < until) await stage.tick()
  } finally {
    steps.unsubscribe()
    await fleet.stop()
  }
  if (player?.failure !== undefined) throw player.failure
  return played
}

/** What the bot of a probe hears and does, as it is recorded, and what is read by it. */
class Stage {
  readonly #recorder: ProbeRecorder
  readonly #clock: ServiceClock
  readonly #policy: ProbePolicy
  #http: HttpService | undefined
  #translator: Translator | undefined
  #shapes: Shapes
  #hash: string
  #findAt = 0
  #foundBy = 0
  #ticks = 0
  #meReads = 0
  #entry: PlannedEntry | undefined
  outcome: PlayedEntry | undefined
  /** Contests of this bot that are not over, or only just. */
  readonly #contests = new Map<string, { readonly mode: string | undefined; endedAt: number | undefined }>()
  /** Answers, by what was asked of which contest. */
  readonly #seen = new Map<string, number>()
  readonly #sent = new Map<string, { readonly order: Step['orders'][number]; readonly at: number }>()
  #bot: FleetBot | undefined

  constructor(recorder: ProbeRecorder, clock: ServiceClock, policy: ProbePolicy) {
    this.#recorder = recorder
    this.#clock = clock
    this.#policy = policy
    this.#shapes = tentative(find(recorder.exchanges, recorder.facts))
    this.#hash = hashOf(this.#shapes)
  }

  readonly mapping: ServiceMapping = {
    readBy: (http) => {
      this.#http = http
      http.observe((exchange) => {
        this.#recorder.exchange(exchange)
        this.#firstSeen(exchange)
      })
      this.#translator = new Translator(this.#shapes, {}, (state, contestId, now) => this.#filled(state, contestId, now))
      http.translator = this.#translator
      return Promise.resolve({ shapes: this.#shapes, reading: undefined })
    },
  }

  /** What is found by now, for certain. */
  found(): Shapes {
    return find(this.#recorder.exchanges, this.#recorder.facts).shapes
  }

  begin(entry: PlannedEntry): void {
    this.#entry = entry
    this.outcome = undefined
  }

  on(bot: FleetBot, step: Step | undefined): void {
    this.#bot = bot
    if (step === undefined) return
    const { input } = step
    if (input.type === 'event') this.#onEvent(input.raw)
    for (const order of step.orders) this.#sent.set(order.key, { order, at: this.#clock.steady.now() })
    if (input.type === 'outcome') this.#onOutcome(input.key, input.outcome)
    for (const { strategy, refusal } of step.refused) if (strategy === 'probe') this.#refused(this.#entry?.mode, refusal.code)
  }

  /** One second of the probe: what is played is read, and what was found is read by. */
  async tick(): Promise<void> {
    const http = this.#http
    const endAt = this.#clock.now() + TICK_MS
    if (http !== undefined && this.#bot?.phase === 'running') {
      const isLists = this.#ticks++ % LISTS_EVERY_TICKS === 0
      for (const [contestId, { endedAt }] of this.#contests) {
        if (endedAt !== undefined && this.#clock.now() > endedAt + AFTER_MS) continue
        await this.#read(http, 'agent.modes.state', { contestId })
        if (isLists) await this.#read(http, 'agent.contests.get', { contestId })
      }
      if (isLists && this.#meReads < ME_READS) {
        this.#meReads += 1
        await this.#read(http, 'agent.me', null)
      }
      if (isLists && this.#entry !== undefined) {
        await this.#read(http, 'agent.queue.list', null)
        await this.#read(http, 'agent.contests.mine', null)
      }
    }
    this.#learn()
    const leftMs = endAt - this.#clock.now()
    if (leftMs > 0) await new Promise<void>((done) => this.#clock.at(endAt, done))
  }

  async #read(
    http: HttpService,
    procedure: 'agent.me' | 'agent.modes.state' | 'agent.contests.get' | 'agent.queue.list' | 'agent.contests.mine',
    input: unknown,
  ): Promise<void> {
    // Nothing hangs on one answer.
    await http.raw('read', procedure, input).catch(() => undefined)
  }

  /** The first answers of a contest are read by what they show themselves: its first turn may be ours. */
  #firstSeen({ procedure, input, status }: { readonly procedure: string; readonly input: unknown; readonly status: number }): void {
    const contestId = (input as { readonly contestId?: unknown } | null)?.contestId
    if (status !== 200 || typeof contestId !== 'string' || !this.#contests.has(contestId)) return
    if (procedure !== 'agent.modes.state' && procedure !== 'agent.contests.get') return
    const key = `${procedure} ${contestId}`
    const seen = (this.#seen.get(key) ?? 0) + 1
    this.#seen.set(key, seen)
    if (seen <= FIRST_ANSWERS) this.#learn(true)
  }

  /** Reads by what is found from now on. */
  #learn(isAtOnce = false): void {
    const { exchanges, facts } = this.#recorder
    if (exchanges.length === this.#foundBy || (!isAtOnce && this.#clock.now() < this.#findAt)) return
    this.#foundBy = exchanges.length
    const beganAt = performance.now()
    const shapes = tentative(find(exchanges, facts))
    this.#findAt = this.#clock.now() + Math.max(FIND_EVERY_MS, FIND_SHARE * (performance.now() - beganAt))
    const hash = hashOf(shapes)
    if (hash === this.#hash) return
    this.#hash = hash
    this.#shapes = shapes
    this.#translator?.use(shapes)
  }

  /** Moves are tests: where nobody knows whose turn it is, or whether commitments are taken, the service is asked by a move. */
  #filled(state: Record<string, unknown>, contestId: string, now: number): Record<string, unknown> {
    const mode = this.#contests.get(contestId)?.mode
    if (isPlayedBy(mode, 'picks') && !('yourTurn' in state) && !('turnEntryId' in state))
      return { ...state, yourTurn: this.#mayAsk(contestId) }
    if (!isPlayedBy(mode, 'sealedPrice')) return state
    const moved = (type: string) =>
      this.#recorder.facts.moves.some((move) => move.type === type && move.contestId === contestId && move.accepted)
    const isRead = (piece: 'commitBy' | 'revealFrom', meaning: 'commit' | 'reveal') => has(this.#shapes, [piece, `phase.${meaning}`])
    if (!moved('commitPrediction')) {
      if (isRead('commitBy', 'commit')) return state
      return { ...state, committed: false, phase: 'commit', commitBy: new Date(now + OPEN_MS).toISOString() }
    }
    if (moved('revealPrediction') || isRead('revealFrom', 'reveal')) return state
    return { ...state, committed: true, phase: 'reveal', commitBy: null, revealFrom: new Date(now).toISOString() }
  }

  #mayAsk(contestId: string): boolean {
    const now = this.#clock.steady.now()
    const picks = this.#recorder.facts.moves.filter((move) => move.type === 'draftPick' && move.contestId === contestId)
    const inVain = picks.length - 1 - picks.findLastIndex(({ accepted }) => accepted)
    return now >= (picks.at(-1)?.at ?? 0) + ASK_EVERY_MS && inVain < MOST_ASKED
  }

  #onEvent(raw: unknown): void {
    const [event] = eventsIn({ events: [raw] })
    if (event === undefined) return
    this.#recorder.event(event)
    const { contestId, mode } = event.data as { readonly contestId?: unknown; readonly mode?: unknown }
    if (event.type === 'ticket.expired') this.#end(this.#entry?.mode, 'notMatched')
    if (event.type === 'ticket.failed') this.#end(this.#entry?.mode, 'refused', String(event.data.error ?? ''))
    if (typeof contestId !== 'string') return
    const known = this.#contests.get(contestId)
    if (event.type === 'match.found' || event.type === 'contest.live')
      this.#contests.set(contestId, { mode: typeof mode === 'string' ? mode : known?.mode, endedAt: undefined })
    if (event.type !== 'contest.settled' && event.type !== 'contest.cancelled') return
    if (known !== undefined) this.#contests.set(contestId, { ...known, endedAt: this.#clock.now() })
    const ended = known?.mode ?? (typeof mode === 'string' ? mode : undefined)
    if (event.type === 'contest.settled') this.#end(ended, 'settled', String(event.data.result ?? ''))
    else this.#end(ended, 'cancelled', String(event.data.reason ?? ''))
  }

  #onOutcome(key: string, outcome: Extract<Step['input'], { type: 'outcome' }>['outcome']): void {
    const { order, at: sentAt } = this.#sent.get(key) ?? {}
    if (order === undefined || (outcome.status !== 'accepted' && outcome.status !== 'rejected')) return
    const action = order.action as {
      readonly type: string
      readonly contestId?: string
      readonly mode?: string
      readonly token?: string
      readonly side?: string
    }
    const { type, contestId, token, side } = action
    const seat = contestId === undefined ? undefined : this.#bot?.status()?.books.seats.get(contestId)
    const custody = contestId === undefined ? undefined : this.#bot?.status()?.books.custody.get(contestId)
    const mode = action.mode ?? seat?.mode ?? this.#entry?.mode
    const accepted = outcome.status === 'accepted'
    if (type === 'joinContest' && accepted && contestId !== undefined)
      this.#contests.set(contestId, { mode: this.#entry?.mode, endedAt: undefined })
    this.#recorder.move({
      ...{ at: this.#clock.steady.now(), sentAt, type, mode, contestId, token, accepted },
      // As the service was told it.
      side: side === undefined ? undefined : (this.#shapes.words?.side?.[side as 'UP'] ?? side),
      entryId: seat?.entryId,
      commitment: custody?.commitment,
      code: outcome.status === 'rejected' ? outcome.refusal.code : undefined,
      began: (RELIED_ON[type] ?? []).flatMap((piece) => placed(this.#shapes, piece)),
    })
    if (!accepted && (type === 'enqueue' || type === 'joinContest')) this.#refused(mode, outcome.refusal.code)
  }

  /** What could not be entered, unless another seat of the mode will be tried. */
  #refused(mode: string | undefined, code: string): void {
    if (this.outcome === undefined && !this.#policy.refused()) this.#end(mode, 'refused', code)
  }

  #end(mode: string | undefined, result: PlayedEntry['result'], detail?: string): void {
    const entry = this.#entry
    if (entry === undefined || entry.mode !== mode || this.outcome !== undefined) return
    this.outcome = { mode, result, ...(detail === undefined || detail === '' ? {} : { detail }) }
  }
}

/** Pieces that a move is made of: one that is taken proves them. */
const RELIED_ON: Readonly<Record<string, readonly Piece[]>> = {
  draftPick: ['turn', 'pool'],
  commitPrediction: ['token', 'commitBy', 'phase'],
  revealPrediction: ['entryId', 'token', 'revealFrom', 'phase'],
  joinContest: ['listedContestId', 'listedMode', 'listedStake'],
}

function placed({ pieces }: Shapes, piece: Piece): { readonly piece: string; readonly place: string }[] {
  const at = placeIn(pieces?.[piece])
  return at === undefined ? [] : [{ piece, place: at }]
}

/** Pieces without which no move can be made: where nothing decides, the first place is tried. */
const TRIED: readonly Piece[] = ['entryId', 'token', 'turn', 'pool']

/** What a probe reads by: of several places the first is tried, and whether a move by it is taken decides. */
function tentative({ shapes, pieces: findings }: Findings): Shapes {
  const pieces = Object.entries(shapes.pieces ?? {}).map(([piece, said]) => [
    piece,
    typeof said === 'object' && 'choose' in said ? (findings[piece]?.candidates[0]?.form ?? said.choose[0]) : said,
  ])
  const tried = TRIED.flatMap((piece) => {
    const [first] = shapes.pieces?.[piece] === undefined ? (findings[piece]?.candidates ?? []) : []
    return first === undefined ? [] : [[piece, first.form ?? first.place] as const]
  })
  const own = shapes.own ?? findings.own?.candidates[0]?.form
  const parsed = shapesSchema.safeParse({
    ...shapes,
    ...(own === undefined ? {} : { own }),
    pieces: { ...Object.fromEntries(pieces), ...Object.fromEntries(tried) },
  })
  return parsed.success ? parsed.data : shapes
}
