import { join } from 'node:path'
import { versions } from 'node:process'
import { defer, NEVER, Subject, startWith, takeUntil } from 'rxjs'
import { createLog } from '../../../src/cli/log.ts'
import { LiveStream } from '../../../src/cli/runs/start/liveStream.ts'
import type { Connection } from '../../../src/live/httpService.ts'
import { FileRecorder, HttpService, type ServiceClock, type SiblingBus, SqliteJournal, TimeWitness } from '../../../src/live/index.ts'
import {
  askedRemotely,
  type BotStatus,
  type Intent,
  type IntentOutcome,
  inPlace,
  type JournalRecord,
  type OperatorCommand,
  type Pipeline,
  type PriceBook,
  pipeline,
  strategyOfKey,
} from '../../../src/pipeline/index.ts'
import { fingerprintOf } from '../../../src/strategy/fingerprint.ts'
import { sealWith } from '../sealWith.ts'
import type { SimulatedChain } from './chain.ts'
import type { SimulatedMachine } from './machine.ts'
import type { SimulatedNetwork } from './network.ts'
import type { BotScenario, Death, Setup, Span } from './scenario.ts'

/** Where a step can die. */
type DeathPoint = Exclude<Death['at'], 'at once'>

/** Between two tries to reach the service at the start. */
const RETRY_MS = 1000

/** The process is gone: nothing of it runs any more. */
class Died extends Error {}

export interface SimulatedBotOptions {
  readonly scenario: BotScenario
  readonly agentId: string
  readonly key: string
  readonly network: SimulatedNetwork
  readonly chain: SimulatedChain
  readonly machine: SimulatedMachine
  readonly folder: string
  readonly timeoutMs: number
  /** Told when it is to die in the middle of a step, and with it all of its process. */
  readonly onDeath: () => void
}

/** What the bots of one process share. */
export interface SimulatedProcess {
  readonly clock: ServiceClock
  readonly siblings: SiblingBus
  readonly market: { readonly book: PriceBook; readonly tick$: Subject<number> }
}

/** One life of a bot. */
interface Life {
  readonly setup: Setup
  /** Of its recording. */
  readonly folder: string
  readonly died$: Subject<void>
  readonly http: HttpService
  readonly witness: TimeWitness
  readonly recorder: FileRecorder
}

/** A bot as `start` puts it together, but for the wire and the clock: it lives, dies in the worst of moments, and lives again. */
export class SimulatedBot {
  readonly name: string
  readonly agentId: string
  /** Of each setup that it was started with, its own. */
  readonly recordings = new Map<Setup, string>()
  /** By the bot's own word, over all its lives. */
  readonly intents = new Map<string, Intent>()
  readonly outcomes = new Map<string, IntentOutcome>()
  /** Ids of the events it has taken in, in their order. */
  readonly events: unknown[] = []
  readonly fills: JournalRecord['fills'][number][] = []
  /** Actions that were sent on an event of the past: one that its journal has given back. */
  readonly rash: string[] = []
  /** Entries into a mode that was closed, by whoever may not try it. */
  readonly shut: string[] = []
  /** How often it has closed a mode. */
  closings = 0
  /** Moves that no table of a lifecycle has. */
  readonly broken: string[] = []
  readonly log: string[] = []
  /** When it lived and had not been told yet who it is: until then it can do nothing. */
  readonly ignorance: Span[] = []
  /** Why it ended of its own accord. */
  end: { readonly how: 'drained' | 'failed'; readonly error?: unknown } | undefined
  status: (() => BotStatus) | undefined
  readonly #options: SimulatedBotOptions
  // Folded at nearly every step, so that what is folded and what is told meet everywhere.
  readonly #journal = new SqliteJournal(':memory:', { foldEvery: 3, keptDays: 1 })
  readonly #operator$ = new Subject<OperatorCommand>()
  #life: Life | undefined
  #lives = 0
  /** While it does not know who it is. */
  #bornAt: number | undefined
  #salts = 0
  /** Modes that are closed, by its journal. */
  readonly #closed = new Set<string>()
  #said: readonly OperatorCommand[] = []
  /** Where the next step dies. */
  #dooms: DeathPoint | undefined

  constructor(options: SimulatedBotOptions) {
    this.#options = options
    this.name = options.scenario.name
    this.agentId = options.agentId
  }

  start(process: SimulatedProcess): void {
    const { agentId, key, timeoutMs } = this.#options
    const { clock, market } = process
    const run = `run-${this.#lives}`
    const { setup, folder } = this.#setUp()
    const witness = new TimeWitness((moment) => clock.observeTime(moment))
    const http = new HttpService({
      ...{
        url: 'http://service.test',
        agentKey: key,
        timeoutMs,
        clock,
        steady: clock.steady,
        serviceTime: clock.service,
        leases: this.#journal,
      },
      onDate: (sample) => clock.observe(sample),
      onAnswer: (answer) => witness.onAnswer(answer),
      connect: () => this.#connection(() => this.#life === life),
    })
    const recorder = new FileRecorder({
      ...{ folder, book: market.book },
      header: {
        ...{ source: 'live', bot: this.name, agentId, run, mints: [] },
        config: fingerprintOf(setup.config),
        software: { cornerman: '0.0.0', node: versions.node },
      },
    })
    const life: Life = { setup, folder, http, witness, recorder, died$: new Subject() }
    this.#life = life
    void this.#live(life, process).catch((error: unknown) => this.#finish({ how: 'failed', error }))
  }

  /** What its owner starts it with this time, and where that is recorded. */
  #setUp(): { readonly setup: Setup; readonly folder: string } {
    const { setups } = this.#options.scenario
    const place = Math.min(this.#lives++, setups.length - 1)
    const setup = setups[place] ?? setups[0]
    return { setup, folder: join(this.#options.folder, `${this.name}-${place}`) }
  }

  /** As `start` does it: the service's word on the time comes before the first input. */
  async #live(life: Life, process: SimulatedProcess): Promise<void> {
    const { network } = this.#options
    const { clock } = process
    this.#bornAt = network.now
    while (!(await life.http.read({ procedure: 'agent.me', input: null })).ok)
      await new Promise<void>((resolve) => void clock.at(clock.now() + RETRY_MS, resolve))
    if (this.#life !== life) return
    this.#endIgnorance()
    this.recordings.set(life.setup, life.folder)
    const latest = await life.http.readAtStart({ procedure: 'agent.events', input: { latest: true } })
    if (this.#life !== life) return
    this.#journal.belongTo(this.agentId, clock.now(), latest.ok ? latest.output.cursor : '')
    const log = createLog({ pretty: false, level: 'debug', sink: { write: (line) => void this.log.push(line) } })
    const stream = new LiveStream({
      ...{ name: this.name, clock, log, wake$: NEVER },
      books: () => this.status?.().books,
      onFresh: (event) => life.witness.onEvent(event, clock.steady.now()),
    })
    const play = this.#pipeline(life, process, stream)
    this.status = play.status
    play.step$.pipe(takeUntil(life.died$)).subscribe({
      next: ({ input, orders, notes }) => {
        stream.onStep()
        for (const { message, fields } of notes) if (fields.code === 'LIFECYCLE_BROKEN') this.broken.push(message)
        if (input.type === 'event' && input.recorded) this.rash.push(...orders.map(({ action }) => action.type))
      },
      complete: () => {
        if (this.#life === life) this.#finish({ how: 'drained' })
      },
      error: (error: unknown) => {
        if (!(error instanceof Died)) this.#finish({ how: 'failed', error })
      },
    })
  }

  #endIgnorance(): void {
    if (this.#bornAt !== undefined) this.ignorance.push({ from: this.#bornAt, to: this.#options.network.now })
    this.#bornAt = undefined
  }

  #pipeline({ setup, http, recorder }: Life, { clock, siblings, market }: SimulatedProcess, stream: LiveStream): Pipeline {
    const { chain, machine } = this.#options
    return pipeline(
      {
        ...{
          clock,
          market,
          service: { ...askedRemotely(http), reading: this.#options.scenario.reading },
          isolation: inPlace,
          siblings: siblings.portOf(this.name),
          ...{ skewMs$: clock.skewMs$, lagMs$: clock.lagMs$ },
        },
        events: stream.poller(http, http, (back) => this.#journal.eventId(back)),
        swapper: chain.swapperFor({ clock, machine, hasChain: setup.hasChain }),
        journal: { load: () => this.#journal.load(), commit: (record) => this.#commit(record) },
        recorder: {
          record: (step) => {
            recorder.record(step)
            if (step.record !== undefined) this.#dieAt('recorded')
          },
          price: (input) => recorder.price(input),
        },
        operator$: defer(() => this.#operator$.pipe(startWith(...this.#said))),
        seal: sealWith(() => `salt-of-${this.name}-${this.#salts++}-${'x'.repeat(16)}`),
      },
      { config: setup.config, paths: {} },
    )
  }

  /** The process is gone; what it has sent is on its way. */
  die(): void {
    const life = this.#life
    this.#life = undefined
    this.#endIgnorance()
    this.#dooms = undefined
    life?.died$.next()
    life?.recorder.close()
    void life?.http.close()
  }

  /** It dies in the next step that comes so far. */
  doom(at: DeathPoint): void {
    this.#dooms = at
  }

  say(command: OperatorCommand): void {
    this.#said = command === 'drain' ? [...this.#said, command] : [command, ...this.#said.filter((said) => said === 'drain')]
    this.#operator$.next(command)
  }

  close(): void {
    this.die()
    this.#journal.close()
  }

  #commit(record: JournalRecord): void {
    this.#journal.commit(record)
    if (record.event !== undefined) this.events.push((record.event.raw as { id?: unknown }).id)
    for (const mode of record.modes ?? []) {
      if (mode.closed === undefined) this.#closed.delete(mode.mode)
      else if (!this.#closed.has(mode.mode)) {
        this.#closed.add(mode.mode)
        this.closings += 1
      }
    }
    for (const intent of record.intents) {
      this.intents.set(intent.key, intent)
      const mode = 'mode' in intent.action ? intent.action.mode : undefined
      const isTrial = strategyOfKey(intent.key) === 'framework'
      if (mode !== undefined && this.#closed.has(mode) && !isTrial) this.shut.push(`${mode} by ${intent.key}`)
    }
    for (const outcome of record.outcomes) this.outcomes.set(outcome.key, outcome)
    this.fills.push(...record.fills)
    this.#dieAt('committed')
  }

  /** A process that is gone sends nothing more, and hears nothing. */
  #connection(isAlive: () => boolean): Connection {
    const { network, machine } = this.#options
    const connection = network.connect(this.name)
    return {
      ...connection,
      request: async (request) => {
        await machine.awake()
        if (!isAlive()) return never()
        const answer = connection.request(request)
        if (request.method === 'POST' && this.#dooms === 'sent') this.#options.onDeath()
        await Promise.allSettled([answer])
        await machine.awake()
        return isAlive() ? answer : never()
      },
    }
  }

  #dieAt(point: DeathPoint): void {
    if (this.#dooms !== point) return
    this.#options.onDeath()
    throw new Died(point)
  }

  #finish(end: NonNullable<SimulatedBot['end']>): void {
    this.end ??= end
  }
}

const never = (): Promise<never> => new Promise(() => {})
