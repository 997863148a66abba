import { createHash } from 'node:crypto'
import type { ServiceEvent } from '../contract/events.ts'
import type { Mint } from '../core/tokens.ts'
import { symbolOf, tokenOfMint } from '../core/tokens.ts'
import { decisionsOf, type Step } from '../pipeline/index.ts'
import type { Action } from '../strategy/action.ts'
import type { Fill } from '../strategy/view.ts'
import type { PlayedMove } from './result.ts'

/** How a contest came to its end, as the bot heard of it. */
export type Ending = Extract<ServiceEvent, { type: 'contest.settled' | 'contest.cancelled' }>

/** What is known of a contest the bot plays. */
export interface Played {
  readonly contestId: string
  readonly enteredAt: number
  readonly moves: PlayedMove[]
  /** Tokens that were picked, predicted or swapped. */
  readonly tokens: Set<Mint>
  ending: Ending | undefined
}

/** What one input led to. */
export interface Decided {
  readonly n: number
  /** Unix milliseconds. */
  readonly at: number
  readonly input: Step['input']['type']
  readonly decisions: ReturnType<typeof decisionsOf>
}

/** Writes down what a backtested bot does, step by step. */
export class Chronicle {
  readonly contests = new Map<string, Played>()
  readonly refused: Record<string, number> = {}
  events = 0
  decisions = 0
  expired = 0
  readonly #digest = createHash('sha256')
  readonly #onDecision: (decided: Decided) => void

  /** @param onDecision told of every input that led to something */
  constructor(onDecision: (decided: Decided) => void) {
    this.#onDecision = onDecision
  }

  onStep(step: Step): void {
    const { input, record, refused } = step
    if (input.type === 'event') {
      this.events += 1
      if (input.read.ok) this.#onEvent(input.read.event)
    }
    if (record === undefined) return
    const { at } = input
    this.decisions += record.intents.length + refused.length
    for (const { refusal } of refused) this.refused[refusal.code] = (this.refused[refusal.code] ?? 0) + 1
    for (const { action } of record.intents) this.#onAction(action, at)
    for (const fill of record.fills) this.#onFill(fill)
    const decisions = decisionsOf(step)
    if (decisions.length === 0) return
    this.#digest.update(JSON.stringify([at, decisions]))
    this.#onDecision({ n: input.n, at, input: input.type, decisions })
  }

  /** SHA-256 over every decision and outcome so far, in order. */
  fingerprint(): string {
    return this.#digest.copy().digest('hex')
  }

  #onEvent(event: ServiceEvent): void {
    if (event.type === 'ticket.expired') this.expired += 1
    if (event.type === 'ticket.failed' || !('contestId' in event.data) || typeof event.data.contestId !== 'string') return
    const played = this.#played(event.data.contestId, event.createdAt)
    if (event.type !== 'contest.settled' && event.type !== 'contest.cancelled') return
    played.ending = event
    this.#digest.update(
      JSON.stringify([event.createdAt, event.type, event.type === 'contest.settled' ? event.data.profit.toString() : null]),
    )
  }

  #onAction(action: Action, at: number): void {
    const text = textOf(action)
    if (text === undefined || !('contestId' in action)) return
    const played = this.#played(action.contestId, at)
    played.moves.push({ at, text })
    if (action.type === 'draftPick') played.tokens.add(action.token)
  }

  #onFill({ contestId, at, from, to, given, received }: Fill): void {
    const played = this.#played(contestId, at)
    played.moves.push({ at, text: `swap ${amountText(given, from)} for ${amountText(received, to)}` })
    for (const mint of [from, to]) played.tokens.add(mint)
  }

  #played(contestId: string, at: number): Played {
    const known = this.contests.get(contestId)
    if (known !== undefined) return known
    const played: Played = { contestId, enteredAt: at, moves: [], tokens: new Set(), ending: undefined }
    this.contests.set(contestId, played)
    return played
  }
}

function textOf(action: Action): string | undefined {
  switch (action.type) {
    case 'draftPick':
      return `pick ${symbolOf(action.token)}`
    case 'commitPrediction':
      return `predict ${action.price}`
    case 'joinContest':
      return action.side === undefined ? 'join' : `join ${action.side}`
    default:
      return undefined
  }
}

/** An amount of a token as people write it. */
function amountText(units: bigint, mint: Mint): string {
  const decimals = tokenOfMint(mint)?.decimals ?? 0
  return `${(Number(units) / 10 ** decimals).toLocaleString('en-US', { maximumSignificantDigits: 6, useGrouping: false })} ${symbolOf(mint)}`
}
