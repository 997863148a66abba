import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError, messageOf } from '../../../core/error.ts'
import { type FleetConnection, InDoubt } from '../database/fleetConnection.ts'
import type { Holding } from '../journal/fencedCommits.ts'
import type { OrderSigner } from './orderSigner.ts'

/** Whoever has ordered something waits so long for an answer, in milliseconds. */
const PATIENCE_MS = 15_000
const LOOK_EVERY_MS = 200
const AGAIN_MS = 500
/** Of nobody: the order was taken back. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

// Twice comes to the same.
const PLACE = `
  WITH old AS (DELETE FROM cornerman_fleet.orders WHERE at < clock_timestamp() - interval '1 day')
  INSERT INTO cornerman_fleet.orders (id, bot, ordered, by, epoch, said, signature) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`
const EPOCH = 'SELECT epoch::text FROM cornerman_fleet.bots WHERE bot = $1'
const LOOK = `
  SELECT o.run IS NOT NULL AS taken, o.answer, h.host FROM cornerman_fleet.orders o LEFT JOIN cornerman_fleet.hosts h ON h.run = o.run WHERE o.id = $1`
const TAKE_BACK = `UPDATE cornerman_fleet.orders SET run = '${NOBODY}' WHERE id = $1 AND (run IS NULL OR run = '${NOBODY}') RETURNING 1`
// Its own mark is no hindrance: who has taken it and was not answered asks again.
const TAKE = `
  WITH held AS (SELECT 1 FROM cornerman_fleet.bots WHERE bot = $2 AND epoch = $3 AND run = $4 FOR KEY SHARE)
  UPDATE cornerman_fleet.orders SET run = $4 WHERE id = $1 AND bot = $2 AND (run IS NULL OR run = $4) AND answer IS NULL
    AND at > clock_timestamp() - interval '20 seconds' AND EXISTS (SELECT FROM held) RETURNING ordered, by, epoch::text, said::text, signature`
const ANSWER = 'UPDATE cornerman_fleet.orders SET answer = $2 WHERE id = $1 AND run = $3'

/** An order that nobody has taken yet, as a beat shows it. */
export interface SeenOrder {
  readonly id: string
  readonly bot: string
}

export interface FleetOrder {
  readonly bot: string
  /** What its holder understands. */
  readonly ordered: string
  /** Who orders it, for a person. */
  readonly by: string
  readonly signer: OrderSigner
}

/** What became of an order. `untaken`: nobody has carried it out, and nobody will; `silent`: its holder has taken it, and has not said more. */
export type OrderAnswer =
  | { readonly status: 'answered'; readonly answer: string }
  | { readonly status: 'untaken' }
  | { readonly status: 'silent'; readonly host: string | undefined }

interface Looked {
  readonly taken: boolean
  readonly answer: string | null
  readonly host: string | null
}

/**
 * Orders something of a bot, whichever host plays it.
 *
 * @throws InDoubt where the database does not answer in time: it may be carried out all the same
 */
export async function orderInFleet(
  connection: FleetConnection,
  { bot, ordered, by, signer }: FleetOrder,
  patienceMs: number = PATIENCE_MS,
): Promise<OrderAnswer> {
  const until = performance.now() + patienceMs
  const asking = async <R extends object>(text: string, values: readonly unknown[]): Promise<R[]> => {
    for (;;) {
      try {
        return await connection.ask<R>(text, values)
      } catch (thrown) {
        if (!(thrown instanceof InDoubt) || performance.now() > until) throw thrown
        await sleep(LOOK_EVERY_MS)
      }
    }
  }
  const id = randomUUID()
  const [row] = await asking<{ epoch: string }>(EPOCH, [bot])
  const order = { id, bot, epoch: Number(row?.epoch ?? 0), ordered, by, said: Date.now() }
  await asking(PLACE, [id, bot, ordered, by, order.epoch, order.said, signer.signatureOf(order)])
  for (;;) {
    const [row] = await asking<Looked>(LOOK, [id])
    if (typeof row?.answer === 'string') return { status: 'answered', answer: row.answer }
    if (performance.now() <= until) {
      await sleep(LOOK_EVERY_MS)
      continue
    }
    if (row?.taken === true) return { status: 'silent', host: row.host ?? undefined }
    const takenBack = await asking(TAKE_BACK, [id])
    if (takenBack.length > 0) return { status: 'untaken' }
  }
}

interface TakenOrder {
  readonly ordered: string
  readonly by: string
  readonly epoch: string | null
  readonly said: string | null
  readonly signature: string | null
}

export interface FleetOrdersOptions {
  readonly connection: FleetConnection
  readonly signer: OrderSigner
  /** @returns what became of it, for whoever has ordered it */
  readonly carryOut: (bot: string, ordered: string) => Promise<string>
  /** The same, of an order that is not carried out. */
  readonly refused: (why: string) => string
  readonly onTrouble: (bot: string, thrown: unknown) => void
}

/** What the holders of bots do with what was ordered of them: each order once at most, and never after its holder has lost the bot. */
export class FleetOrders {
  readonly #options: FleetOrdersOptions
  readonly #begun = new Set<string>()
  #isClosed = false

  constructor(options: FleetOrdersOptions) {
    this.#options = options
  }

  /** What a beat has shown. */
  see(orders: readonly SeenOrder[], holdingOf: (bot: string) => Holding | undefined): void {
    for (const { id, bot } of orders) {
      const holding = holdingOf(bot)
      if (holding === undefined || this.#begun.has(id)) continue
      this.#begun.add(id)
      this.#carryOut(id, holding).catch((thrown: unknown) => this.#options.onTrouble(bot, thrown))
    }
  }

  close(): void {
    this.#isClosed = true
  }

  async #carryOut(id: string, { bot, epoch, run }: Holding): Promise<void> {
    const [taken] = await this.#certainly<TakenOrder>(TAKE, [id, bot, epoch, run])
    if (taken === undefined || this.#isClosed) return
    const refusal = this.#refusalOf(taken, { id, bot, epoch })
    const answer =
      refusal === undefined ? await this.#options.carryOut(bot, taken.ordered).catch(messageOf) : this.#options.refused(refusal)
    await this.#certainly(ANSWER, [id, answer, run])
    if (refusal !== undefined) this.#options.onTrouble(bot, new CornermanError('FLEET_ORDER', refusal))
  }

  #refusalOf(
    { signature, ...taken }: TakenOrder,
    { id, bot, epoch }: { readonly id: string; readonly bot: string; readonly epoch: number },
  ) {
    const order = { ...taken, id, bot, epoch: Number(taken.epoch ?? 0), said: Number(taken.said ?? 0) }
    if (!this.#options.signer.hasSignedBot(order, signature))
      return `an order of ${taken.by} for ${bot} was not signed with the key of this fleet, and is not carried out. It was given by a host of an older Cornerman, or by somebody who can write to the database: find out who can`
    return order.epoch === epoch
      ? undefined
      : `${bot} has been handed over since the order of ${taken.by} was given, so it is not carried out: give it once more`
  }

  async #certainly<R extends object>(text: string, values: readonly unknown[]): Promise<R[]> {
    while (!this.#isClosed) {
      try {
        return await this.#options.connection.ask<R>(text, values)
      } catch (thrown) {
        if (!(thrown instanceof InDoubt)) throw thrown
        await sleep(AGAIN_MS)
      }
    }
    return []
  }
}
