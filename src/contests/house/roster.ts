import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import type { AgentKind } from '../index.ts'
import type { SkillName } from './skills.ts'

/** One of the house's agents. Its name has a space, which a user's agent cannot have. */
export interface HouseMember {
  readonly handle: string
  readonly kind: AgentKind
  readonly skill: SkillName
}

/** What a house agent starts with, and gets again whenever it cannot pay a stake or a swap. */
export const HOUSE_BALANCE = usdc('100000')

/** Likewise for fees: 1 SOL. */
export const HOUSE_GAS_LAMPORTS = 1_000_000_000n

const ROSTER: readonly HouseMember[] = [
  { handle: 'Mara Voss', kind: 'HUMAN', skill: 'momentum' },
  { handle: 'Ivo Brandt', kind: 'HUMAN', skill: 'noisy' },
  { handle: 'Tess Okafor', kind: 'HUMAN', skill: 'random' },
  { handle: 'Juno Park', kind: 'HUMAN', skill: 'momentum' },
  { handle: 'Rafa Lindqvist', kind: 'HUMAN', skill: 'noisy' },
  { handle: 'Odile Marsh', kind: 'HUMAN', skill: 'random' },
  { handle: 'Southpaw Mk 2', kind: 'AGENT', skill: 'momentum' },
  { handle: 'Counter Jab', kind: 'AGENT', skill: 'noisy' },
  { handle: 'Coin Flipper', kind: 'AGENT', skill: 'random' },
  { handle: 'Rope A Dope', kind: 'AGENT', skill: 'momentum' },
  { handle: 'Glass Jaw', kind: 'AGENT', skill: 'noisy' },
  { handle: 'Haymaker 9000', kind: 'AGENT', skill: 'random' },
]

/** The house's agents by their ids, which depend on the seed alone. */
export function rosterOf(seed: number): ReadonlyMap<string, HouseMember> {
  return new Map(ROSTER.map((member) => [keyedUuid(seed, 'house', member.handle), member]))
}
