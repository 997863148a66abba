import type { Subscription } from 'rxjs'
import { CornermanError, messageOf } from '../../../core/error.ts'
import type { ModeCommand, OperatorCommand } from '../../../pipeline/index.ts'
import {
  bothOf,
  type Control,
  type ControlState,
  commandOf,
  isSameControl,
  modesSaidOf,
  readControl,
  removeRunNote,
  stateAfter,
  stateOf,
  stillText,
  withSaid,
  writeControl,
  writeRunNote,
} from '../../control.ts'
import type { Logger } from '../../log.ts'
import type { SharedWord } from './sharedWord.ts'

/** An operator's command is obeyed well within a second. */
const LOOK_EVERY_MS = 200

const EVERYTHING_STOPS: Control = { state: 'stopped', bots: {} }

type Command = Exclude<OperatorCommand, 'drain'>
/** Everything that holds for a bot: its command, then the words of single modes. */
export type SaidFor = (bot: string) => readonly (Command | ModeCommand)[]

export interface ControlFollowerOptions {
  readonly dataDir: string
  readonly log: Logger
  /** What was said of the fleet that this is a host of; what is said here is said to all of it. */
  readonly shared?: SharedWord | undefined
}

/** What the operator says while the bots run, by the file of `stop` or at the page: both are the same word. */
export class ControlFollower {
  readonly #options: ControlFollowerOptions
  /** What was said on this host alone. */
  #own: Control
  #control: Control
  #isUnreadable = false
  #tell: (saidFor: SaidFor) => void = () => {}
  #timer: NodeJS.Timeout | undefined
  #hearing: Subscription | undefined

  /** @throws CornermanError `CONTROL_UNREADABLE`: a kill switch that cannot be read is none that can be ignored */
  constructor(options: ControlFollowerOptions) {
    this.#options = options
    this.#own = readControl(options.dataDir)
    this.#control = this.#withShared(this.#own)
  }

  /** What was last said, as the bots were told. */
  get control(): Control {
    return this.#control
  }

  /** To be told the same again changes nothing, so that a bot is told all of it whenever something is said. */
  readonly saidFor: SaidFor = (bot) => [commandOf(stateOf(this.#control, bot)), ...modesSaidOf(this.#control, bot)]

  stateOf(bot: string | undefined): ControlState {
    return bot === undefined ? this.#control.state : stateOf(this.#control, bot)
  }

  /** Tells the bots from now on, and says that they have been told. */
  follow(tell: (saidFor: SaidFor) => void): void {
    this.#tell = tell
    this.#note()
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS)
    this.#hearing = this.#options.shared?.changed$.subscribe(() => this.#look())
  }

  /**
   * Says it for this run and those after it, and for all of a fleet; the bots have been told when it returns.
   *
   * @returns what stops more than this, for a person
   */
  say(command: Command, bot: string | undefined): string | undefined | Promise<string | undefined> {
    const [state, bots] = [stateAfter(command), bot === undefined ? [] : [bot]]
    const { shared } = this.#options
    if (shared !== undefined) return this.#sayToAll(shared, state, bots)
    this.#sayHere(state, bots)
    return stillText(this.#control, state, bots)
  }

  async #sayToAll(shared: SharedWord, state: ControlState, bots: readonly string[]): Promise<string | undefined> {
    try {
      await shared.say((before) => withSaid(before, state, bots))
    } catch (thrown) {
      this.#sayHere(state, bots)
      return `only on this host, since the database of the fleet does not take it (${messageOf(thrown)})`
    }
    // What was said on this host alone would hold its bots back still.
    if (state === 'running') this.#sayHere(state, bots)
    return stillText(this.#control, state, bots)
  }

  #sayHere(state: ControlState, bots: readonly string[]): void {
    const { dataDir } = this.#options
    let before = EVERYTHING_STOPS
    try {
      before = readControl(dataDir)
    } catch {
      // What cannot be read is said anew.
    }
    writeControl(dataDir, withSaid(before, state, bots), Date.now())
    this.#look()
  }

  #withShared(own: Control): Control {
    const { shared } = this.#options
    return shared === undefined ? own : bothOf(own, shared.control)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#hearing?.unsubscribe()
    removeRunNote(this.#options.dataDir, process.pid)
  }

  #look(): void {
    const { dataDir, log } = this.#options
    let said: Control
    try {
      said = readControl(dataDir)
      this.#isUnreadable = false
    } catch (thrown) {
      const { code } = thrown instanceof CornermanError ? thrown : { code: undefined }
      if (!this.#isUnreadable) log.error({ code }, `${messageOf(thrown)}; until then the bots are stopped`)
      this.#isUnreadable = true
      said = EVERYTHING_STOPS
    }
    const control = this.#withShared(said)
    const isSame = isSameControl(said, this.#own) && isSameControl(control, this.#control)
    if (isSame) return
    this.#own = said
    this.#control = control
    this.#tell(this.saidFor)
    this.#note()
  }

  #note(): void {
    writeRunNote(this.#options.dataDir, { pid: process.pid, obeys: this.#own })
  }
}
