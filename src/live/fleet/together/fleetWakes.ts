import { filter, map, type Observable, Subject } from 'rxjs'
import type { FleetConnection } from '../database/fleetConnection.ts'

const WAKE = `
  INSERT INTO cornerman_fleet.wakes SELECT bot, 1 FROM cornerman_fleet.bots WHERE bot = $1
    ON CONFLICT (bot) DO UPDATE SET n = wakes.n + 1`

/**
 * Whichever host a webhook comes to, the bot that it is for is told, wherever it is played. A wake that is lost is no loss: the bot looks by
 * itself a poll later.
 */
export class FleetWakes {
  readonly #connection: FleetConnection
  readonly #woken$ = new Subject<string>()
  /** As the newest look had it: by bot, how often it was woken. */
  #seen: ReadonlyMap<string, number> | undefined
  /** By bot: whether it is to be woken once more when the one under way is done. */
  readonly #underWay = new Map<string, boolean>()

  constructor(connection: FleetConnection) {
    this.#connection = connection
  }

  /** What a beat has shown. What the first one shows is of before. */
  see(wakes: ReadonlyMap<string, number>): void {
    const before = this.#seen
    this.#seen = wakes
    if (before === undefined) return
    for (const [bot, n] of wakes) if (n !== before.get(bot)) this.#woken$.next(bot)
  }

  /** Each time something has come for the bot. */
  of(bot: string): Observable<void> {
    return this.#woken$.pipe(
      filter((woken) => woken === bot),
      map(() => undefined),
    )
  }

  /** Tells the holder. Whatever comes for a bot while its holder is told is told together. */
  wake(bot: string): void {
    const isUnderWay = this.#underWay.has(bot)
    this.#underWay.set(bot, isUnderWay)
    if (!isUnderWay) void this.#tell(bot)
  }

  async #tell(bot: string): Promise<void> {
    do {
      this.#underWay.set(bot, false)
      try {
        await this.#connection.ask(WAKE, [bot])
      } catch {
        // Its next look is no later for it.
      }
    } while (this.#underWay.get(bot) === true)
    this.#underWay.delete(bot)
  }
}
