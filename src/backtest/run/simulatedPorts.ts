import { NEVER, Observable, of } from 'rxjs'
import { VirtualClock } from '../../core/clock.ts'
import { type Mint, USDC_MINT } from '../../core/tokens.ts'
import { inPlace, type Journal, type Ports, type Siblings } from '../../pipeline/index.ts'
import type { World } from '../fit/assumptions.ts'
import type { LogData } from '../log/readLogs.ts'
import { PollTimes } from '../world/pollTimes.ts'
import { seededSeal } from '../world/seededSeal.ts'
import { SimulatedService } from '../world/simulatedService.ts'
import { SimulatedSwapper } from '../world/simulatedSwapper.ts'
import { WorldPrices } from '../world/worldPrices.ts'
import { ColumnBook } from './columnBook.ts'
import { TickSource } from './tickSource.ts'

export interface SimulationOptions {
  /** Of the bot. */
  readonly name: string
  readonly data: LogData
  readonly world: World
  readonly seed: number
  /** Unix milliseconds of the virtual clock's start. */
  readonly beginsAt: number
  /** Unix milliseconds from which nothing is entered any more; undefined: never. */
  readonly entriesUntil?: number | undefined
}

/** A world that is played and not lived in, in the ports of one bot's pipeline. */
export interface Simulation {
  readonly ports: Ports
  readonly clock: VirtualClock
  readonly service: SimulatedService
  readonly ticks: TickSource
}

/** Nothing is kept: a backtest begins with nothing and leaves nothing. */
const noJournal: Journal = {
  load: () => ({
    ...{
      cursor: undefined,
      events: [],
      pending: [],
      custody: [],
      claimed: [],
      tickets: [],
      left: [],
      ownReadies: [],
      picked: [],
      revealed: [],
    },
    ...{ madeAt: undefined, sent: [], swaps: [], fills: [], lastInput: 0 },
    counts: { sent: 0, refused: 0, failed: 0, revealed: 0, missed: 0, swapsFilled: 0, swapsFailed: 0 },
  }),
  commit: () => {},
}
/** Each bot is tested alone. */
const noSiblings: Siblings = { heard$: NEVER, entered: () => {}, left: () => {} }

/** The service, the DEX and the clock as the log has them, and nothing where a live bot keeps files. */
export function simulatedPorts({ name, data, world, seed, beginsAt, entriesUntil }: SimulationOptions): Simulation {
  const clock = new VirtualClock(beginsAt)
  const ticks = new TickSource()
  const facts = data.opportunities.flatMap((opportunity) => opportunity.facts)
  const prices = new WorldPrices(data.prices, { facts, pauses: data.pauses, seed, stepMs: data.stepMs })
  const service = new SimulatedService({
    ...{ bot: name, clock, seed, world, polls: new PollTimes(data.samples.heardAt, world.eventMs) },
    ...{ prices, ahead: prices.near, mints: drawable(data.prices.mints), opportunities: data.opportunities },
  })
  const ports: Ports = {
    clock,
    service,
    events: service,
    market: { book: new ColumnBook(data.prices), tick$: ticks.tick$ },
    swapper: new SimulatedSwapper({ clock, seed, world, prices, service, tokens: data.tokens }),
    ...(data.tokens.length === 0 ? {} : { tokens$: of(data.tokens) }),
    journal: noJournal,
    recorder: { record: () => {}, price: () => {} },
    isolation: inPlace,
    siblings: noSiblings,
    operator$: entriesUntil === undefined ? NEVER : new Observable((told) => clock.at(entriesUntil, () => told.next('drain'))),
    seal: seededSeal(seed),
  }
  return { ports, clock, service, ticks }
}

/** What a contest can be about: a recording may have a price of the dollar itself. */
const drawable = (mints: readonly Mint[]): Mint[] => mints.filter((mint) => mint !== USDC_MINT)
