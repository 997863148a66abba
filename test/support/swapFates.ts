import fc from 'fast-check'
import type { VirtualClock } from '../../src/core/clock.ts'
import type { Landing, Outcome } from '../../src/pipeline/index.ts'
import { accepted, decoded, notSent, rejected, type ScriptedService, unknown } from './scriptedService.ts'
import type { ScriptedSwapper } from './scriptedSwapper.ts'

// A chain and a service between which everything can get lost, as drawn numbers have it.

/** When a transaction can no longer land, after it was sent. */
const EXPIRY_MS = 8000
/** What is answered later is lost. */
const TIMEOUT_MS = 5000
const SPELL_MS = 12_000

/** What becomes of one swap that is sent. */
export interface Fate {
  readonly kind: 'lands' | 'reverts' | 'never' | 'rejected' | 'notSent'
  /** When it lands or fails on the chain. */
  readonly afterMs: number
  /** How long the service takes to answer. */
  readonly answerMs: number
  readonly isAnswerLost: boolean
}

export const fate: fc.Arbitrary<Fate> = fc.record({
  kind: fc.constantFrom('lands', 'lands', 'lands', 'reverts', 'never', 'rejected', 'notSent'),
  afterMs: fc.constantFrom(0, 0, 700, 3000, EXPIRY_MS - 50),
  answerMs: fc.constantFrom(0, 0, 400, TIMEOUT_MS),
  isAnswerLost: fc.boolean(),
})

interface Sent {
  readonly transaction: string
  readonly fate: Fate
  /** From then on it is known never to land, if it has not. */
  readonly overAt: number
}

export class SwapFates {
  readonly sent: Sent[] = []
  readonly #clock: VirtualClock
  readonly #swapper: ScriptedSwapper
  readonly #fates: readonly Fate[]
  #spellAt = 0

  constructor(clock: VirtualClock, swapper: ScriptedSwapper, fates: readonly Fate[]) {
    this.#clock = clock
    this.#swapper = swapper
    this.#fates = fates
    swapper.onLanding = ({ transaction }) => this.#landing(transaction)
  }

  /** Transactions that were sent and can still land. */
  get open(): readonly Sent[] {
    return this.sent.filter(({ transaction, overAt }) => !this.#swapper.landed.has(transaction) && this.#clock.now() < overAt)
  }

  /** What the chain has executed. */
  get executed(): readonly Extract<Landing, { status: 'landed' }>[] {
    return [...this.#swapper.landed.values()].filter((landing) => landing.status === 'landed')
  }

  /** For a while the chain cannot be asked, and after that for a while it can: longer spells are another matter. */
  darken(): void {
    if (this.#clock.now() >= this.#spellAt + 2 * SPELL_MS) this.#spellAt = this.#clock.now()
  }

  /** @param onSend told before a swap is sent */
  serve(service: ScriptedService, onSend: () => void): void {
    service.onAct('agent.trade.signAndSend', ({ transaction }) => {
      onSend()
      return this.#send(service, transaction)
    })
    service.onRead('agent.tx.status', ({ signature }) => {
      const status = this.#swapper.landed.has(this.sent[Number(signature.split('-').at(-1))]?.transaction ?? '') ? 'confirmed' : 'submitted'
      return decoded('agent.tx.status', { status })
    })
  }

  async #send(service: ScriptedService, transaction: string): Promise<Outcome> {
    const now = this.#clock.now()
    const fate = this.#fates[this.sent.length % this.#fates.length]
    if (fate === undefined) throw new Error('no fates were drawn')
    const { kind, afterMs, answerMs } = fate
    const isLost = fate.isAnswerLost || answerMs >= TIMEOUT_MS
    const isTaken = kind !== 'rejected' && kind !== 'notSent'
    const signature = `answered-${'x'.repeat(64)}-${this.sent.length}`
    this.sent.push({ transaction, fate, overAt: now + (isTaken || isLost ? EXPIRY_MS : 0) })
    if (kind === 'lands' || kind === 'reverts') this.#clock.at(now + afterMs, () => this.#land(transaction, kind))
    if (answerMs > 0) await service.after(answerMs, undefined)
    if (isLost) return unknown
    if (kind === 'rejected') return rejected('TX_SIMULATION_FAILED')
    return kind === 'notSent' ? notSent : accepted({ signature, status: 'submitted' })
  }

  #land(transaction: string, kind: 'lands' | 'reverts'): void {
    const signature = this.#swapper.execute(transaction)
    if (kind === 'reverts') this.#swapper.landed.set(transaction, { status: 'reverted', signature, reason: 'slippage', feeLamports: 5000n })
  }

  #landing(transaction: string): Landing {
    if (this.#clock.now() < this.#spellAt + SPELL_MS) return { status: 'unavailable', reason: 'HTTP 503' }
    const landed = this.#swapper.landed.get(transaction)
    if (landed !== undefined) return landed
    const overAt = this.sent.find((sent) => sent.transaction === transaction)?.overAt ?? Number.POSITIVE_INFINITY
    return { status: this.#clock.now() < overAt ? 'pending' : 'expired' }
  }
}
