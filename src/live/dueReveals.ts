import type { ExtraPaths } from '../contract/paths.ts'
import type { Clock } from '../core/clock.ts'
import {
  type Custody,
  type Intent,
  type IntentOutcome,
  intentKey,
  isWanted,
  type JournalRecord,
  type Note,
  type Outcome,
  type RemoteService,
  requestOf,
  revealTimeOf,
  troubleOf,
} from '../pipeline/index.ts'
import type { BotJournal } from './journal/botJournal.ts'

/** Between two looks at one contest: what it says may be another time. */
const ASK_MS = 2000

export interface DueRevealsOptions {
  readonly journal: Pick<BotJournal, 'owed' | 'commit'>
  readonly service: Pick<RemoteService, 'read' | 'act'>
  readonly clock: Clock
  /** The clock of the reveal windows. Default: `clock`. */
  readonly serviceTime?: Pick<Clock, 'now'>
  readonly paths: ExtraPaths
  readonly log: (note: Note) => void
}

interface Held {
  custody: Custody
  /** Its reveal, which is one action however often it is sent. */
  intent: Intent | undefined
  askedAt: number
  /** From when it is shown; undefined while nobody says so. */
  from: number | undefined
}

/**
 * Shows predictions in their time while their bot cannot play yet, since its journal has a long way to be folded: one that is not shown
 * is a stake that is lost. Each is an intent in the journal before it leaves, as in the pipeline, which takes up what became of it.
 */
export class DueReveals {
  readonly #options: DueRevealsOptions
  readonly #held: Held[]
  #n: number

  /** @throws CornermanError `JOURNAL_CORRUPT` or `JOURNAL_UNREADABLE` */
  constructor(options: DueRevealsOptions) {
    this.#options = options
    const { custody, pending, lastInput } = options.journal.owed()
    this.#held = custody.map((custody) => {
      const intent = pending.find(({ action }) => action.type === 'revealPrediction' && action.contestId === custody.contestId)
      return { custody, intent, askedAt: Number.NEGATIVE_INFINITY, from: undefined }
    })
    this.#n = lastInput
  }

  /**
   * Shows what is due by now. What the service refuses is tried again at the next look.
   *
   * @throws as `BotJournal.commit`
   */
  async look(): Promise<void> {
    await Promise.all(this.#held.map((held) => this.#lookAt(held)))
  }

  async #lookAt(held: Held): Promise<void> {
    const { clock, serviceTime = clock } = this.#options
    if (held.custody.status === 'revealed') return
    if (clock.now() - held.askedAt >= ASK_MS) {
      held.askedAt = clock.now()
      held.from = await this.#askWhen(held.custody.contestId)
    }
    if (held.from !== undefined && held.from <= serviceTime.now()) await this.#show(held)
  }

  async #askWhen(contestId: string): Promise<number | undefined> {
    const { clock, serviceTime = clock, paths, service } = this.#options
    const at = serviceTime.now()
    const [contest, state] = await Promise.all([
      service.read({ procedure: 'agent.contests.get', input: { contestId } }),
      service.read({ procedure: 'agent.modes.state', input: { contestId } }),
    ])
    if (!contest.ok) return undefined
    return revealTimeOf({ contestId, contest: contest.output, state: state.ok ? state.output : undefined, at, paths })
  }

  async #show(held: Held): Promise<void> {
    const { log, service } = this.#options
    const { custody } = held
    const { contestId } = custody
    const action = { type: 'revealPrediction', contestId } as const
    held.intent ??= this.#begin(action)
    const { key } = held.intent
    const outcome = await service.act(requestOf(action, custody))
    const isShown = outcome.status === 'accepted' || isWanted(action, outcome)
    if (isShown) held.custody = { ...custody, status: 'revealed' }
    this.#write({ outcomes: [outcomeOf(key, outcome, isShown)], custody: isShown ? [held.custody] : [] })
    const came = isShown ? 'was taken' : `came to nothing (${troubleOf(outcome)})`
    const message = `revealPrediction, before the journal is read, ${came}`
    log({ level: isShown ? 'info' : 'warn', message, fields: { contestId, intent: key } })
  }

  #begin(action: Intent['action']): Intent {
    this.#n += 1
    const intent = { key: intentKey(this.#n, 'framework', 0), action, at: this.#options.clock.now(), stake: 0n, risk: 0n }
    this.#write({ intents: [intent] })
    return intent
  }

  #write(of: Partial<Pick<JournalRecord, 'intents' | 'outcomes' | 'custody'>>): void {
    const { clock, journal } = this.#options
    journal.commit({ n: this.#n, at: clock.now(), intents: [], outcomes: [], custody: [], swaps: [], fills: [], refusals: [], ...of })
  }
}

/** Of one that may have arrived nothing is known: the pipeline looks it up. */
function outcomeOf(key: string, outcome: Outcome, isShown: boolean): IntentOutcome {
  return { key, status: isShown ? 'accepted' : outcome.status, ...(outcome.status === 'accepted' ? {} : { detail: troubleOf(outcome) }) }
}
