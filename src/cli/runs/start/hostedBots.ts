import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Subscription } from 'rxjs'
import { CornermanError, messageOf } from '../../../core/error.ts'
import { decodeExact, encodeExact } from '../../../core/exactJson.ts'
import type { Ordered } from '../../../dashboard/index.ts'
import {
  BotCopies,
  type ClaimedBot,
  type Durability,
  databaseTrouble,
  type EntryVerdict,
  FencedService,
  FleetConnection,
  type FleetCopy,
  FleetEntries,
  FleetHost,
  FleetJournal,
  FleetOrders,
  FleetServers,
  FleetSiblings,
  type FleetSight,
  FleetWakes,
  type Holding,
  heldFor,
  holdBot,
  InDoubt,
  JournalBases,
  type JournalPlace,
  lackingOf,
  mayPass,
  notDurableAnyMore,
  type OrderSigner,
  orderInFleet,
  type PlayedJournal,
  RecordSeal,
  releasesOf,
  ServiceHearing,
  type ServiceTraffic,
  SharedConnections,
} from '../../../live/fleet/index.ts'
import type { ActionRequest, OperatorOrder } from '../../../pipeline/index.ts'
import type { Logger } from '../../log.ts'
import { HostView } from './hostView.ts'
import type { Ground } from './liveBot.ts'
import type { MovingBot } from './movingBot.ts'
import type { SharedWord } from './sharedWord.ts'

const AGAIN_MS = 500
/** A bot that is handed over waits so long for the answers of what it has sent. */
const ANSWERS_MS = 2000

/** One host of a fleet. */
export interface HostSettings {
  /** Of the database. */
  readonly url: string
  /** Of the fleet, in the database. */
  readonly fleet: string
  /** 32 bytes each, the first for what is written. */
  readonly keys: readonly Uint8Array[]
  readonly signer: OrderSigner
  readonly run: string
  readonly host: string
  readonly version: string
  readonly silenceMs: number
  readonly durability: Durability
  /** What the operator has said of all hosts. */
  readonly word: SharedWord
}

export interface HostedBotsOptions {
  readonly settings: HostSettings
  readonly bots: readonly MovingBot[]
  readonly dataDir: string
  readonly keptDays: number
  readonly log: Logger
  /** What the operator has ordered of a bot that is played here. */
  readonly carryOut: (bot: string, order: OperatorOrder) => Promise<Ordered>
  /** Asks the service who the agent of a bot is, for what happens on the way alone. Never rejects. */
  readonly ask: (bot: string, onTraffic: (traffic: ServiceTraffic) => void) => Promise<void>
  /** How many hosts are alive. */
  readonly onHosts: (alive: number) => void
}

/** The bots of one host of a fleet: each is played here from its claim on, until it is taken or let go. */
export class HostedBots {
  readonly #options: HostedBotsOptions
  readonly #bots: ReadonlyMap<string, MovingBot>
  readonly #host: FleetHost
  readonly #copies: BotCopies
  readonly #entries: FleetEntries
  readonly #bases: JournalBases
  /** Of the journals. */
  readonly #connections: SharedConnections
  readonly #asking: FleetConnection
  readonly #ordering: FleetConnection
  readonly #orders: FleetOrders
  /** Webhooks that have come to any host. */
  readonly wakes: FleetWakes
  readonly #troubles: Subscription
  /** By bot that is played here. */
  readonly #played = new Map<string, PlayedJournal>()
  /** What is seen of all hosts. */
  readonly view: HostView
  readonly #hearing: ServiceHearing
  /** How the bots of all hosts hear of one another. */
  readonly siblings: FleetSiblings
  /** By bot: its stay here, until all of it is closed. */
  readonly #stays = new Map<string, Promise<void>>()
  readonly #services = new Map<string, FencedService>()
  readonly ended: Promise<void>
  readonly #ending = Promise.withResolvers<void>()
  /** Bots whose journal was found to be another in the database, and whether all hosts were seen to leave them alone since. */
  readonly #unmended = new Map<string, boolean>()
  /** Bots that are being handed over. */
  readonly #leaving = new Set<string>()
  /** Refusals of the database that last. */
  #refusals: { readonly beat?: CornermanError | undefined; readonly journal?: CornermanError | undefined } = {}
  /** As the newest beat had it. */
  #notDurable: CornermanError | undefined
  #isLeaving = false
  #isClosed = false

  constructor(options: HostedBotsOptions) {
    this.#options = options
    const { settings, bots, dataDir, keptDays } = options
    this.#bots = new Map(bots.map((bot) => [bot.name, bot]))
    const names = [...this.#bots.keys()]
    this.#copies = new BotCopies({
      ...{ url: settings.url, bots: names, keptDays },
      fileOf: (bot) => join(dataDir, 'fleet', `${bot}.db`),
      sealOf: (bot) => this.#sealOf(bot),
      onFault: (bot, fault) => void this.#fault(bot, fault),
    })
    this.view = new HostView({ settings, bots: names, log: options.log, isFresh: () => this.#host.isFresh })
    this.#hearing = new ServiceHearing({ bots: names, ask: (bot) => options.ask(bot, (traffic) => this.#hearing.note(traffic)) })
    this.#host = new FleetHost({
      ...{ ...settings, bots: names },
      onClaimed: (claimed) => this.#stay(claimed),
      onLost: (bot) => void this.#bots.get(bot)?.stop(moved(bot)),
      obeys: () => settings.word.obeyed,
      unheardMs: () => this.#hearing.unheardMs,
      onSight: (sight) => this.#see(sight),
      onBeatFailed: (thrown) => this.#noteRefusal({ beat: databaseTrouble(thrown) ?? this.#refusals.beat }),
      onFact: (fact) => this.view.fact$.next(fact),
    })
    this.#entries = new FleetEntries({ url: settings.url, obeys: () => settings.word.n })
    this.siblings = new FleetSiblings(this.#entries)
    this.#connections = new SharedConnections(settings)
    this.#asking = new FleetConnection(settings)
    this.#ordering = new FleetConnection(settings)
    this.wakes = new FleetWakes(this.#asking)
    this.#orders = new FleetOrders({
      ...{ connection: this.#asking, signer: settings.signer },
      refused: (message) => JSON.stringify({ isDone: false, message } satisfies Ordered),
      carryOut: async (bot, order) => JSON.stringify(await options.carryOut(bot, decodeExact(order) as OperatorOrder)),
      onTrouble: (bot, thrown) => options.log.warn({ bot }, `an order was not carried out: ${messageOf(thrown)}`),
    })
    this.#bases = new JournalBases({
      url: settings.url,
      onTrouble: (bot, words) =>
        options.log.warn({ bot }, `no copy of its journal was put into the database (${words}): it is tried again`),
    })
    this.ended = this.#ending.promise
    this.#troubles = FleetServers.of(settings.url).trouble$.subscribe((words) => options.log.warn(`the database of the fleet: ${words}`))
    this.#host.run().catch((thrown: unknown) => this.#end(thrown))
  }

  #see(sight: FleetSight): void {
    // First of all: what the operator has said holds for whatever is claimed after it.
    const { word } = this.#options.settings
    word.see(sight.control)
    this.view.troubles.set('fleetOrder', word.refusal)
    const lacking = lackingOf(sight.durability, this.#options.settings.durability)
    this.#notDurable = lacking.length === 0 ? undefined : notDurableAnyMore(lacking)
    this.view.troubles.set('fleetNotDurable', this.#notDurable)
    this.#noteRefusal({ beat: undefined })
    this.view.see(sight)
    this.siblings.see(sight.entries)
    this.wakes.see(sight.wakes)
    this.#hearing.see(sight, this.#host.held.length > 0)
    this.#options.onHosts(sight.hosts.filter(({ isAlive }) => isAlive).length)
    this.#orders.see(sight.orders, (bot) => this.#played.get(bot)?.holding)
    for (const { bot, held } of sight.bots) this.#seeMended(bot, held !== null)
    this.#copies.follow(sight.bots, sight.beganMs).catch((thrown: unknown) => this.#passing(thrown))
    if (!this.#isLeaving) this.#letGo(sight)
  }

  /** Beats and journals write to other tables: one of them may be taken, and the other not. */
  #noteRefusal(refusals: { readonly beat?: CornermanError | undefined; readonly journal?: CornermanError | undefined }): void {
    this.#refusals = { ...this.#refusals, ...refusals }
    this.view.troubles.set('fleetDatabase', this.#refusals.beat ?? this.#refusals.journal)
  }

  /** What stood still for its journal, and does not any more, may be played here again. */
  #seeMended(bot: string, isHeld: boolean): void {
    const wasHeld = this.#unmended.get(bot)
    if (wasHeld === undefined) return
    if (isHeld) this.#unmended.set(bot, true)
    if (isHeld || !wasHeld) return
    this.#unmended.delete(bot)
    this.#copies.forgive(bot)
    void this.#certainly(() => this.#host.include(bot))
  }

  #letGo(sight: FleetSight): void {
    const { log, settings } = this.#options
    for (const { bot, to, why } of releasesOf(sight, { ...settings, heirsOf: (name) => this.#host.heirsOf(name) })) {
      if (this.#leaving.has(bot) || !this.#host.held.includes(bot)) continue
      this.#leaving.add(bot)
      log.info({ bot }, `${bot} goes to ${to}: ${WHY[why]}`)
      void this.#handOver(bot, to).finally(() => this.#leaving.delete(bot))
    }
  }

  /**
   * Ends: every bot goes to another host, and those that no other one could take are played to the end of what they have open.
   *
   * @param drain has a bot do that
   */
  async leave(drain: (bot: string) => void): Promise<void> {
    if (this.#isLeaving) return
    this.#isLeaving = true
    await this.#host.takeAwaited()
    await this.#certainly(() => this.#host.rest())
    await Promise.all(this.#host.held.map((bot) => this.#leaveBot(bot, drain)))
    await this.#close()
  }

  async #leaveBot(bot: string, drain: (bot: string) => void): Promise<void> {
    const [heir] = this.#host.heirsOf(bot)
    if (heir !== undefined) {
      await this.#handOver(bot, heir)
      return
    }
    drain(bot)
    await this.#stays.get(bot)
    await this.#certainly(() => this.#host.release(bot))
  }

  /** Ends at once, as if it had died: other hosts find its bots after a while. */
  async stop(): Promise<void> {
    this.#isLeaving = true
    await this.#close()
  }

  /** Nothing of it is on its way when another host has it. */
  async #handOver(bot: string, to?: string): Promise<void> {
    const played = this.#played.get(bot)
    if (played !== undefined) await this.#bases.release(played)
    await Promise.race([this.#services.get(bot)?.hold(), sleep(ANSWERS_MS)])
    await this.#bots.get(bot)?.stop()
    await this.#stays.get(bot)
    await this.#certainly(() => this.#host.release(bot, to))
    this.#options.log.info({ bot }, `${bot} was handed ${to === undefined ? 'back' : `to ${to}`}`)
  }

  /** Tried again while the database is away, as long as anybody is there. */
  async #certainly(act: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await act()
        return
      } catch (thrown) {
        this.#passing(thrown)
        if (this.#isClosed) return
        await sleep(AGAIN_MS)
      }
    }
  }

  async #close(): Promise<void> {
    this.#isClosed = true
    this.#host.close()
    await Promise.all([...this.#bots.values()].map((bot) => bot.stop()))
    await Promise.all(this.#stays.values())
    this.#connections.close()
    this.view.close()
    await this.#bases.close()
    await this.#copies.close()
    this.#orders.close()
    this.#asking.close()
    this.#ordering.close()
    this.#troubles.unsubscribe()
    await this.#entries.close()
    this.#options.settings.word.close()
    this.#ending.resolve()
  }

  #stay(claimed: ClaimedBot): void {
    const { bot } = claimed.holding
    const before = this.#stays.get(bot) ?? Promise.resolve()
    this.#stays.set(
      bot,
      before.then(() => this.#play(claimed)),
    )
  }

  /** Never rejects. */
  async #play({ holding, place }: ClaimedBot): Promise<void> {
    const { log } = this.#options
    const { bot: name, epoch } = holding
    const bot = this.#bots.get(name)
    if (bot === undefined) return
    log.info({ bot: name, epoch }, `${name} is played here`)
    let failure: CornermanError | undefined
    let journal: FleetJournal | undefined
    try {
      const copy = await this.#copy(name, place)
      if (copy === undefined) return
      const seal = this.#sealOf(name)
      const played = { holding, copy, seal }
      journal = new FleetJournal({
        ...{ ...played, connection: this.#connections.line(), durability: this.#options.settings.durability },
        onStop: (error) => void bot.stop(error),
        onKept: () => {
          this.#bases.note(played)
          if (this.#refusals.journal !== undefined) this.#noteRefusal({ journal: undefined })
        },
        onFact: (fact) => this.view.fact$.next(fact),
      })
      this.#played.set(name, played)
      this.view.playing(name, journal)
      failure = await bot.play(this.#groundOf(holding, journal))
    } catch (thrown) {
      failure = thrown instanceof CornermanError ? thrown : new CornermanError('BOT_FAILED', messageOf(thrown), { cause: thrown })
    }
    this.#played.delete(name)
    this.#services.delete(name)
    this.siblings.gone(name)
    this.view.gone(name)
    this.#copies.giveBack(name, journal?.place)
    // Who stopped it lets go of it, too.
    if (failure === undefined || failure.code === 'BOT_MOVED' || this.#isClosed) return
    await this.#fault(name, failure)
    // Another host may fare better; this one would only fail again.
    await this.#certainly(() => this.#host.exclude(name))
    await this.#certainly(() => this.#host.release(name))
  }

  /** Says it; and where the journal in the database is not what it was, nobody is to play the bot before a person has looked at it. */
  async #fault(bot: string, fault: CornermanError): Promise<void> {
    const { log, settings } = this.#options
    log.error({ bot, code: fault.code }, fault.message)
    const refusal = databaseTrouble(fault)
    if (refusal !== undefined) this.#noteRefusal({ journal: refusal })
    const copy = this.#copies.places.get(bot)
    if (heldFor(fault) === undefined) return
    if (!this.#unmended.has(bot)) this.#unmended.set(bot, false)
    if (copy === undefined) return
    await this.#certainly(async () => {
      await holdBot(this.#asking, { bot, host: settings.host, copy }, fault)
    })
  }

  /** Undefined where the bot is not this host's any more. */
  async #copy(bot: string, place: JournalPlace): Promise<FleetCopy | undefined> {
    while (this.#host.held.includes(bot) && !this.#isClosed) {
      try {
        return await this.#copies.take(bot, place)
      } catch (thrown) {
        this.#passing(thrown)
        await sleep(AGAIN_MS)
      }
    }
    return undefined
  }

  #groundOf(holding: Holding, journal: FleetJournal): Ground {
    const { bot, epoch } = holding
    return {
      ...{ journal, leases: journal, isKept: true, fleet: { host: this.#options.settings.host, epoch } },
      maySend: () => journal.maySend(),
      onTraffic: (traffic) => this.#hearing.note(traffic),
      siblings: this.siblings.portOf(holding),
      onRestored: () => this.siblings.restored(holding),
      acting: (service) => {
        const fenced = new FencedService(service, journal, (request) => this.#entryVerdict(holding, request))
        this.#services.set(bot, fenced)
        return fenced
      },
      // The fence keeps any other host from sending, this machine's too.
      lock: () => Promise.resolve(undefined),
    }
  }

  isHere(bot: string): boolean {
    return this.#host.held.includes(bot)
  }

  /** Has the host that plays a bot do something, and tells what became of it. */
  async order(bot: string, order: OperatorOrder): Promise<Ordered> {
    const { host: by, signer } = this.#options.settings
    try {
      const said = await orderInFleet(this.#ordering, { bot, ordered: encodeExact(order), by, signer })
      if (said.status === 'answered') return JSON.parse(said.answer) as Ordered
      if (said.status === 'untaken') return { isDone: false, message: `no host plays ${bot} now: nothing was ordered` }
      return { isDone: true, message: `${said.host ?? 'its host'} was told, and has not said what came of it: its log does` }
    } catch (thrown) {
      if (!(thrown instanceof InDoubt)) throw thrown
      return { isDone: false, message: 'the database of the fleet does not answer: it may be carried out all the same' }
    }
  }

  async #entryVerdict(holding: Holding, request: ActionRequest): Promise<EntryVerdict> {
    const { word } = this.#options.settings
    const { n } = word
    const entered = await this.siblings.enter(holding, request)
    return () => {
      if (!this.#host.isFresh) return 'the database of the fleet has not answered for 3 s: nobody knows what the operator has said'
      if (this.#notDurable !== undefined)
        return 'the database of the fleet does not keep commits as safely as this fleet asks: its log says why'
      if (entered === undefined || (entered.status === 'entered' && word.n === n)) return undefined
      if (entered.status === 'taken') return `${entered.by}, a bot of the same fleet, is there already (SIBLING_IN_CONTEST)`
      return ENTRY_REFUSED[entered.status]
    }
  }

  #sealOf(bot: string): RecordSeal {
    const { keys, fleet } = this.#options.settings
    return new RecordSeal({ keys, fleet, bot })
  }

  /** What may be otherwise in a moment is tried again. */
  #passing(thrown: unknown): void {
    if (!mayPass(thrown)) throw thrown
  }

  /** It beats no more. Tables that are those of a newer Cornerman still take that bots are let go. */
  async #end(thrown: unknown): Promise<void> {
    const isNewer = thrown instanceof CornermanError && thrown.code === 'FLEET_NEWER'
    this.#isLeaving = true
    if (isNewer) await Promise.allSettled(this.#host.held.map((bot) => this.#handOver(bot)))
    this.#ending.reject(thrown)
  }
}

const WHY = {
  wished: 'it is wished there',
  draining: 'this host is to be empty',
  version: 'another version is to play',
  unheard: 'the service does not answer this host, and answers others',
} as const

const ENTRY_REFUSED = {
  entered: 'the operator has just said something else',
  superseded: 'the operator has said something that this host has not heard of yet',
  fenced: 'another host has the bot',
  late: 'the database of the fleet has not taken the entry in time',
} as const

const moved = (bot: string): CornermanError =>
  new CornermanError('BOT_MOVED', `${bot} is played by another host now: nothing of it is sent from here any more`)
