import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseWatch, databaseName, databaseTrouble, FleetConnection, mayPass } from '../../../live/fleet/index.ts'
import { formatDuration } from '../../duration.ts'
import type { Logger } from '../../log.ts'
import { unreachable } from '../fleet/botFleet.ts'

const AGAIN_MS = 500
/** A database that answers nothing at all is waited for so long: its URL may be wrong. */
const UNANSWERED_MS = 10_000
const SAY_EVERY_MS = 60_000

export interface AwaitDatabaseOptions {
  readonly url: string
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** A host that starts waits for a database that answers and takes no commit, for as long as that lasts, and says so. */
export class AwaitDatabase {
  readonly #options: AwaitDatabaseOptions
  readonly #watch: DatabaseWatch
  readonly #since = performance.now()
  #saidAt: number | undefined

  constructor(options: AwaitDatabaseOptions) {
    this.#options = options
    this.#watch = new DatabaseWatch(options)
  }

  /**
   * @param act comes to the same when it is done twice
   * @throws CornermanError `FLEET_UNREACHABLE` where the database does not answer at all, or with what `act` does
   */
  async untilDone<T>(act: () => Promise<T>): Promise<T> {
    const since = performance.now()
    for (;;) {
      try {
        return await act()
      } catch (thrown) {
        if (!mayPass(thrown)) throw thrown
        const hindrance = await this.#hindranceOf(thrown)
        if (hindrance !== undefined) this.#say(hindrance)
        else if (performance.now() - since > UNANSWERED_MS) throw unreachable(thrown)
        await this.#untilFree()
      }
    }
  }

  /** All of it is done. */
  done(): void {
    if (this.#saidAt === undefined) return
    const { url, log } = this.#options
    log.info(`the fleet's database ${databaseName(url)} takes commits, after ${this.#waited()}: this host starts`)
  }

  #waited(): string {
    return formatDuration(performance.now() - this.#since)
  }

  #say(hindrance: string): void {
    const now = performance.now()
    if (this.#saidAt !== undefined && now - this.#saidAt < SAY_EVERY_MS) return
    this.#saidAt = now
    const { url, log } = this.#options
    log.warn(
      `this host waits to start, for ${this.#waited()} so far, for the fleet's database ${databaseName(url)}: ${hindrance}. This host plays nothing meanwhile, and starts by itself then`,
    )
  }

  /** Undefined where the database does not answer at all. */
  async #hindranceOf(thrown: unknown): Promise<string | undefined> {
    const trouble = databaseTrouble(thrown)
    if (trouble !== undefined) return trouble.message
    if (await this.#watch.waitsForStandby()) return NO_STANDBY
    return (await this.#answers()) ? NO_COMMIT : undefined
  }

  async #answers(): Promise<boolean> {
    const connection = new FleetConnection(this.#options)
    try {
      await connection.ask('SELECT 1')
      return true
    } catch {
      return false
    } finally {
      connection.close()
    }
  }

  /** Each commit that hangs keeps a connection of the server, whoever waits for it: no other one is begun meanwhile. */
  async #untilFree(): Promise<void> {
    do await sleep(AGAIN_MS)
    while (await this.#watch.waitsForStandby())
  }
}

const NO_STANDBY =
  'no standby says that it has what is committed, so no commit is answered. See that a standby runs and follows the primary, and that synchronous_standby_names names it'
const NO_COMMIT = 'reads are answered, and no commit is. See what holds it up: SELECT pid, wait_event, query FROM pg_stat_activity'
