import type { FleetConnection } from '../database/fleetConnection.ts'

/** Where nothing of a host that stands still can leave any more: it enters nothing without a beat, and what was begun has left or does not leave. */
const POWERLESS_MS = 5000

/** A host, by its row. */
export interface ObeyingHost {
  readonly run: string
  readonly host: string
  readonly beat: number
  /** The number of the operator's word that it obeys. */
  readonly obeys: number
}

/** @throws InDoubt */
export async function readObedience(connection: FleetConnection): Promise<ObeyingHost[]> {
  const rows = await connection.ask<{ run: string; host: string; beat: string; obeys: string }>(
    'SELECT run, host, beat::text, obeys::text FROM cornerman_fleet.hosts',
  )
  return rows.map(({ run, host, beat, obeys }) => ({ run, host, beat: Number(beat), obeys: Number(obeys) }))
}

/** By the names of hosts. `silent`: nothing of them can leave any more, and they hear the word before they play again. */
export interface Obedience {
  readonly obeying: readonly string[]
  readonly silent: readonly string[]
  /** They live, and have not said that they obey. */
  readonly untold: readonly string[]
}

/** Which hosts of a fleet obey a word of the operator, as one sees who looks at their rows again and again. */
export class ObedienceWatch {
  readonly #n: number
  readonly #pulses = new Map<string, { beat: number; sinceMs: number }>()

  /** @param n the number of the word */
  constructor(n: number) {
    this.#n = n
  }

  /** @param nowMs when the rows were asked for, by the monotonic clock */
  see(hosts: readonly ObeyingHost[], nowMs: number): Obedience {
    const names = { obeying: new Set<string>(), silent: new Set<string>(), untold: new Set<string>() }
    for (const { run, host, beat, obeys } of hosts) {
      const before = this.#pulses.get(run)
      const pulse = before?.beat === beat ? before : { beat, sinceMs: nowMs }
      this.#pulses.set(run, pulse)
      const isSilent = nowMs - pulse.sinceMs >= POWERLESS_MS
      names[obeys >= this.#n ? 'obeying' : isSilent ? 'silent' : 'untold'].add(host)
    }
    // A host that was started anew has a row of before.
    const silent = [...names.silent].filter((host) => !names.obeying.has(host) && !names.untold.has(host))
    return { obeying: [...names.obeying].toSorted(), silent: silent.toSorted(), untold: [...names.untold].toSorted() }
  }
}
