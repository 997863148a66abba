import type { Shapes } from '../../../contract/shapes/shapes.ts'
import type { CornermanError } from '../../../core/error.ts'
import type { StreamView } from '../../../dashboard/index.ts'
import type { BotStatus } from '../../../pipeline/index.ts'
import type { BotConfig } from '../../../strategy/config.ts'
import type { KeptBack } from './dryRun.ts'

export type BotPhase = 'starting' | 'running' | 'drained' | 'stopped' | 'elsewhere'

/** One bot of the fleet, for reports and screens. */
export interface FleetBot {
  readonly name: string
  readonly config: BotConfig
  readonly phase: BotPhase
  readonly agentId: string | undefined
  /** The agent's id in the service's own words; undefined before it has answered, and where it does not say. */
  readonly statedAgentId: string | undefined
  /** The folder of its recording; undefined where it keeps none. */
  readonly recording: string | undefined
  /** The mapping that the service is read by; undefined before that is known. */
  readonly shapes: Shapes | undefined
  /** Why it stopped before its time. */
  readonly failure: CornermanError | undefined
  /** Whether it has ever known all that it has open. */
  readonly hasCaughtUp: boolean
  /** While it plays, and after that. */
  status(): BotStatus | undefined
  /** As `status`; of a bot that never came to play, by its journal. Undefined where that could not be read, or not to its end. */
  life(): BotStatus | undefined
  /** How the event stream stands. */
  stream(): StreamView
  /** Reads the service still takes of this key in the current minute; undefined before there is a connection. */
  readsLeft(): number | undefined
  /** What a dry run kept back; undefined in any other run. */
  keptBack: (() => readonly KeptBack[]) | undefined
}
