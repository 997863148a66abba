/** The fleet's key, as it signs orders. */
export interface OrderKey {
  /** @param purpose keeps a signature of one thing from being taken for that of another */
  sign(purpose: string, text: string): string
  hasSigned(purpose: string, text: string, signature: string): boolean
}

/** An order to all hosts of a fleet: who plays, and who does not. */
export interface ControlOrder {
  /** Counts the orders of a fleet, from 1. */
  readonly n: number
  /** JSON. */
  readonly control: string
  /** Author, for display. */
  readonly by: string
  /** Unix milliseconds, by the clock of whoever gave it; null in rows of versions without signatures. */
  readonly said: number | null
  readonly signature: string | null
}

/** An order to the host that plays one bot. */
export interface BotOrder {
  readonly id: string
  readonly bot: string
  /** The turn of the bot in which it was given: it is carried out in no other. */
  readonly epoch: number
  readonly ordered: string
  readonly by: string
  /** Unix milliseconds. */
  readonly said: number
}

const CONTROL = 'control order'
const OF_BOT = 'bot order'

/** Signs orders of one fleet: whoever can write into the database, and has no key, gives none. */
export class OrderSigner {
  readonly #key: OrderKey
  readonly #fleet: string

  /** @param fleet the id of the fleet */
  constructor(key: OrderKey, fleet: string) {
    this.#key = key
    this.#fleet = fleet
  }

  get fleet(): string {
    return this.#fleet
  }

  signed(order: Pick<ControlOrder, 'n' | 'control' | 'by'> & { readonly said: number }): ControlOrder & { readonly signature: string } {
    return { ...order, signature: this.#key.sign(CONTROL, this.#controlText(order)) }
  }

  hasSigned(order: ControlOrder): boolean {
    return order.signature !== null && this.#key.hasSigned(CONTROL, this.#controlText(order), order.signature)
  }

  signatureOf(order: BotOrder): string {
    return this.#key.sign(OF_BOT, this.#botText(order))
  }

  hasSignedBot(order: BotOrder, signature: string | null): boolean {
    return signature !== null && this.#key.hasSigned(OF_BOT, this.#botText(order), signature)
  }

  #controlText({ n, control, by, said }: Pick<ControlOrder, 'n' | 'control' | 'by' | 'said'>): string {
    return JSON.stringify([this.#fleet, n, control, by, said])
  }

  #botText({ id, bot, epoch, ordered, by, said }: BotOrder): string {
    return JSON.stringify([this.#fleet, id, bot, epoch, ordered, by, said])
  }
}
