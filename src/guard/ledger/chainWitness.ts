import type { Usdc } from '../../core/usdc.ts'

/** Equal readings in a row after which the chain is a witness of a figure. */
const EQUAL_NEEDED = 10
/** Readings in a row that must lack USDC before it is an alarm. */
const SHORT_NEEDED = 3

export interface ChainWitnessFacts {
  readonly availableEqual: number
  readonly walletEqual: number
}

/** USDC of the wallet by the chain, and by the service's bankroll, with nothing open. Micro-USDC. */
export interface ChainReading {
  readonly onChain: Usdc
  readonly available: Usdc
  readonly wallet: Usdc | undefined
}

type Figure = 'available' | 'wallet'
const FIGURES: readonly Figure[] = ['available', 'wallet']

/**
 * Compares the bankroll with the wallet on the chain. The interface does not say which figure is the wallet's USDC, so a figure counts once it
 * equalled the chain ten times in a row.
 */
export class ChainWitness {
  #equal: Readonly<Record<Figure, number>> = { available: 0, wallet: 0 }
  #lacking: readonly Usdc[] = []

  get facts(): ChainWitnessFacts {
    return { availableEqual: this.#equal.available, walletEqual: this.#equal.wallet }
  }

  restore({ availableEqual, walletEqual }: ChainWitnessFacts): void {
    this.#equal = { available: availableEqual, wallet: walletEqual }
  }

  /** USDC missing on the chain, once three readings in a row lack some; else 0. */
  get missing(): Usdc {
    if (this.#lacking.length < SHORT_NEEDED) return 0n
    return this.#lacking.reduce((least, each) => (each < least ? each : least))
  }

  /** The operator knows of the gap: the figures have to agree anew before it counts again. */
  acknowledge(): void {
    this.#equal = { available: 0, wallet: 0 }
    this.#lacking = []
  }

  /** @returns whether `facts` changed */
  read({ onChain, ...told }: ChainReading): boolean {
    const before = this.#equal
    let lack = 0n
    for (const figure of FIGURES) {
      const value = told[figure]
      const isKnown = this.#equal[figure] >= EQUAL_NEEDED
      if (isKnown && value !== undefined && value - onChain > lack) lack = value - onChain
      if (!isKnown) this.#equal = { ...this.#equal, [figure]: value === onChain ? this.#equal[figure] + 1 : 0 }
    }
    this.#lacking = lack > 0n ? [...this.#lacking.slice(1 - SHORT_NEEDED), lack] : []
    return this.#equal.available !== before.available || this.#equal.wallet !== before.wallet
  }
}
