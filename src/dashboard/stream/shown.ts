import type { BotRow, BotView, ContestView, FleetView, Severity, Stopped } from '../watch/views.ts'
import type { Patch } from './patch.ts'

/** What a page looks at. */
export type Place =
  | { readonly kind: 'fleet' }
  | { readonly kind: 'bot'; readonly bot: string }
  | { readonly kind: 'contest'; readonly bot: string; readonly contestId: string }

/** What a page is shown: of the three views the one it asked for, and around it what every page says. */
export interface Shown {
  readonly frame: Frame
  readonly fleet?: Pick<FleetView, 'bots' | 'curve'>
  /** Null: there is no such bot. */
  readonly bot?: BotView | null
  /** Null: there is no such contest, or it is not remembered. */
  readonly contest?: ContestView | null
}

export interface Frame extends Pick<FleetView, 'service' | 'isDryRun'> {
  readonly stopped: Stopped
  readonly bots: readonly FrameBot[]
}

export interface FrameBot extends Pick<BotRow, 'name' | 'phase' | 'stopped'> {
  readonly severity?: Severity
  readonly message?: string
}

/** The events of the stream. `at` is the time where the bots run. */
export interface StreamEvents {
  /** First, and again for a reader that was too slow for what came between. `build` names the page that the server has. */
  readonly whole: { readonly at: number; readonly build: string; readonly shown: Shown }
  readonly patch: { readonly at: number; readonly patch: Patch }
  /** That nothing came does not mean that nobody is there. */
  readonly beat: { readonly at: number }
}

export const BEAT_MS = 10_000
