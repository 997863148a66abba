import type { Effect } from '../effect.ts'
import type { Instruction } from '../message.ts'
import { readAssociatedToken } from './associatedToken.ts'
import { readComputeBudget } from './computeBudget.ts'
import { readJupiter } from './jupiter.ts'
import { readSystem } from './systemProgram.ts'
import { readToken } from './token.ts'

export const JUPITER_PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
export const SYSTEM_PROGRAM = '11111111111111111111111111111111'
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'

interface Program {
  readonly name: string
  /** Throws on data its library does not know. */
  readonly read: (instruction: Instruction) => Effect
}

/** A memo moves nothing; the signers it names are only shown to have signed. */
const readMemo = (): Effect => ({ kind: 'harmless' })

/** The programs a swap may call, each with what reads its instructions. */
const PROGRAMS: ReadonlyMap<string, Program> = new Map([
  [JUPITER_PROGRAM, { name: 'Jupiter v6', read: readJupiter }],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', { name: 'SPL Token', read: readToken }],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', { name: 'Token-2022', read: readToken }],
  ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', { name: 'Associated Token', read: readAssociatedToken }],
  [SYSTEM_PROGRAM, { name: 'System', read: readSystem }],
  [COMPUTE_BUDGET_PROGRAM, { name: 'Compute Budget', read: readComputeBudget }],
  ['Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', { name: 'Memo v1', read: readMemo }],
  ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', { name: 'Memo v2', read: readMemo }],
])

/** The name of a program; a user's name never hides a built-in one. */
export function programName(id: string, added: Readonly<Record<string, string>>): string | undefined {
  return PROGRAMS.get(id)?.name ?? (Object.hasOwn(added, id) ? added[id] : undefined)
}

/** What an instruction does. Nothing it says throws. */
export function effectOf(instruction: Instruction, added: Readonly<Record<string, string>>): Effect {
  const program = PROGRAMS.get(instruction.program)
  if (program === undefined) return { kind: Object.hasOwn(added, instruction.program) ? 'users' : 'foreign' }
  try {
    return program.read(instruction)
  } catch {
    return { kind: 'unknown' }
  }
}
