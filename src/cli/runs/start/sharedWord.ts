import { type Observable, Subject } from 'rxjs'
import { CornermanError, messageOf } from '../../../core/error.ts'
import {
  type ControlOrder,
  FleetConnection,
  isSameOrder,
  type OrderSigner,
  readOrder,
  refusalOf,
  SEND_WITHIN,
  writeOrder,
} from '../../../live/fleet/index.ts'
import { type Control, controlJson, everythingPlays, parseControl } from '../../control.ts'
import type { NewestOrder } from './newestOrder.ts'

/** What cannot be read stops everything: it is no leave to go on. */
const EVERYTHING_STOPS: Control = { state: 'stopped', bots: {} }
const TRIES = 5

export interface SharedWordOptions {
  readonly url: string
  readonly host: string
  readonly signer: OrderSigner
  /** On this host's disk. */
  readonly newest: NewestOrder
  /** Called when the disk refuses to keep the newest order. */
  readonly onTrouble?: (words: string) => void
}

/** What the operator has said of a fleet, as one of its hosts knows it. */
export class SharedWord {
  readonly #options: SharedWordOptions
  readonly #connection: FleetConnection
  readonly #changed$ = new Subject<void>()
  /** The newest order that was accepted; undefined before the first. */
  #newest: ControlOrder | undefined
  /** Why the newest order is not known, where this host's disk does not say. */
  #blind: string | undefined
  #control: Control = everythingPlays
  #seen = ''
  #refusal: CornermanError | undefined
  /** When the newest was heard, by the monotonic clock. */
  #heardAt = Number.NEGATIVE_INFINITY
  #obeyed = 0

  constructor(options: SharedWordOptions) {
    this.#options = options
    this.#connection = new FleetConnection({ url: options.url })
    try {
      this.#newest = options.newest.read()
    } catch (thrown) {
      this.#blind = messageOf(thrown)
    }
    if (this.#blind !== undefined) this.#control = EVERYTHING_STOPS
    else if (this.#newest !== undefined) this.#control = controlOf(this.#newest)
  }

  get changed$(): Observable<void> {
    return this.#changed$
  }

  get control(): Control {
    return this.#control
  }

  /** Why the order in the database counts as a stop; undefined while it holds. */
  get refusal(): CornermanError | undefined {
    return this.#refusal
  }

  /** The number of the word that the bots have been told. */
  get n(): number {
    return this.#newest?.n ?? 0
  }

  /** The number of the word that nothing that was begun before it can pass any more. */
  get obeyed(): number {
    if (performance.now() - this.#heardAt > SEND_WITHIN) this.#obeyed = this.n
    return this.#obeyed
  }

  /** What a beat has shown. The bots have been told when it returns. */
  see(order: ControlOrder | undefined): void {
    const seen = JSON.stringify(order ?? null)
    if (seen === this.#seen) return
    this.#seen = seen
    const refusal = this.#refusalOf(order)
    this.#refusal = refusal === undefined ? undefined : new CornermanError('FLEET_ORDER', refusal)
    if (refusal !== undefined || order === undefined) this.#control = EVERYTHING_STOPS
    else this.#accept(order)
    this.#changed$.next()
  }

  #refusalOf(order: ControlOrder | undefined): string | undefined {
    const { signer, newest } = this.#options
    const refusal = refusalOf(order, signer, this.#newest)
    if (refusal !== undefined || this.#blind === undefined || order === undefined) return refusal
    const why = this.#blind
    // The next order that is given is newer than this one.
    this.#newest = { ...order, said: null }
    this.#blind = undefined
    return `${newest.file} cannot be read (${why}), so this host does not know the newest order that it has seen: its bots stake nothing. To play on: cornerman stop --fleet --resume`
  }

  #accept(order: ControlOrder): void {
    if (this.#newest === undefined || !isSameOrder(order, this.#newest)) {
      this.#newest = order
      this.#heardAt = performance.now()
      try {
        this.#options.newest.keep(order)
      } catch (thrown) {
        this.#options.onTrouble?.(
          `order ${order.n} of ${order.by} holds, and cannot be kept on this host's disk (${messageOf(thrown)}): after a restart this host would take an older one for the newest. Make room in the data directory`,
        )
      }
    }
    this.#control = controlOf(order)
  }

  /**
   * Says something to all hosts.
   *
   * @param change of what was said before
   * @throws InDoubt where the database does not take it
   */
  async say(change: (before: Control) => Control): Promise<void> {
    const { signer, host } = this.#options
    this.see((await saidTo(this.#connection, { signer, by: host, change, above: this.n })).order)
  }

  close(): void {
    this.#connection.close()
  }
}

export interface Saying {
  readonly signer: OrderSigner
  readonly by: string
  readonly change: (before: Control) => Control
  /** A count that was seen: the order has a higher one. */
  readonly above?: number
}

/**
 * Says something to a fleet, after whatever others say meanwhile, with a count above the highest that a living host reports.
 *
 * @throws InDoubt
 */
export async function saidTo(
  connection: FleetConnection,
  { signer, by, change, above = 0 }: Saying,
): Promise<{ readonly order: ControlOrder; readonly said: Control }> {
  for (let tries = 1; ; tries++) {
    const { order: before, mark, reported } = await readOrder(connection)
    const isSigned = before !== undefined && signer.hasSigned(before)
    const now = Date.now()
    const said = change(isSigned ? controlOf(before) : EVERYTHING_STOPS)
    const n = Math.max(isSigned ? before.n : 0, reported, above) + 1
    const order = signer.signed({ n, control: controlJson(said, now), by, said: now })
    if (await writeOrder(connection, mark, order)) return { order, said }
    if (tries === TRIES) throw new Error('others say something all the time: try again')
  }
}

function controlOf({ control }: ControlOrder): Control {
  try {
    return parseControl(control)
  } catch {
    return EVERYTHING_STOPS
  }
}
