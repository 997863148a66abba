import { invariant } from '../../core/error.ts'
import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import { type Applied, type Command, type ContestsState, commandAt, dueCommand, nextDue } from '../index.ts'
import type { House } from './house.ts'

/** An engine and the house that plays in it. */
export interface PlayedWorld {
  state(): ContestsState
  readonly house: House | undefined
  readonly priceAt: (mint: Mint, atMs: number) => Price | null
  /** Applies a command, and tells the house of it. */
  run(command: Command): Applied
}

/** When something next falls due, Unix milliseconds; infinite when nothing will. */
export const nextTurnOf = ({ state, house }: PlayedWorld): number => Math.min(nextDue(state()) ?? NEVER, house?.nextAt() ?? NEVER)

/** Does all that falls due by `now`, the engine's transitions and the house's acts in order of time. */
export function playOn(world: PlayedWorld, now: number): void {
  const { house, priceAt } = world
  for (;;) {
    const dueAt = nextDue(world.state()) ?? NEVER
    const houseAt = house?.nextAt() ?? NEVER
    if (Math.min(dueAt, houseAt) > now) return
    if (dueAt <= houseAt) {
      const command = dueCommand(world.state(), dueAt, priceAt)
      invariant(command !== null, 'nothing is due when something is', { dueAt })
      world.run(command)
    } else {
      house?.act(world.state(), (body, atMs) => world.run(commandAt(world.state(), body, { now: atMs, priceAt })))
    }
  }
}

const NEVER = Number.POSITIVE_INFINITY
