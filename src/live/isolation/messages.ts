import type { Usdc } from '../../core/usdc.ts'
import type { Moment, Note, PriceUpdate } from '../../pipeline/index.ts'
import type { CustomStreams } from '../../strategy/define.ts'
import type { BotView, ContestView, Positions, StandingView, SwapOutcome } from '../../strategy/view.ts'
import type { Packed } from './pack.ts'

// What a bot and an isolated process of its strategies say to each other. Nothing of it is secret: the process is told no key.

/** What a process is begun with. */
export interface ProcessStart {
  /** The config file, which it imports itself. */
  readonly file: string
  readonly bot: string
}

/** A strategy that the process is to run. */
export interface Hosting {
  /** Of the strategy in its bot's config, from 0. */
  readonly place: number
  /** Of the strategy as the bot knows it: another one is none to run. */
  readonly fingerprint: string
}

/** One task, and all that has become known since the one before. */
export interface Envelope {
  readonly seq: number
  /** Of the strategy it is for; undefined: for none. */
  readonly place: number | undefined
  readonly moment: Moment
  readonly updates: readonly (PriceUpdate & { readonly tick: number })[]
  readonly task: Task
}

/** What a bot says. */
export type Order =
  | ({ readonly type: 'start' } & ProcessStart)
  | ({ readonly type: 'host' } & Hosting)
  | { readonly type: 'leave'; readonly place: number }
  | ({ readonly type: 'task' } & Envelope)

export type Task =
  /** A question: what the strategy is shown, its parameters and tools apart. */
  | { readonly type: 'ask'; readonly id: number; readonly shown: object }
  /** Observables to run from here on. */
  | { readonly type: 'open'; readonly id: number; readonly shown: Shown; readonly world: World }
  | { readonly type: 'feed'; readonly id: number; readonly feed: Feed; readonly world: World }
  | { readonly type: 'close'; readonly id: number }
  /** Prices of the past alone, before anything is asked. */
  | { readonly type: 'past' }
  /** Prices are new, for whoever listens to them outside of these observables. */
  | { readonly type: 'tick' }
  | { readonly type: 'ping' }

/** What a trader is handed; nothing for other strategies of observables. */
export interface Shown {
  readonly contest?: ContestView
  readonly positions?: Positions
}

/** What a strategy can ask for at any time, as of the input. */
export interface World {
  readonly state?: BotView
  readonly available?: Usdc | undefined
  readonly standings?: readonly StandingView[] | undefined
}

/** What a custom strategy hears of, by its stream. */
export type Telling = { [K in keyof CustomStreams]: { readonly of: K; readonly told: CustomStreams[K] } }[keyof CustomStreams]

export type Feed =
  | { readonly of: 'tick' }
  /** `isTold`: whether the strategy hears of it, or only the next period begins. */
  | { readonly of: 'time'; readonly isTold: boolean }
  | Telling
  | { readonly of: 'positions'; readonly positions: Positions }
  | { readonly of: 'outcome'; readonly outcome: SwapOutcome }

/** What the process of a strategy says for it. */
export type Said =
  | { readonly type: 'answer'; readonly id: number; readonly result: Packed }
  | { readonly type: 'emission'; readonly id: number; readonly result: Packed }
  /** When the next period of `every` ends, in Unix milliseconds of the bot's clock. */
  | { readonly type: 'wake'; readonly id: number; readonly at: number | undefined }
  | { readonly type: 'log'; readonly note: Note }

export type Reply =
  /** The strategy can be asked. */
  | { readonly type: 'ready'; readonly place: number }
  /** It cannot run the strategy, and why. */
  | { readonly type: 'unfit'; readonly place: number; readonly message: string }
  /** All that the task led to at once is said. */
  | { readonly type: 'done'; readonly seq: number }
  /** An error outside of all calls: the process ends. */
  | { readonly type: 'fatal'; readonly message: string }
  /** What the process takes, in bytes, where the bot cannot look itself. */
  | { readonly type: 'weight'; readonly bytes: number }
  | (Said & { readonly place: number })
