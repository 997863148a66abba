import { type Observable, Subject } from 'rxjs'
import { FleetConnection, type FleetWord, readWord, SEND_WITHIN, writeWord } from '../../../live/fleet/index.ts'
import { type Control, controlJson, everythingPlays, parseControl } from '../../control.ts'

/** What cannot be read stops everything: it is no leave to go on. */
const EVERYTHING_STOPS: Control = { state: 'stopped', bots: {} }
const TRIES = 5

/** What the operator has said of a fleet, as one of its hosts knows it. */
export class SharedWord {
  readonly #connection: FleetConnection
  readonly #host: string
  readonly #changed$ = new Subject<void>()
  #n = 0
  #control: Control = everythingPlays
  /** When the newest was heard, by the monotonic clock. */
  #heardAt = Number.NEGATIVE_INFINITY
  #obeyed = 0

  constructor(url: string, host: string) {
    this.#connection = new FleetConnection({ url })
    this.#host = host
  }

  get changed$(): Observable<void> {
    return this.#changed$
  }

  get control(): Control {
    return this.#control
  }

  /** The number of the word that the bots have been told. */
  get n(): number {
    return this.#n
  }

  /** The number of the word that nothing that was begun before it can pass any more. */
  get obeyed(): number {
    if (performance.now() - this.#heardAt > SEND_WITHIN) this.#obeyed = this.#n
    return this.#obeyed
  }

  /** What a beat has shown. The bots have been told when it returns. */
  see(word: FleetWord | undefined): void {
    if (word === undefined || word.n <= this.#n) return
    this.#n = word.n
    this.#heardAt = performance.now()
    try {
      this.#control = parseControl(word.control)
    } catch {
      this.#control = EVERYTHING_STOPS
    }
    this.#changed$.next()
  }

  /**
   * Says something to all hosts.
   *
   * @param change of what was said before
   * @throws InDoubt where the database does not take it
   */
  async say(change: (before: Control) => Control): Promise<void> {
    this.see(await saidTo(this.#connection, change, this.#host))
  }

  close(): void {
    this.#connection.close()
  }
}

/**
 * Says something to a fleet, after whatever others say meanwhile.
 *
 * @throws InDoubt
 */
export async function saidTo(
  connection: FleetConnection,
  change: (before: Control) => Control,
  by: string,
): Promise<FleetWord & { readonly said: Control }> {
  for (let tries = 1; ; tries++) {
    const before = await readWord(connection)
    const said = change(readable(before))
    const control = controlJson(said, Date.now())
    const n = await writeWord(connection, { n: before.n, control }, by)
    if (n !== undefined) return { n, control, said }
    if (tries === TRIES) throw new Error('others say something all the time: try again')
  }
}

function readable({ n, control }: FleetWord): Control {
  if (n === 0) return everythingPlays
  try {
    return parseControl(control)
  } catch {
    return EVERYTHING_STOPS
  }
}
