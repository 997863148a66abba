import { apply, type ContestsState, createContests, loadContests } from '../../contests/index.ts'
import { invariant } from '../../core/error.ts'
import type { Mint } from '../../core/tokens.ts'
import { eventBody, type SandboxStore } from './sandboxStore.ts'

/** The state after the whole log: the newest snapshot, and the commands since. */
export function foldStore(store: SandboxStore, mints: readonly Mint[]): ContestsState {
  const snapshot = store.snapshot()
  const state = snapshot === undefined ? firstState(store, mints) : loadContests(snapshot.state)
  for (const { seq, command } of store.commands(snapshot?.seq)) {
    const applied = apply(state, command)
    invariant(applied.ok, `command ${seq} of the log was obeyed once and is refused now`, { seq })
  }
  return state
}

export interface VerifyReport {
  readonly commands: number
  readonly events: number
  /** The first event that is not, to the byte, the stored one; `null` when the log holds. */
  readonly mismatch: Mismatch | null
}

export interface Mismatch {
  readonly commandSeq: number
  /** `<command>: <event>`, or whether the command was obeyed; `null` where there is nothing. */
  readonly stored: string | null
  readonly refolded: string | null
}

/** Runs the log again from its first command and compares every event with the stored one, byte by byte. */
export function verifyStore(store: SandboxStore, mints: readonly Mint[]): VerifyReport {
  const state = firstState(store, mints)
  const storedEvents = store.eventBodies()
  let commands = 0
  let events = 0
  const nextStored = () => {
    const next = storedEvents.next()
    return next.done ? null : `${next.value.commandSeq}: ${next.value.body}`
  }
  for (const { seq, command } of store.commands()) {
    commands++
    const applied = apply(state, command)
    if (!applied.ok)
      return { commands, events, mismatch: { commandSeq: seq, stored: 'obeyed', refolded: `refused, ${applied.refusal.code}` } }
    for (const event of applied.events) {
      const stored = nextStored()
      const refolded = `${seq}: ${eventBody(event)}`
      if (stored !== refolded) return { commands, events, mismatch: { commandSeq: seq, stored, refolded } }
      events++
    }
  }
  const left = nextStored()
  return { commands, events, mismatch: left === null ? null : { commandSeq: store.lastSeq, stored: left, refolded: null } }
}

function firstState(store: SandboxStore, mints: readonly Mint[]): ContestsState {
  return createContests({ seed: store.identity.seed, rakeBps: store.identity.rakeBps, startMs: store.epochMs, mints })
}
