import type { Shapes } from '../../../contract/shapes/shapes.ts'
import type { CornermanError } from '../../../core/error.ts'
import type { StreamView } from '../../../dashboard/index.ts'
import type { BotStatus } from '../../../pipeline/index.ts'
import type { BotConfig } from '../../../strategy/config.ts'
import type { KeptBack } from './dryRun.ts'
import type { BotPhase, FleetBot } from './fleetBot.ts'
import type { Ground, LiveBot } from './liveBot.ts'

export interface MovingBotOptions {
  readonly config: BotConfig
  /** The bot for one stay on this host; what it shows is shown as this one's. */
  readonly open: (ground: Ground, shownAs: FleetBot) => LiveBot
  /** Told whenever it comes or has gone. */
  readonly onChange: () => void
}

/** A bot of a fleet, which hosts play by turns: what is shown of it is of its newest stay on this one. */
export class MovingBot implements FleetBot {
  readonly name: string
  readonly config: BotConfig
  keptBack: (() => readonly KeptBack[]) | undefined = undefined
  readonly #options: MovingBotOptions
  #stay: LiveBot | undefined
  #isHere = false

  constructor(options: MovingBotOptions) {
    this.#options = options
    this.config = options.config
    this.name = options.config.name
  }

  /**
   * Plays it here until it has drained, is stopped, cannot go on or is taken.
   *
   * @returns why it could not go on, `BOT_MOVED` where another host has it
   */
  async play(ground: Ground): Promise<CornermanError | undefined> {
    const stay = this.#options.open(ground, this)
    this.#stay = stay
    this.#isHere = true
    await stay.run()
    // One that is gone from here has not failed.
    this.#isHere = stay.failure !== undefined && stay.failure.code !== 'BOT_MOVED'
    this.#options.onChange()
    return stay.failure
  }

  /** @param failure why, where that is not its owner's wish */
  async stop(failure?: CornermanError): Promise<void> {
    await this.#stay?.stop(failure)
  }

  get isDrained(): boolean {
    return this.#stay?.phase === 'drained'
  }

  get phase(): BotPhase {
    return this.#isHere ? (this.#stay?.phase ?? 'elsewhere') : 'elsewhere'
  }

  get agentId(): string | undefined {
    return this.#stay?.agentId
  }

  get statedAgentId(): string | undefined {
    return this.#stay?.statedAgentId
  }

  get recording(): string | undefined {
    return this.#stay?.recording
  }

  get shapes(): Shapes | undefined {
    return this.#stay?.shapes
  }

  get failure(): CornermanError | undefined {
    return this.#isHere ? this.#stay?.failure : undefined
  }

  get hasCaughtUp(): boolean {
    return this.#stay?.hasCaughtUp ?? false
  }

  status(): BotStatus | undefined {
    return this.#stay?.status()
  }

  life(): BotStatus | undefined {
    return this.#stay?.life()
  }

  stream(): StreamView {
    return this.#stay?.stream() ?? { state: 'current', readAt: undefined, startedAt: 0 }
  }

  readsLeft(): number | undefined {
    return this.#isHere ? this.#stay?.readsLeft() : undefined
  }
}
