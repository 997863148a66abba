import type { Assignment } from '../../../strategy/assignment.ts'

export interface OptimizeOptions {
  readonly log?: readonly string[]
  readonly strategy?: readonly string[]
  readonly config: string
  readonly bot?: string
  readonly vary?: readonly string[]
  readonly set?: readonly Assignment[]
  readonly search: 'tpe' | 'random'
  readonly budget: number
  readonly holdOut: number
  readonly seed: number
  readonly workers?: number
  /** A URL, `env:NAME`, or true: that of FLEET_DATABASE_URL. */
  readonly fleet?: string | true
  readonly resume?: string
  readonly dataDir: string
  readonly report?: string
  readonly json?: boolean
}

export interface ShowOptions {
  readonly dataDir: string
  readonly report?: string
  readonly json?: boolean
}

export interface PromoteOptions extends ShowOptions {
  readonly look?: boolean
  readonly workers?: number
}
