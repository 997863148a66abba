import { FleetConnection, type FleetConnectionOptions, InDoubt } from './fleetConnection.ts'

/** A server lets in a hundred clients where nobody has said otherwise, and a host has a dozen other connections. */
const MOST = 12

/** Where statements go, one after another. */
export interface Statements {
  /** @throws as `FleetConnection.ask` */
  ask<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]>
  /** Ends what is under way: it is in doubt. */
  close(): void
}

/** Connections that the journals of all bots of a host share: a bot has none of its own, and uses one for the length of a statement. */
export class SharedConnections {
  readonly #options: FleetConnectionOptions
  /** The one used last is used next, so that a quiet host opens few. */
  readonly #free: FleetConnection[]
  readonly #waiting: ((connection: FleetConnection) => void)[] = []

  constructor(options: FleetConnectionOptions, most = MOST) {
    this.#options = options
    this.#free = Array.from({ length: most }, () => new FleetConnection(options))
  }

  /** For one bot. */
  line(): Statements {
    return new Line(
      () => this.#taken(),
      (connection, isLost) => this.#give(isLost ? new FleetConnection(this.#options) : connection),
    )
  }

  /** Once every line is closed. */
  close(): void {
    for (const connection of this.#free) connection.close()
  }

  #taken(): Promise<FleetConnection> {
    const free = this.#free.pop()
    return free === undefined ? new Promise((take) => this.#waiting.push(take)) : Promise.resolve(free)
  }

  #give(connection: FleetConnection): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free.push(connection)
    else next(connection)
  }
}

class Line implements Statements {
  readonly #taken: () => Promise<FleetConnection>
  readonly #give: (connection: FleetConnection, isLost: boolean) => void
  readonly #used = new Set<FleetConnection>()
  #isClosed = false

  constructor(taken: () => Promise<FleetConnection>, give: (connection: FleetConnection, isLost: boolean) => void) {
    this.#taken = taken
    this.#give = give
  }

  async ask<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]> {
    if (this.#isClosed) throw new InDoubt('it was closed')
    const connection = await this.#taken()
    this.#used.add(connection)
    try {
      if (this.#isClosed) throw new InDoubt('it was closed')
      return await connection.ask<R>(text, values)
    } finally {
      // A line that was closed meanwhile has closed it.
      this.#give(connection, !this.#used.delete(connection))
    }
  }

  close(): void {
    this.#isClosed = true
    for (const connection of this.#used) connection.close()
    this.#used.clear()
  }
}
