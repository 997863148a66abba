import type { ServiceEvent } from '../../contract/events.ts'
import type { Fact, FactOf, HeardEvent } from '../protocol/facts.ts'
import type { Input, InputOf } from '../protocol/input.ts'
import type { TaskKey, TaskOwner } from '../protocol/taskKey.ts'
import type { StoreName, Stores } from './stores.ts'
import type { World } from './world.ts'

type EventOf<T extends ServiceEvent['type']> = HeardEvent<Extract<ServiceEvent, { readonly type: T }>>

/** Answers of a part to everything that can happen. A kind that is left out costs nothing when it comes. */
export interface Handlers {
  /** Every input, before it is heard by its kind. */
  readonly onEach?: (input: Input) => void
  readonly on?: { readonly [T in Input['type']]?: (input: InputOf<T>) => void }
  /** Events that end nothing a second time, after `onFact.event`. */
  readonly onEvent?: { readonly [T in ServiceEvent['type']]?: (heard: EventOf<T>) => void }
  readonly onFact?: { readonly [T in Fact['type']]?: (fact: FactOf<T>) => void }
  /** An input is taken in, and no task of it was told yet. */
  readonly taken?: () => void
  /** A task of this part is due (`protocol/taskKey.ts`). */
  readonly onDue?: (task: TaskKey) => void
  /** After an input: called if a handler of this part ran, or one of a part whose store it reads, if the books changed, or if a task is due. */
  readonly tend?: () => void
  /** At the end of every step, once strategies have spoken. */
  readonly close?: () => void
  /** False: a bot that drains has to wait for this part. */
  readonly isIdle?: () => boolean
  readonly stop?: () => void
}

interface Declaration<R extends StoreName, W extends StoreName> {
  readonly name: string
  /** One sentence for the documentation. */
  readonly does: string
  readonly reads: readonly R[]
  /** Stores that this part alone changes. */
  readonly writes: readonly W[]
  /** Parts that hear everything before this one. */
  readonly after: readonly string[]
  /** Parts whose `close` comes before; default: `after`. */
  readonly closesAfter?: readonly string[]
  /** Owner of tasks, and asker of reads. */
  readonly owns?: readonly TaskOwner[]
  /** @param stores those that are declared. A store of a later part can be read once all parts are made. */
  readonly make: (stores: Readonly<Pick<Stores, R>>, world: World) => Handlers & { readonly stores: Pick<Stores, W> }
}

/** A part of a bot, as it is declared: the coordinator makes it. */
export interface Part extends Omit<Declaration<StoreName, StoreName>, 'make'> {
  readonly make: (stores: Readonly<Partial<Stores>>, world: World) => Handlers & { readonly stores: Partial<Stores> }
}

export const part = <R extends StoreName = never, W extends StoreName = never>(declaration: Declaration<R, W>): Part =>
  declaration as unknown as Part
